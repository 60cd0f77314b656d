import { ComponentSpec, type PartialMessage, PipelineTaskSpec, RuntimeArtifact } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import {
  collectIterations,
  type LoopIterations,
  type Resolved,
  resolveIterations,
  type TaskInputs,
} from "../index.js";

/** The inputs of all iterations. */
function allInputs(result: Resolved<LoopIterations>): readonly TaskInputs[] {
  const { count, inputsOf } = result.ok ? result.value : expect.unreachable(JSON.stringify(result.problems));
  return Array.from({ length: count }, (_, index) => inputsOf(index));
}

const artifact = (name: string): RuntimeArtifact => RuntimeArtifact.create({ name });
const component = ComponentSpec.create({
  inputDefinitions: {
    parameters: { text: { parameterType: 3 }, number: { parameterType: 2 }, any: {} },
    artifacts: { one: {} },
  },
});
const inputs = {
  parameters: {
    list: [1, { a: 2 }, "x"],
    json: '["a", 1.0]',
    object: '{"a":1}',
    broken: "[",
    n: 3,
    none: null,
  },
  artifacts: { many: { artifacts: [artifact("a"), artifact("b")] } },
  defaulted: [],
};
const over = (items: "raw" | "inputParameter", value: string, itemInput = "any"): PipelineTaskSpec =>
  PipelineTaskSpec.create({
    iterator: {
      $case: "parameterIterator",
      value: { items: { kind: { $case: items, value } }, itemInput },
    },
  });

describe("a loop goes over", () => {
  const cases = [
    { task: over("inputParameter", "list"), item: "any", wanted: [1, { a: 2 }, "x"] },
    { task: over("inputParameter", "list", "text"), item: "text", wanted: ["1", '{"a":2}', "x"] },
    { task: over("inputParameter", "json", "text"), item: "text", wanted: ["a", "1"] },
    { task: over("inputParameter", "object"), item: "any", wanted: [] },
    { task: over("raw", '[1, "b", [2]]'), item: "any", wanted: [1, "b", [2]] },
    { task: over("raw", "[\"<{{$.inputs.parameters['n']}}>\"]"), item: "any", wanted: ["<3>"] },
    { task: over("raw", "[]"), item: "any", wanted: [] },
  ];
  for (const { task, item, wanted } of cases) {
    test(`${JSON.stringify(task.iterator?.value.items)} into ${item}`, () => {
      const iterations = allInputs(resolveIterations(task, component, inputs));
      expect(iterations.map(({ parameters }) => parameters[item])).toEqual(wanted);
      // The list itself stays visible: bodies of loops refer to it.
      for (const { parameters, artifacts } of iterations) {
        expect(parameters).toMatchObject(inputs.parameters);
        expect(artifacts).toBe(inputs.artifacts);
      }
    });
  }

  test("artifacts, one by one", () => {
    const task = PipelineTaskSpec.create({
      iterator: { $case: "artifactIterator", value: { items: { inputArtifact: "many" }, itemInput: "one" } },
    });
    const iterations = allInputs(resolveIterations(task, component, inputs));
    expect(iterations.map(({ artifacts }) => artifacts.one?.artifacts[0]?.name)).toEqual(["a", "b"]);
  });

  test("an index that it has, and no other", () => {
    const result = resolveIterations(over("raw", "[1, 2]"), component, inputs);
    const { inputsOf } = result.ok ? result.value : expect.unreachable("it is a list");
    for (const index of [-1, 2, 0.5, Number.NaN]) expect(() => inputsOf(index)).toThrow(RangeError);
  });

  test("many items beside many inputs, of which none is copied before its iteration", () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`p${i}`, i]));
    const list = Array.from({ length: 200_000 }, (_, i) => i);
    // All copies at once would be 400 million entries.
    const result = resolveIterations(over("inputParameter", "list"), component, {
      ...inputs,
      parameters: { ...many, list },
    });
    const { count, inputsOf } = result.ok ? result.value : expect.unreachable("it is a list");
    expect(count).toBe(200_000);
    expect(inputsOf(199_999).parameters).toEqual({ ...many, list, any: 199_999 });
  });
});

describe("a loop cannot go over", () => {
  const artifacts = (value: PartialMessage<PipelineTaskSpec>["iterator"]): PipelineTaskSpec =>
    PipelineTaskSpec.create({ iterator: value });
  const cases = [
    { task: over("inputParameter", "n"), code: "items", path: "/parameterIterator/items/inputParameter" },
    { task: over("inputParameter", "none"), code: "items", path: "/parameterIterator/items/inputParameter" },
    {
      task: over("inputParameter", "broken"),
      code: "items",
      path: "/parameterIterator/items/inputParameter",
    },
    { task: over("inputParameter", "nope"), code: "items", path: "/parameterIterator/items/inputParameter" },
    { task: over("raw", "1 2"), code: "items", path: "/parameterIterator/items/raw" },
    {
      task: over("raw", "[\"{{$.inputs.parameters['x']}}\"]"),
      code: "placeholder",
      path: "/parameterIterator/items/raw",
    },
    { task: over("inputParameter", "list", "number"), code: "type", path: "/parameterIterator/items" },
    {
      task: artifacts({ $case: "parameterIterator", value: { itemInput: "any" } }),
      code: "no-source",
      path: "/parameterIterator/items",
    },
    {
      task: artifacts({
        $case: "artifactIterator",
        value: { items: { inputArtifact: "x" }, itemInput: "one" },
      }),
      code: "items",
      path: "/artifactIterator/items/inputArtifact",
    },
  ];
  for (const { task, code, path } of cases) {
    test(`${JSON.stringify(task.iterator?.value)} → ${code}`, () => {
      const result = resolveIterations(task, component, inputs);
      expect(result.ok).toBe(false);
      expect(result.problems[0]).toMatchObject({ code, path });
    });
  }

  test("nothing: a task without iterator is a mistake of the program", () => {
    expect(() => resolveIterations(PipelineTaskSpec.create(), component, inputs)).toThrow(TypeError);
  });

  test("doubtful integers, by the specification; otherwise they are remarked upon", () => {
    const task = over("raw", "[1.5]", "number");
    expect(resolveIterations(task, component, inputs, { profile: "spec" }).ok).toBe(false);
    expect(resolveIterations(task, component, inputs).problems).toMatchObject([
      { severity: "warning", code: "type" },
    ]);
  });
});

describe("the outputs of a loop", () => {
  const body = ComponentSpec.create({
    outputDefinitions: { parameters: { p: {}, never: {} }, artifacts: { m: {} } },
  });
  const made = (p: unknown, ...names: string[]) => ({
    parameters: p === undefined ? {} : { p, undeclared: 1 },
    artifacts: { m: { artifacts: names.map(artifact) } },
  });

  test("are lists in the order of the iterations, without those that made nothing", () => {
    const outputs = collectIterations(body, [made(1, "a"), made(undefined), made(3, "c")]);
    expect(outputs).toEqual({
      parameters: { p: [1, 3], never: [] },
      artifacts: { m: { artifacts: [artifact("a"), artifact("c")] } },
    });
  });

  test("nest for parameters and are flat for artifacts", () => {
    const inner = [
      collectIterations(body, [made(1, "a"), made(2, "b")]),
      collectIterations(body, [made(3, "c")]),
    ];
    const outer = collectIterations(body, inner);
    expect(outer.parameters.p).toEqual([[1, 2], [3]]);
    expect(outer.artifacts.m?.artifacts.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  test("are empty lists without iterations", () => {
    expect(collectIterations(body, [])).toEqual({
      parameters: { p: [], never: [] },
      artifacts: { m: { artifacts: [] } },
    });
  });
});
