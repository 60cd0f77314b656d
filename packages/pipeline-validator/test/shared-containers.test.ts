import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

// The back end keeps components under a hash of their containers: of equal ones only the first is there.
const component = (inputs: string, more = "", label = "a") =>
  `{executorLabel: ${label}, inputDefinitions: {parameters: {${inputs}}}${more}}`;
const task = (name: string, component: string, input = "") =>
  `${name}: {taskInfo: {name: ${name}}, componentRef: {name: comp-${component}}, inputs: {parameters: {${input === "" ? "" : `${input}: {runtimeValue: {constant: 5}}`}}}}`;

const found = (components: Readonly<Record<string, string>>, tasks: readonly string[], other = "a:1") => {
  const listed = Object.entries(components).map(([name, text]) => `comp-${name}: ${text}`);
  const { problems } = validatePipeline(`pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {dag: {tasks: {${tasks.join(", ")}}}}
components: {${listed.join(", ")}}
deploymentSpec: {executors: {a: {container: {image: "a:1", command: [x], args: ["{{$}}"]}}, b: {container: {image: "${other}", command: [x], args: ["{{$}}"]}}}}
`);
  return problems
    .filter(({ code }) => code.startsWith("container-shared"))
    .map(({ severity, code, path, related }) => [`${severity} ${code}`, path, related?.[0]?.path]);
};

const rows = "rows: {parameterType: NUMBER_INTEGER}";
const rate = "rate: {parameterType: NUMBER_INTEGER}";
const warning = (path: string, first: string) => ["warning container-shared", path, first];

test("a component runs as the one with an equal container that comes first", () => {
  const both = { prepare: component(rows), train: component(rate, "", "b") };
  const tasks = [task("train", "train", "rate"), task("prepare", "prepare", "rows")];
  expect(found(both, tasks)).toEqual([
    ["error container-shared-input", "/root/dag/tasks/train", "/components/comp-prepare"],
    warning("/components/comp-train", "/components/comp-prepare"),
  ]);
  expect(found(both, tasks, "a:2")).toEqual([]);
  expect(found(both, [task("prepare", "prepare", "rows")])).toEqual([]);
});

test("a component that several tasks run is told of once", () => {
  const both = { prepare: component(rows), train: component(rows, ", outputDefinitions: {}", "b") };
  const other = { ...both, train: component(`${rows}, ${rate}`, "", "b") };
  const tasks = [task("a", "prepare", "rows"), task("b", "train", "rows"), task("c", "train", "rows")];
  expect(found(both, tasks)).toEqual([]);
  expect(found(other, tasks).filter(([code]) => code === "warning container-shared")).toEqual([
    warning("/components/comp-train", "/components/comp-prepare"),
  ]);
});

test("the first is found by the names of tasks, also below other components", () => {
  const both = {
    prepare: component(rows),
    train: component(rate),
    sub: `{dag: {tasks: {${task("z", "train", "rate")}}}}`,
  };
  const tasks = [task("a", "sub"), task("b", "prepare", "rows")];
  // The other executor may be equal or not: both components have the first.
  for (const image of ["a:1", "a:2"])
    expect(found(both, tasks, image).map(([, path]) => path)).toEqual([
      "/root/dag/tasks/b",
      "/components/comp-prepare",
    ]);
});

test("only what the back end looks at has to be the same", () => {
  const two = (one: string, other: string) =>
    found({ one: component(one), other: component(other, "", "b") }, [
      task("a", "one", "rows"),
      task("b", "other", "rows"),
    ]);
  expect(two(rows, rows)).toEqual([]);
  expect(two(rows, "rows: {parameterType: NUMBER_INTEGER, description: how many}")).toEqual([]);
  const given = (value: string) => `s: {parameterType: STRUCT, defaultValue: ${value}}`;
  expect(
    two(`${rows}, ${given("{a: 1, b: {c: 2, d: 3}}")}`, `${given("{b: {d: 3, c: 2}, a: 1}")}, ${rows}`),
  ).toEqual([]);
  expect(two(`${rows}, ${given("{a: [1, 2]}")}`, `${rows}, ${given("{a: [2, 1]}")}`)).toHaveLength(1);
  expect(
    two(
      "rows: {parameterType: NUMBER_INTEGER, defaultValue: 1}",
      "rows: {parameterType: NUMBER_INTEGER, defaultValue: 2}",
    ),
  ).toEqual([warning("/components/comp-other", "/components/comp-one")]);
  const called = (type: string) => `${rows}, description: {parameterType: ${type}}`;
  expect(two(called("STRING"), called("STRING"))).toEqual([]);
  for (const other of [called("STRUCT"), rows])
    expect(two(called("STRING"), other)).toContainEqual(
      warning("/components/comp-other", "/components/comp-one"),
    );
  const output = ", outputDefinitions: {parameters: {o: {parameterType: STRING}}}";
  expect(
    found({ one: component(rows), other: component(rows, output) }, [
      task("a", "one", "rows"),
      task("b", "other", "rows"),
    ]),
  ).toEqual([warning("/components/comp-other", "/components/comp-one")]);
});
