import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

// The back end makes templates by the names of components, and refuses a run whose templates have the same name.
const task = (name: string, component: string, more = "") =>
  `${name}: {taskInfo: {name: ${name}}, componentRef: {name: ${component}}${more}}`;
const loop = (name: string, component: string) =>
  task(name, component, `, parameterIterator: {items: {raw: '["a"]'}, itemInput: i}`);
const body = (name: string) =>
  `${name}: {inputDefinitions: {parameters: {i: {parameterType: STRING}}}, dag: {tasks: {${task("t", "comp-c")}}}}`;
const dag = (name: string, ...tasks: string[]) => `${name}: {dag: {tasks: {${tasks.join(", ")}}}}`;

const errorsOf = (tasks: readonly string[], components: readonly string[]) => {
  const { problems } = validatePipeline(`pipelineInfo: {name: a}
schemaVersion: 2.1.0
deploymentSpec: {executors: {e: {container: {image: "a:1", command: [b]}}}}
root: {dag: {tasks: {${tasks.join(", ")}}}}
components: {${[...components, "comp-c: {executorLabel: e}"].join(", ")}}
`);
  return problems.filter(({ severity }) => severity === "error").map(({ code, path }) => `${code} ${path}`);
};

const shared = "iterator-component-shared";
test.each([
  [
    "two loops over one component",
    [loop("a", "l"), loop("b", "l")],
    [body("l")],
    [`${shared} /root/dag/tasks/b/componentRef/name`],
  ],
  [
    "a loop within a loop over the same kind of body",
    [loop("a", "l"), task("s", "sub")],
    [body("l"), dag("sub", loop("b", "l"))],
    [`${shared} /components/sub/dag/tasks/b/componentRef/name`],
  ],
  [
    "a sub-pipeline with a loop, used twice",
    [task("a", "sub"), task("b", "sub")],
    [body("l"), dag("sub", loop("x", "l"))],
    [],
  ],
  ["a loop that no run comes to", [loop("a", "l")], [body("l"), dag("unused", loop("b", "l"))], []],
  ["loops over copies", [loop("a", "l"), loop("b", "m")], [body("l"), body("m")], []],
])("%s", (_, tasks, components, errors) => {
  expect(errorsOf(tasks, components)).toEqual(errors);
});

test.each([
  "entrypoint",
  "root",
  "system-dag-driver",
  "system-container-driver",
  "system-container-executor",
  "system-container-impl",
])("a component with tasks cannot be called %s", (name) => {
  expect(errorsOf([task("x", name)], [dag(name, task("t", "comp-c"))])).toEqual([
    `component-name-reserved /components/${name}`,
  ]);
  expect(errorsOf([task("x", name)], [`${name}: {executorLabel: e}`])).toEqual([]);
  expect(errorsOf([task("x", "comp-c")], [dag(name, task("t", "comp-c"))])).toEqual([]);
});
