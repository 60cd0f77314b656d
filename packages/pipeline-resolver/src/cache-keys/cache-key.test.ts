import { createHash } from "node:crypto";
import {
  ComponentSpec,
  ExecutorInput,
  PipelineContainerSpec,
  RuntimeArtifact,
  sha256,
} from "@wye/pipeline-spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  buildExecutorInput,
  type CacheKeyParts,
  type CacheKeyRun,
  cacheKey,
  cacheKeyParts,
  compileCacheKey,
  explainCacheKey,
} from "../index.js";
import { goJson } from "./go-json.js";

const yaml =
  "title: kfp.Model\ntype: object\nproperties:\n  framework:\n    type: string\n  framework_version:\n    type: string\n";
const examples = [
  {
    of: { componentName: "my-component", cacheKey: "my-custom-cache-key" },
    key: "ad05e747b67b95e4fc4ce080cdb5850f89744360a85753b90a1a434d46dedd2e",
  },
  {
    of: { componentName: "other-component", cacheKey: "my-custom-cache-key" },
    key: "3b3a067cac2d9161742542c6afa8a1291699e27c637dd0d5d66cd8b2bdc5ab76",
  },
  {
    of: {
      containerSpec: { image: "python:3.11", cmdArgs: ["sh", "ec", "run"] },
      inputArtifactNames: { dataset: { artifactNames: ["10"] } },
      outputParametersSpec: { output_parameter: "DOUBLE" },
    },
    key: "3d9a2a778fa3174c6cfc6e639c507c265b5f21ef6e5b1dd70b236462cc6da464",
  },
  {
    of: {
      containerSpec: { cmdArgs: ["sh", "ec", "test"], image: "python:3.11" },
      inputArtifactNames: { dataset_one: { artifactNames: ["1"] }, dataset_two: { artifactNames: ["2"] } },
      inputParameterValues: { message: "Some string value", num_steps: 5 },
      outputArtifactsSpec: {
        metrics: { metadata: { name: "metrics" }, name: "metrics", type: { schemaTitle: "kfp.Metrics" } },
        model: { metadata: { name: "model" }, name: "model", type: { instanceSchema: yaml } },
      },
      outputParametersSpec: { output_parameter_one: "STRING", output_parameter_two: "INT" },
    },
    key: "b498530c9016917298999ec0b01f364a180f8a3862bea0fa672a383ca3f22e4e",
  },
] as const;

describe("keys equal those of the back end", () => {
  for (const { of, key } of examples) test(key, () => expect(cacheKey(of)).toBe(key));

  test("a custom key without a component is itself", () => {
    expect(cacheKey({ componentName: "", cacheKey: "k" })).toBe(sha256("k"));
  });
});

describe("the parts of a task", () => {
  const component = ComponentSpec.create({
    outputDefinitions: {
      parameters: { output_parameter_one: { parameterType: 3 }, output_parameter_two: { type: 1 } },
      artifacts: {
        metrics: {
          artifactType: { kind: { $case: "schemaTitle", value: "kfp.Metrics" } },
          metadata: { name: "metrics" },
        },
        model: {
          artifactType: { kind: { $case: "instanceSchema", value: yaml } },
          customProperties: {
            name: {
              value: { $case: "constantValue", value: { value: { $case: "stringValue", value: "model" } } },
            },
          },
        },
      },
    },
  });
  const container = PipelineContainerSpec.create({
    image: "python:3.11",
    command: ["sh", "ec"],
    args: ["test"],
  });
  const inputs = {
    parameters: { message: "Some string value", num_steps: 5, filled: "default" },
    artifacts: {
      dataset_one: { artifacts: [RuntimeArtifact.create({ name: "1" })] },
      dataset_two: { artifacts: [RuntimeArtifact.create({ name: "2" })] },
    },
    defaulted: ["filled"],
  };
  const executorInput = buildExecutorInput(component, inputs, {
    artifactUri: (key) => `minio://b/random/${key}`,
  });

  test("give the key of the back end", () => {
    const parts = cacheKeyParts({ component, container, inputs, executorInput });
    expect(parts).toEqual(examples[3].of);
    expect(cacheKey(parts)).toBe(examples[3].key);
  });

  test("claims are sorted and unique", () => {
    const { containerSpec } = cacheKeyParts({
      component,
      container,
      inputs,
      executorInput,
      claims: ["b", "a", "b"],
    });
    expect(containerSpec?.pvcNames).toEqual(["a", "b"]);
  });

  const withList = ComponentSpec.create({
    inputDefinitions: { artifacts: { d: { isArtifactList: true } } },
  });
  const plain = PipelineContainerSpec.create({ image: "a:1" });
  const nothingElse: CacheKeyRun = {
    inputs: { parameters: {}, artifacts: {}, defaulted: [] },
    executorInput: ExecutorInput.create(),
  };
  const fingerprintOf = (run: CacheKeyRun) => {
    const parts = cacheKeyParts({ component: withList, container: plain, ...run });
    // The compiled form takes other ways.
    expect(compileCacheKey(withList, plain)(run)).toBe(cacheKey(parts));
    return explainCacheKey(parts).fingerprint;
  };

  test("an input without artifacts has no names, as protobuf writes it", () => {
    const none = { parameters: {}, artifacts: { d: { artifacts: [] } }, defaulted: [] };
    expect(fingerprintOf({ inputs: none, executorInput: ExecutorInput.create() })).toBe(
      '{"containerSpec":{"image":"a:1"},"inputArtifactNames":{"d":{}}}',
    );
  });

  test("an output counts by name, type and metadata, and not without an artifact", () => {
    const nothing = { parameters: {}, artifacts: {}, defaulted: [] };
    const o = RuntimeArtifact.create({
      name: "o",
      uri: "minio://b/o",
      metadata: { k: 1 },
      customPath: "/tmp/o",
      customProperties: { p: { value: { $case: "intValue", value: "1" } } },
    });
    const outputs = { artifacts: { o: { artifacts: [o] }, none: { artifacts: [] } } };
    expect(fingerprintOf({ inputs: nothing, executorInput: ExecutorInput.create({ outputs }) })).toBe(
      '{"containerSpec":{"image":"a:1"},"outputArtifactsSpec":{"o":{"metadata":{"k":1},"name":"o"}}}',
    );
  });

  test("a task without anything depends on nothing", () => {
    const parts = cacheKeyParts({
      component: ComponentSpec.create(),
      container: PipelineContainerSpec.create(),
      inputs: { parameters: {}, artifacts: {}, defaulted: [] },
      executorInput: ExecutorInput.create(),
    });
    expect(parts).toEqual({});
    const bare = compileCacheKey(ComponentSpec.create(), PipelineContainerSpec.create());
    expect(bare(nothingElse)).toBe(sha256("{}"));
  });

  test("a task with nothing but a container depends on that, and on its claims", () => {
    const compiled = compileCacheKey(ComponentSpec.create(), plain);
    expect(compiled(nothingElse)).toBe(sha256('{"containerSpec":{"image":"a:1"}}'));
    expect(compiled({ ...nothingElse, claims: ["b", "a", "b"] })).toBe(
      sha256('{"containerSpec":{"image":"a:1","pvcNames":["a","b"]}}'),
    );
  });

  test("a task with nothing but outputs depends on those", () => {
    const nothing = PipelineContainerSpec.create();
    const parts = cacheKeyParts({ component, container: nothing, ...nothingElse });
    expect(parts).toEqual({ outputParametersSpec: examples[3].of.outputParametersSpec });
    expect(compileCacheKey(component, nothing)(nothingElse)).toBe(cacheKey(parts));
  });

  test("a type of an output that nobody knows is its number", () => {
    const odd = ComponentSpec.create({
      outputDefinitions: { parameters: { o: { parameterType: 99 as never } } },
    });
    const parts = cacheKeyParts({ component: odd, container: plain, ...nothingElse });
    expect(parts.outputParametersSpec).toEqual({ o: "99" });
  });

  test.each<[given: object, takes: string]>([
    [{ inputs: undefined }, "an object as its inputs"],
    [{ inputs: { parameters: {}, artifacts: {} } }, "a list as its inputs.defaulted"],
    [{ claims: "workspace" }, "a list as its claims"],
    [{ executorInput: undefined }, "an object as its executorInput"],
  ])("what is no run is refused by name: %j", (given, takes) => {
    const run = { ...nothingElse, ...given };
    const ways = {
      cacheKeyParts: () => cacheKeyParts({ component: withList, container: plain, ...run }),
      compileCacheKey: () => compileCacheKey(withList, plain)(run),
    };
    for (const [name, way] of Object.entries(ways)) expect(way).toThrow(`${name} takes ${takes}`);
  });

  test("what is no container is refused by name", () => {
    const container = { image: "a:1" } as never;
    expect(() => cacheKeyParts({ component, container, ...nothingElse })).toThrow(
      /cacheKeyParts .*container/,
    );
    expect(() => compileCacheKey(component, container)).toThrow(/compileCacheKey .*container/);
  });
});

test("an explanation names the parts and what has changed", () => {
  const now: CacheKeyParts = { inputParameterValues: { n: 2, "a/b": "x" }, containerSpec: { image: "i" } };
  const before: CacheKeyParts = {
    inputParameterValues: { n: 1, "a/b": "x" },
    outputParametersSpec: { o: "STRING" },
  };
  expect(explainCacheKey(now)).toEqual({
    key: cacheKey(now),
    fingerprint: '{"containerSpec":{"image":"i"},"inputParameterValues":{"a/b":"x","n":2}}',
    parts: [
      { path: "/inputParameterValues/n", json: "2", digest: sha256("2") },
      { path: "/inputParameterValues/a~1b", json: '"x"', digest: sha256('"x"') },
      { path: "/containerSpec/image", json: '"i"', digest: sha256('"i"') },
    ],
  });
  expect(explainCacheKey(now, before).changes).toEqual([
    { path: "/containerSpec/image", before: undefined, now: '"i"' },
    { path: "/inputParameterValues/n", before: "1", now: "2" },
    { path: "/outputParametersSpec/o", before: '"STRING"', now: undefined },
  ]);
  expect(explainCacheKey(now, now)).toEqual({ ...explainCacheKey(now), changes: [] });
  expect(explainCacheKey({ componentName: "c", cacheKey: "k" }).parts.map(({ path }) => path)).toEqual([
    "/componentName",
    "/cacheKey",
  ]);
  const odd = { containerSpec: null, inputParameterValues: {} } as never;
  expect(explainCacheKey(odd).parts).toMatchObject([{ path: "/containerSpec", json: "null" }]);
});

test("an explanation refuses to compare with what is no key", () => {
  expect(() => explainCacheKey({}, "k" as never)).toThrow("explainCacheKey takes an object as its previous");
});

describe("JSON as Go writes it", () => {
  const cases: readonly (readonly [value: unknown, json: string])[] = [
    [{ b: 1, a: [true, null, "x"] }, '{"a":[true,null,"x"],"b":1}'],
    [
      "<a href='x'>&\u2028\u2029\u007f\b\f\n\u0001",
      `"\\u003ca href='x'\\u003e\\u0026\\u2028\\u2029\u007f\\b\\f\\n\\u0001"`,
    ],
    [{ "\u{1f600}": 1, "\uffee": 2 }, '{"\uffee":2,"\u{1f600}":1}'],
    [[1, 1.5, 1e21, 1e-7, -0, 0], "[1,1.5,1e+21,1e-7,-0,0]"],
    ["\ud800", '"\ufffd"'],
    [{ a: undefined }, "{}"],
    [undefined, "null"],
  ];
  for (const [value, json] of cases) test(json, () => expect(goJson(value)).toBe(json));
});

test.each([
  ["lists", (value: unknown) => [value]],
  ["maps", (value: unknown) => ({ a: value })],
] as const)("1,000 %s may lie inside of each other, and no more", (_, around) => {
  const nested = (depth: number) => Array.from({ length: depth }).reduce<unknown>(around, 1);
  expect(goJson(nested(1_000)).length).toBeGreaterThan(2_000);
  expect(() => goJson(nested(1_001))).toThrow("a value of a cache key is nested deeper than 1000 levels");
});

test("SHA-256 equals the platform's for all texts and lengths", () => {
  for (let length = 0; length < 200; length++) {
    const text = "a".repeat(length);
    expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
  }
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
      expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
    }),
    { seed: 6, numRuns: 500 },
  );
});
