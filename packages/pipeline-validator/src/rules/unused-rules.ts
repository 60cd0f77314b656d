import { describeComponent, reachableComponents } from "@wye/pipeline-spec";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily } from "../rule.js";

/** Where components are used. */
const uses = ["/root/dag/tasks/*/componentRef/name", "/components/*/dag/tasks/*/componentRef/name"];

const componentUnused: Rule = {
  id: "component-unused",
  summary: "Every component is reached from the root.",
  reason: "What is not reached never runs, and the back end does not check it.",
  severity: always("warning"),
  examples: {
    wrong: "root: {dag: {tasks: {branch: null}}}",
    right: "root: {dag: {tasks: {branch: null}}}\ncomponents: {comp-branch: null}",
  },
  *check(index) {
    if (index.root === undefined) return;
    const reached = index.once(reachableComponents);
    for (const component of index.components) {
      if (reached.has(component)) continue;
      const message = `no task that is reached from the root runs ${describeComponent(component)}`;
      yield { at: component.path, part: "key", message, hint: "remove it, or refer to it", sought: uses };
    }
  },
};

const executorUnused: Rule = {
  id: "executor-unused",
  summary: "Every executor belongs to a component.",
  reason: "An executor that no component names never runs.",
  severity: always("warning"),
  examples: {
    wrong: "deploymentSpec: {executors: {exec-old: {container: {image: busybox, command: [date]}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {image: busybox, command: [date]}}}}",
  },
  *check({ executors }) {
    for (const { label, path, components } of executors) {
      if (components.length > 0) continue;
      const message = `no component names the executor ${quote(label)}`;
      const sought = ["/root/executorLabel", "/components/*/executorLabel"];
      yield { at: path, part: "key", message, hint: "remove it, or refer to it", sought };
    }
  },
};

/** Rules about what nothing refers to. */
export const unusedRules: RuleFamily = { title: "Unused parts", rules: [componentUnused, executorUnused] };
