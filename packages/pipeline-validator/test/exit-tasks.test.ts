import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

// The back end makes hooks of exit tasks, one for each task that they wait for.
const task = (name: string, more = "", component = "comp-c") =>
  `${name}: {taskInfo: {name: ${name}}, componentRef: {name: ${component}}${more}}`;
const exit = "triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}";
const after = (...names: readonly string[]) => `, dependentTasks: [${names.join(", ")}], ${exit}`;
const from = (producer: string) =>
  `, inputs: {parameters: {i: {taskOutputParameter: {producerTask: ${producer}, outputParameterKey: o}}}}, ${exit}`;
const each = `, parameterIterator: {items: {raw: '["a"]'}, itemInput: i}`;

const found = (...tasks: readonly string[]): readonly string[] =>
  validatePipeline(`pipelineInfo: {name: a}
schemaVersion: 2.1.0
deploymentSpec: {executors: {e: {container: {image: "a:1", command: [b], args: ["{{$}}"]}}}}
root: {dag: {tasks: {${tasks.join(", ")}}}}
components:
  comp-c: {executorLabel: e, outputDefinitions: {parameters: {o: {parameterType: STRING}}}}
  comp-x: {executorLabel: e, inputDefinitions: {parameters: {i: {parameterType: STRING}}}, outputDefinitions: {parameters: {o: {parameterType: STRING}}}}
  comp-l: {inputDefinitions: {parameters: {i: {parameterType: STRING}}}, dag: {tasks: {${task("t")}}}}
`)
    .problems.filter(({ code }) => code.startsWith("exit"))
    .map(({ severity, code, path }) => `${severity} ${code} ${path.replace("/root/dag/tasks/", "")}`);

const repeated = "warning exit-task-repeated x/dependentTasks/1";
const taken = "inputs/parameters/i/taskOutputParameter/producerTask";
const rows: readonly (readonly [what: string, tasks: readonly string[], found: readonly string[]])[] = [
  ["after one task", [task("a"), task("x", after("a"))], []],
  ["after two tasks", [task("a"), task("b"), task("x", after("a", "b"))], [repeated]],
  ["twice after one task", [task("a"), task("x", after("a", "a"))], []],
  ["after what it takes an output of", [task("a"), task("x", from("a"), "comp-x")], []],
  [
    "after a task and what it takes an output of",
    [task("a"), task("b"), task("x", `, dependentTasks: [b]${from("a")}`, "comp-x")],
    [`warning exit-task-repeated x/${taken}`],
  ],
  [
    "after a task and a loop, which loses it",
    [task("a"), task("l", each, "comp-l"), task("x", after("a", "l"))],
    ["warning exit-task-lost x/dependentTasks/1"],
  ],
  [
    "of two that take an output of one task",
    [task("a"), task("w", from("a"), "comp-x"), task("x", from("a"), "comp-x")],
    [`warning exit-task-lost w/${taken}`],
  ],
  [
    "that is a loop",
    [task("a"), task("x", `${each}${after("a")}`, "comp-l")],
    ["error exit-task-loop x/parameterIterator"],
  ],
  ["that is a loop after nothing", [task("a"), task("x", `${each}, ${exit}`, "comp-l")], []],
];
test.each(rows)("an exit task %s", (_, tasks, wanted) => expect(found(...tasks)).toEqual(wanted));
