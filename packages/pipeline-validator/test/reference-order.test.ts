import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

// What a task waits for whose Kubernetes settings take the output of another one.

const task = (name: string, component: string, ...dependentTasks: readonly string[]) =>
  `${name}: {taskInfo: {name: ${name}}, componentRef: {name: comp-${component}}, dependentTasks: [${dependentTasks.join(", ")}]}`;

const found = (tasks: readonly string[], producer = "make") =>
  validatePipeline(`
pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {dag: {tasks: {${tasks.join(", ")}}}}
components:
  comp-make: {executorLabel: make, outputDefinitions: {parameters: {name: {parameterType: STRING}}}}
  comp-use: {executorLabel: use, outputDefinitions: {parameters: {name: {parameterType: STRING}}}}
deploymentSpec:
  executors:
    make: {container: {image: 'a:1', command: [b]}}
    use: {container: {image: 'a:1', command: [b]}}
---
platforms: {kubernetes: {deploymentSpec: {executors: {use: {pvcMount: [{mountPath: /d, pvcNameParameter: {taskOutputParameter: {producerTask: ${producer}, outputParameterKey: name}}}]}}}}}
`)
    .problems.filter(({ code }) => code === "platform-reference-order")
    .map(({ message, hint }) => [message, hint]);

const early = (use: string) => [
  `task "${use}" does not wait for task "make", whose output is taken here`,
  `add "make" to dependentTasks of "${use}"`,
];
const make = task("make", "make");
const taking = task("taking", "make").replace(
  "dependentTasks: []",
  "inputs: {parameters: {x: {taskOutputParameter: {producerTask: make, outputParameterKey: name}}}}",
);

test.each<[string, readonly string[], readonly (readonly string[])[]]>([
  ["waits for it", [make, task("use", "use", "make")], []],
  ["waits for what waits for it", [make, task("then", "make", "make"), task("use", "use", "then")], []],
  ["waits for what takes its output", [make, taking, task("use", "use", "taking")], []],
  ["does not wait", [make, task("use", "use")], [early("use")]],
  ["waits for another one", [make, task("other", "make"), task("use", "use", "other")], [early("use")]],
  ["is waited for", [task("make", "make", "use"), task("use", "use")], [early("use")]],
  ["is one of two that do not wait", [make, task("use", "use"), task("again", "use")], [early("use")]],
  [
    "is one of two, of which the second does not wait",
    [make, task("use", "use", "make"), task("again", "use")],
    [early("again")],
  ],
])("a task that %s", (_, tasks, wanted) => expect(found(tasks)).toEqual(wanted));

test("nothing waits for itself", () => expect(found([make, task("use", "use")], "use")).toEqual([]));

test("of a final status another rule tells that is not waited for", () => {
  const told = task("told", "make").replace(
    "dependentTasks: []",
    "inputs: {parameters: {status: {taskFinalStatus: {producerTask: make}}}}",
  );
  expect(found([make, told, task("use", "use")])).toEqual([early("use")]);
});
