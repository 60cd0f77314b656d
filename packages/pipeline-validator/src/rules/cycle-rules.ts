import { type ComponentNode, describeComponent, type Edge, findCycles } from "@wye/pipeline-spec";
import { quote } from "../quote.js";
import { always, type Finding, type Rule, type RuleFamily } from "../rule.js";

const taskCycle: Rule = {
  id: "task-cycle",
  summary: "No task waits for itself, directly or through others.",
  reason: "Such tasks never start; the workflow engine refuses the run.",
  severity: always("error"),
  examples: {
    wrong: "root: {dag: {tasks: {prepare: {dependentTasks: [train]}, train: {dependentTasks: [prepare]}}}}",
    right: "root: {dag: {tasks: {train: {dependentTasks: [prepare]}}}}",
  },
  *check(index) {
    for (const cycle of findCycles(index.tasks, ({ dependencies }) => dependencies)) {
      yield cycleFinding(cycle, ({ name }) => quote(name), "tasks wait for each other", "waits for");
    }
  },
};

const componentCycle: Rule = {
  id: "component-cycle",
  summary: "No component contains itself, directly or through others.",
  reason: "The run would nest without end; no tool of the back end notices before.",
  severity: always("error"),
  examples: {
    wrong:
      "components: {comp-branch: {dag: {tasks: {report: {componentRef: {name: comp-branch}, inputs: {parameters: {message: null, label: {componentInputParameter: label}}}}}}}}",
    right: "components: {comp-branch: {dag: {tasks: {report: {componentRef: {name: comp-report}}}}}}",
  },
  *check({ components }) {
    const name = (component: ComponentNode) => describeComponent(component).replace("component ", "");
    for (const cycle of findCycles(components, contents)) {
      yield cycleFinding(cycle, name, "components contain each other", "contains");
    }
  },
};

function contents(component: ComponentNode): Edge<ComponentNode>[] {
  const edges: Edge<ComponentNode>[] = [];
  for (const task of component.tasks?.values() ?? []) {
    if (task.component === undefined) continue;
    edges.push({ from: component, to: task.component, at: `${task.path}/componentRef/name` });
  }
  return edges;
}

/** Reports at the first arrow of a cycle and relates the others. */
function cycleFinding<N extends object>(
  cycle: readonly Edge<N>[],
  nameOf: (node: N) => string,
  what: string,
  verb: string,
): Finding {
  const [first] = cycle;
  const names = cycle.slice(0, 20).map(({ from }) => nameOf(from));
  const more = cycle.length > 20 ? ` → (${cycle.length - 20} more)` : "";
  const way = `${names.join(" → ")}${more} → ${names[0]}`;
  const related = cycle.slice(1, 11).map(({ from, to, at }) => ({
    at,
    message: `${nameOf(from)} ${verb} ${nameOf(to)}`,
  }));
  return { at: first?.at ?? "", message: `${what}: ${way}`, hint: "remove one of these references", related };
}

/** Rules about going round in circles. */
export const cycleRules: RuleFamily = { title: "Cycles", rules: [taskCycle, componentCycle] };
