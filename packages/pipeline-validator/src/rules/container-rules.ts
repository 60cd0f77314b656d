import { describeComponent } from "@wye/pipeline-spec";
import { containers, isPseudoImage, pseudoImageIn } from "../containers.js";
import { isSupplied, requiredInputs } from "../missing-inputs.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { sharedContainers } from "../shared-containers.js";

const executorEmpty: Rule = {
  id: "executor-empty",
  summary: "An executor is a container, an importer, a resolver or a custom job.",
  reason: "An executor without any of them cannot run.",
  severity: always("error"),
  examples: {
    wrong: "deploymentSpec: {executors: {exec-report: {container: null}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {image: 'busybox:1.36'}}}}",
  },
  *check({ executors }) {
    for (const { spec, path, label } of executors) {
      if (spec.spec !== undefined) continue;
      const message = `the executor ${quote(label)} has nothing to run`;
      yield {
        at: path,
        part: "key",
        message,
        hint: "add container, importer or resolver",
        sought: [`${path}/*`],
      };
    }
  },
};

const imageMissing: Rule = {
  id: "image-missing",
  summary: "A container has an image.",
  reason: "Kubernetes cannot start a container without image.",
  severity: always("error"),
  examples: {
    wrong: "deploymentSpec: {executors: {exec-report: {container: {image: ''}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {image: 'busybox:1.36'}}}}",
  },
  *check(index) {
    for (const { spec, path, executor } of index.once(containers)) {
      if (spec.image !== "") continue;
      yield {
        at: path,
        part: "key",
        message: `the container of ${quote(executor.label)} has no image`,
        hint: "add image",
        sought: [`${path}/image`],
      };
    }
  },
};

const commandMissing: Rule = {
  id: "command-missing",
  summary: "A container has a command or arguments.",
  reason:
    "The launcher of the back end replaces the entry point of the image, and fails with `command and arguments are empty`.",
  severity: underKfp("error"),
  examples: {
    wrong: "deploymentSpec: {executors: {exec-report: {container: {command: []}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {command: [], args: [hello]}}}}",
  },
  *check(index) {
    for (const { spec, path, executor } of index.once(containers)) {
      if (spec.command.length > 0 || spec.args.length > 0 || isPseudoImage(spec.image)) continue;
      const message = `the container of ${quote(executor.label)} has neither command nor arguments`;
      const sought = [`${path}/command/*`, `${path}/args/*`];
      const meant = pseudoImageIn(spec.image);
      const hint =
        meant === undefined
          ? "add the entry point of the image as command"
          : `write ${meant}: the driver makes and deletes volume claims for this name only, which is no image`;
      yield { at: path, part: "key", message, hint, sought };
    }
  },
};

const lifecycle: Rule = {
  id: "lifecycle-unsupported",
  summary: "A container has no lifecycle.",
  reason: "The open-source back end and the local runner ignore the check before the cache.",
  severity: underKfp("warning"),
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-report: {container: {lifecycle: {preCacheCheck: {command: [check]}}}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {lifecycle: null}}}}",
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      if (spec.lifecycle?.preCacheCheck === undefined) continue;
      const at = `${path}/lifecycle/preCacheCheck`;
      yield { at, part: "key", message: "the open-source back end ignores preCacheCheck" };
    }
  },
};

/** A component that runs the container of `comp-report`, with these inputs. */
const second = (inputs: string, given: string) => `
root: {dag: {tasks: {say: {taskInfo: {name: say}, componentRef: {name: comp-say}, inputs: {parameters: {${given}}}}}}}
components: {comp-say: {executorLabel: exec-report, inputDefinitions: {parameters: {${inputs}}}}}
`;
const message = "message: {runtimeValue: {constant: x}}";

const shared: Rule = {
  id: "container-shared",
  summary: "Components with equal containers have the same inputs and outputs.",
  reason:
    "The back end knows a component by its container, and runs all that have the same with the inputs, defaults and outputs of the one it comes to first.",
  severity: underKfp("warning"),
  examples: {
    wrong: second("message: {parameterType: STRING, defaultValue: hello}", message),
    right: second("message: {parameterType: STRING}", message),
  },
  *check(index) {
    for (const { component, first } of index.once(sharedContainers)) {
      const text = `${describeComponent(component)} runs with the inputs and outputs of ${describeComponent(first)}, which has an equal container`;
      const related = [{ at: first.path, part: "key", message: "the other component" } as const];
      const hint = "make the containers differ, for example by an argument that is not used";
      yield { at: component.path, part: "key", message: text, hint, related };
    }
  },
};

const sharedInput: Rule = {
  id: "container-shared-input",
  summary: "A task supplies the required inputs of every component that has the container of its own.",
  reason:
    "The driver looks at the component that the back end came to first, and fails with `neither value nor default value provided for non-optional parameter`.",
  severity: underKfp("error"),
  examples: {
    wrong: second("text: {parameterType: STRING}", "text: {runtimeValue: {constant: x}}"),
    right: second("message: {parameterType: STRING}", message),
    besides: ["container-shared", "placeholder-unknown"],
  },
  *check(index) {
    const required = index.once(requiredInputs);
    for (const { component, first } of index.once(sharedContainers)) {
      for (const task of component.uses) {
        const missing = required
          .get(first)
          ?.find(({ name, kind }) => kind === "parameter" && !isSupplied(task, name, kind));
        if (missing === undefined) continue;
        const text = `task ${quote(task.name)} does not supply ${quote(missing.name)} of ${describeComponent(first)}, as which the back end runs it`;
        const hint = "make the containers differ, for example by an argument that is not used";
        const related = [{ at: first.path, part: "key", message: "has an equal container" } as const];
        yield { at: task.path, part: "key", message: text, hint, related };
      }
    }
  },
};

/** Rules about containers. */
export const containerRules: RuleFamily = {
  title: "Executors and containers",
  rules: [executorEmpty, imageMissing, commandMissing, lifecycle, shared, sharedInput],
};
