import { describe, expect, test } from "vitest";
import { helloPipeline } from "../../test/recorded-world.js";
import { danglingComponent, parameterReason, specOfFile, whyNot } from "./stored-spec.js";

const stored = (text: string) => specOfFile(new TextEncoder().encode(text));
const found = stored(helloPipeline);
const hello = "spec" in found ? found.spec : expect.unreachable("it is a pipeline");
const unknown = "unknown template format";
const name =
  "pipeline's name must contain only lower case alphanumeric characters or '-' and must start with alphanumeric characters";
const named = (given: string) => ({ ...hello, pipelineInfo: { name: given } });

describe("of a file is kept", () => {
  test("its specification, with that of the platform where there is one", () => {
    expect(hello).toMatchObject({ pipelineInfo: { name: "hello" } });
    const platform = { platforms: { kubernetes: {} } };
    expect(stored(`${helloPipeline}\n---\n${JSON.stringify(platform)}\n`)).toEqual({
      spec: { pipeline_spec: hello, platform_spec: platform },
    });
    expect(stored(JSON.stringify(hello))).toEqual({ spec: hello });
  });

  test.each(["platforms: 5", "platforms: {kubernetes: {deploymentSpec: []}}", "5: 6"])(
    "nothing when that of the platform is none: %j",
    (text) => {
      expect(stored(`${helloPipeline}\n---\n${text}\n`)).toEqual({ reason: unknown });
    },
  );

  test("a workflow of version 1 as it is", () => {
    expect(stored("kind: Workflow\nspec: {a: 1}")).toEqual({ spec: { kind: "Workflow", spec: { a: 1 } } });
  });

  test.each(["", "a: [", "text", "- a", "a: 1\na: 2", "kind: Workflow\na: 1\na: 2"])("not %j", (text) => {
    expect(stored(text)).toEqual({ reason: unknown });
  });

  test.each(["{}", "kind: Other", "a: *b", "root: 5"])("not %j either", (text) => {
    expect(stored(text)).toEqual({ reason: unknown });
  });

  test("not what would be too much of it", () => {
    const bomb = ["a: &a [x, x]", ...Array.from({ length: 9 }, (_, i) => `b${i}: &b${i} [*a, *a, *a]`)];
    const layers = Array.from({ length: 60 }, (_, i) => `c${i}: [*b0, *b1, *b2, *b3]`);
    expect(stored([...bomb, ...layers].join("\n"))).toEqual({ reason: unknown });
  });

  test("not what the server does not know", () => {
    expect(stored(helloPipeline.replace(/schemaVersion: .*/, "schemaVersion: 2.0.0"))).toEqual({
      reason: "KFP only supports schema version 2.1.0, but the pipeline spec has version 2.0.0",
    });
    expect(stored(JSON.stringify(named("Hello")))).toEqual({ reason: name });
  });
});

describe("the name of a pipeline", () => {
  test.each(["a", "0", "a-", "a".repeat(128)])("may be %s", (given) => {
    expect([whyNot(named(given), true), whyNot(named(given), false)]).toEqual([undefined, undefined]);
  });

  test.each(["", "-a", "A", "a_b", "a b", "aB", "a".repeat(129)])("may not be %j in an upload", (given) => {
    expect([whyNot(named(given), true), whyNot(named(given), false)]).toEqual([name, undefined]);
  });

  test("has to be there", () => {
    expect(whyNot({ ...hello, pipelineInfo: undefined }, true)).toBe(name);
    expect(whyNot({}, false)).toBe(unknown);
  });
});

describe("a component that is not there is found", () => {
  const dag = (...names: unknown[]) => ({
    dag: { tasks: Object.fromEntries(names.map((one, at) => [`t${at}`, { componentRef: { name: one } }])) },
  });

  test.each<readonly [spec: object, missing: unknown]>([
    [{ root: dag("a"), components: { a: {} } }, undefined],
    [
      { root: dag("a", "b"), components: { a: {} } },
      { component: "root", missing: "b" },
    ],
    [
      { root: dag("a"), components: { a: dag("c") } },
      { component: "a", missing: "c" },
    ],
    [
      { root: dag("toString"), components: {} },
      { component: "root", missing: "toString" },
    ],
    [{ root: dag("a") }, { component: "root", missing: "a" }],
    [{ pipeline_spec: { root: dag("a"), components: { a: {} } } }, undefined],
    [
      { pipeline_spec: { root: dag("b") }, root: dag("a") },
      { component: "root", missing: "b" },
    ],
    [{ root: dag(5) }, undefined],
    [{ root: { dag: { tasks: { t: { componentRef: "a" } } } } }, undefined],
    [{ root: { dag: { tasks: { t: "a" } } } }, undefined],
    [{ root: { dag: { tasks: "a" } } }, undefined],
    [{ root: { dag: "a" }, components: "x" }, undefined],
    [{}, undefined],
  ])("in %j: %j", (spec, missing) => expect(danglingComponent({ ...spec })).toEqual(missing));
});

describe("parameters", () => {
  const declaring = (parameters: object) => ({ root: { inputDefinitions: { parameters } } });
  const typed = (parameterType: string) => declaring({ p: { parameterType } });
  const wrong = (word: string) =>
    `input parameter p requires type ${word}, but the input parameter is not of ${word} value type`;
  const values = {
    text: "x",
    integer: 1,
    fraction: 1.5,
    flag: true,
    list: [1],
    object: { a: 1 },
    none: null,
  };

  test.each<readonly [type: string, word: string, ...right: (keyof typeof values)[]]>([
    ["STRING", "string", "text"],
    ["NUMBER_INTEGER", "integer", "integer", "fraction"],
    ["NUMBER_DOUBLE", "double", "integer", "fraction"],
    ["BOOLEAN", "boolean", "flag"],
    ["LIST", "list", "list"],
    ["STRUCT", "struct", "object"],
  ])("of the type %s are of it, or refused", (type, word, ...right) => {
    for (const [kind, value] of Object.entries(values)) {
      const reason = parameterReason(typed(type), { p: value });
      expect([kind, reason]).toEqual([kind, right.some((one) => one === kind) ? undefined : wrong(word)]);
    }
  });

  test.each<readonly [spec: object, parameters: object, reason: string | undefined]>([
    [typed("TASK_FINAL_STATUS"), { p: 5 }, undefined],
    [{}, {}, undefined],
    [{ root: "x" }, { a: 1, b: 2 }, "parameter(s) provided are not required by pipeline: a, b"],
    [{ root: { inputDefinitions: { parameters: "x" } } }, {}, undefined],
    [declaring({ p: "x" }), { p: 1 }, undefined],
    [
      typed("STRING"),
      {},
      "parameter p is not optional, yet has neither default value nor user provided value",
    ],
    [
      declaring({ p: { isOptional: false } }),
      {},
      "parameter p is not optional, yet has neither default value nor user provided value",
    ],
    [declaring({ p: { isOptional: true } }), {}, undefined],
    [declaring({ p: { defaultValue: "" } }), {}, undefined],
    [{ pipeline_spec: typed("STRING"), root: {} }, { p: "x" }, undefined],
  ])("of %j may be %j: %s", (spec, parameters, reason) => {
    expect(parameterReason({ ...spec }, { ...parameters })).toBe(reason);
  });
});
