import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

// The driver looks for an artifact that a DAG hands on among those that the DAG was given, optional or not.
const dataset = "artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}";
const optional = `inputDefinitions: {artifacts: {d: {${dataset}, isOptional: true}}}`;
const handOn = "inputs: {artifacts: {d: {componentInputArtifact: d}}}";
const task = (name: string, component: string, more = "") =>
  `${name}: {taskInfo: {name: x}, componentRef: {name: ${component}}${more === "" ? "" : `, ${more}`}}`;
const given = "inputs: {artifacts: {d: {taskOutputArtifact: {producerTask: make, outputArtifactKey: o}}}}";

const sub = `${optional}, dag: {tasks: {${task("use", "comp-use", handOn)}}}`;

const found = (tasks: readonly string[], root = "", ofSub = sub) =>
  validatePipeline(`pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {${root}dag: {tasks: {${[task("make", "comp-make"), ...tasks].join(", ")}}}}
components:
  comp-make: {executorLabel: m, outputDefinitions: {artifacts: {o: {${dataset}}}}}
  comp-sub: {${ofSub}}
  comp-use: {executorLabel: e, ${optional}}
deploymentSpec: {executors: {m: {container: {image: 'a:1', command: [b], args: ['{{$}}']}}, e: {container: {image: 'a:1', command: [c], args: ['{{$}}']}}}}
`)
    .problems.filter(({ code }) => !code.includes("unused"))
    .map(({ severity, code, message, path }) => `${severity} ${code} ${path}: ${message}`);

const inSub = "/components/comp-sub/dag/tasks/use/inputs/artifacts/d/componentInputArtifact";
const lost = (place: string, who: string) =>
  `warning optional-artifact-handed-on ${place}: ${who} the optional artifact "d", without which this task fails`;

const item = "artifactIterator: {items: {inputArtifact: d}, itemInput: d}";

test.each([
  ["that every task gives", [task("sub", "comp-sub", given)], "", []],
  ["that is left out where it is wanted", [task("use", "comp-use")], "", []],
  ["of a DAG that nothing runs", [], "", []],
  ["that no task gives", [task("sub", "comp-sub")], "", [lost(inSub, 'task "sub" does not give')]],
  [
    "that one of two tasks gives",
    [task("one", "comp-sub", given), task("two", "comp-sub")],
    "",
    [lost(inSub, 'task "two" does not give')],
  ],
  [
    "of the pipeline",
    [task("sub", "comp-sub", handOn)],
    `${optional}, `,
    [lost("/root/dag/tasks/sub/inputs/artifacts/d/componentInputArtifact", "no run can give")],
  ],
] as const)("an optional artifact %s", (_, tasks, root, wanted) => {
  expect(found(tasks, root)).toEqual(wanted);
});

test("the item of a loop is given", () => {
  const codes = found([task("sub", "comp-sub", item)]).map((one) => one.split(" ")[1]);
  expect(codes).not.toContain("optional-artifact-handed-on");
});

test("what is missing where it is required is told of there alone", () => {
  const codes = found([task("sub", "comp-sub")], "", sub.replace(", isOptional: true", ""));
  expect(codes.map((one) => one.split(" ")[1])).toEqual(["input-missing"]);
});

test.each([
  ["the first", "{d: {taskOutputArtifact: {producerTask: make, outputArtifactKey: o}}}", ["c"]],
  ["the second", "{c: {taskOutputArtifact: {producerTask: make, outputArtifactKey: o}}}", ["d"]],
  ["none", "{}", ["c", "d"]],
])("of two optional artifacts %s is given", (_, artifacts, missing) => {
  const two = `inputDefinitions: {artifacts: {d: {${dataset}, isOptional: true}, c: {${dataset}, isOptional: true}}}, dag: {tasks: {${task("use", "comp-use", handOn)}, ${task("more", "comp-use", handOn.replace("componentInputArtifact: d", "componentInputArtifact: c"))}}}`;
  const told = found([task("sub", "comp-sub", `inputs: {artifacts: ${artifacts}}`)], "", two);
  const names = told.map((one) => /the optional artifact "(.)"/.exec(one)?.[1]);
  expect(names.toSorted()).toEqual(missing);
});
