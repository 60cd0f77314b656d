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
    expect(iterations.map(({ artifacts }) => artifacts)).toEqual(
      ["a", "b"].map((name) => ({ ...inputs.artifacts, one: { artifacts: [artifact(name)] } })),
    );
    for (const { parameters } of iterations) expect(parameters).toBe(inputs.parameters);
  });

  test("items that name artifacts and facts about the run", () => {
    const task = over("raw", `["{{$.inputs.artifacts['many'].name}} of {{$.pipeline_job_name}}"]`);
    const result = resolveIterations(task, component, inputs, { facts: { pipeline_job_name: "job" } });
    expect(allInputs(result).map(({ parameters }) => parameters.any)).toEqual(["a of job"]);
  });

  test("no items that are too large together", () => {
    const task = over("raw", JSON.stringify(Array(33).fill("- {{$.inputs.parameters['big']}}")));
    const parameters = { big: "x".repeat(2 ** 20) };
    expect(resolveIterations(task, component, { ...inputs, parameters })).toMatchObject({
      ok: false,
      problems: [{ code: "placeholder", path: "/parameterIterator/items/raw" }],
    });
  });

  test("an index that it has, and no other", () => {
    const result = resolveIterations(over("raw", "[1, 2]"), component, inputs);
    const { inputsOf } = result.ok ? result.value : expect.unreachable("it is a list");
    for (const index of [-1, 2, 0.5, Number.NaN]) {
      const message = `the loop has no iteration ${index}: it has 2`;
      expect(() => inputsOf(index)).toThrow(new RangeError(message));
    }
    expect([0, 1].map((index) => inputsOf(index).parameters.any)).toEqual([1, 2]);
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
  const input = "parameterIterator/items/inputParameter";
  const text = "a loop goes over a list, or a text that holds one as JSON: ";
  const absent = (name: string) => `the loop goes over the input ${name}, which has no value`;
  const other = (kind: string) => `a loop goes over a list, got ${kind}`;
  const artifacts = (value: PartialMessage<PipelineTaskSpec>["iterator"]): PipelineTaskSpec =>
    PipelineTaskSpec.create({ iterator: value });
  const gone = artifacts({
    $case: "artifactIterator",
    value: { items: { inputArtifact: "x" }, itemInput: "one" },
  });
  const nameless = artifacts({ $case: "artifactIterator", value: { itemInput: "one" } });
  const nothing = artifacts({ $case: "parameterIterator", value: { itemInput: "any" } });
  const rows: readonly (readonly [task: PipelineTaskSpec, code: string, path: string, message: string])[] = [
    [over("inputParameter", "n"), "items", input, other("number")],
    [over("inputParameter", "none"), "items", input, other("null")],
    [over("inputParameter", "struct"), "items", input, other("struct")],
    [over("inputParameter", "broken"), "items", input, `${text}Unexpected end of JSON input`],
    [over("inputParameter", "nope"), "items", input, absent("nope")],
    [over("inputParameter", "toString"), "items", input, absent("toString")],
    [
      over("raw", "[1e400]"),
      "items",
      "parameterIterator/items/raw",
      `${text}a number in it is beyond all bounds`,
    ],
    [
      over("raw", "[\"{{$.inputs.parameters['x']}}\"]"),
      "placeholder",
      "parameterIterator/items/raw",
      "there is no input parameter x",
    ],
    [
      over("inputParameter", "text", "number"),
      "type",
      "parameterIterator/items",
      "item 1 of the loop: expected number for type NUMBER_INTEGER, got string",
    ],
    [nothing, "no-source", "parameterIterator/items", "nothing says what the loop goes over"],
    [
      gone,
      "items",
      "artifactIterator/items/inputArtifact",
      "the loop goes over the input artifact x, which is not there",
    ],
    [
      nameless,
      "items",
      "artifactIterator/items/inputArtifact",
      "the loop goes over the input artifact , which is not there",
    ],
  ];
  test.each(rows)("what is none: %j → %s at %s", (task, code, path, message) => {
    const parameters = { ...inputs.parameters, struct: {}, text: '[1, "a"]' };
    expect(resolveIterations(task, component, { ...inputs, parameters })).toEqual({
      ok: false,
      problems: [{ code, severity: "error", path: `/${path}`, message }],
    });
  });

  test("items that are wrong, each of which is told", () => {
    const result = resolveIterations(over("raw", '["a", 1, null]', "number"), component, inputs);
    expect(result.problems.map(({ message }) => message)).toEqual([
      "item 0 of the loop: expected number for type NUMBER_INTEGER, got string",
      "item 2 of the loop: expected number for type NUMBER_INTEGER, got null",
    ]);
  });

  test("nothing: a task without iterator is a mistake of the program", () => {
    const call = () => resolveIterations(PipelineTaskSpec.create(), component, inputs);
    expect(call).toThrow(new TypeError("resolveIterations takes a task with an iterator"));
  });

  test("doubtful integers, by the specification; otherwise they are remarked upon", () => {
    const task = over("raw", "[1, 1.5]", "number");
    const problem = {
      code: "type",
      path: "/parameterIterator/items",
      message: "item 1 of the loop: expected an integer, got 1.5",
    };
    expect(resolveIterations(task, component, inputs, { profile: "spec" })).toEqual({
      ok: false,
      problems: [{ ...problem, severity: "error" }],
    });
    const result = resolveIterations(task, component, inputs);
    expect(result.problems).toEqual([{ ...problem, severity: "warning" }]);
    expect(allInputs(result).map(({ parameters }) => parameters.number)).toEqual([1, 1.5]);
  });
});

describe("the outputs of a loop", () => {
  const body = ComponentSpec.create({
    outputDefinitions: { parameters: { p: {}, never: {} }, artifacts: { m: {} } },
  });
  const inherited = ComponentSpec.create({
    outputDefinitions: { parameters: { toString: {} }, artifacts: { valueOf: {} } },
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

  test("are empty lists under the names that every object has", () => {
    expect(collectIterations(inherited, [made(1, "a")])).toEqual({
      parameters: { toString: [] },
      artifacts: { valueOf: { artifacts: [] } },
    });
  });

  test("are empty lists without iterations", () => {
    expect(collectIterations(body, [])).toEqual({
      parameters: { p: [], never: [] },
      artifacts: { m: { artifacts: [] } },
    });
  });
});

test("the item of a loop takes the place of an input of its name", () => {
  const named = resolveIterations(over("raw", '["x", "y"]', "n"), component, inputs);
  expect(allInputs(named).map(({ parameters }) => parameters.n)).toEqual(["x", "y"]);
});

test.each(["toString", "constructor"])("an item cannot ask for an input %s that nobody gave", (name) => {
  const asked = resolveIterations(
    over("raw", JSON.stringify([`{{$.inputs.parameters['${name}']}}`])),
    component,
    inputs,
  );
  expect(asked.problems.map(({ message }) => message)).toEqual([`there is no input parameter ${name}`]);
});

test("an item may ask for inputs behind what is known of the run", () => {
  const text = "{{$.pipeline_job_name}}: {{$.inputs.parameters['n']}}";
  const asked = resolveIterations(over("raw", JSON.stringify([text])), component, inputs, {
    facts: { pipeline_job_name: "nightly" },
  });
  expect(allInputs(asked).map(({ parameters }) => parameters.any)).toEqual(["nightly: 3"]);
});
