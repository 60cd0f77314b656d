import { ComponentSpec } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { buildExecutorInput } from "../index.js";

const inputs = { parameters: {}, artifacts: {}, defaulted: [] };
const artifactUri = (key: string): string => `gs://b/${key}`;
const old = (text: string) =>
  ({ value: { $case: "constantValue", value: { value: { $case: "stringValue", value: text } } } }) as const;

test.each([
  ["none at all", {}, undefined],
  ["declared ones", { metadata: { k: 1 } }, { k: 1 }],
  ["those of the oldest form", { properties: { k: old("p") } }, { k: "p" }],
  [
    "those of the old form",
    { customProperties: { k: { value: { $case: "constant", value: [1] } } } },
    { k: [1] },
  ],
  [
    "no value of a run",
    { properties: { k: { value: { $case: "runtimeParameter", value: "x" } } } },
    undefined,
  ],
  [
    "the newest of each name",
    {
      properties: { a: old("1"), b: old("1"), c: old("1") },
      customProperties: { b: old("2"), c: old("2") },
      metadata: { c: "3" },
    },
    { a: "1", b: "2", c: "3" },
  ],
] as const)("an output artifact begins with the metadata of its component: %s", (_, declared, metadata) => {
  const component = ComponentSpec.create({ outputDefinitions: { artifacts: { a: declared } } });
  const { outputs } = buildExecutorInput(component, inputs, { artifactUri });
  expect(outputs?.artifacts.a?.artifacts).toMatchObject([{ name: "a", uri: "gs://b/a", metadata }]);
});

test.each([
  ["artifactUri", "gs://b", "a function"],
  ["parameterFile", "/tmp/p", "a function"],
  ["outputFile", () => "/tmp/o", "a text"],
])("places whose %s is of another kind are refused by name", (name, value, wanted) => {
  const places = { artifactUri, [name]: value } as never;
  expect(() => buildExecutorInput(ComponentSpec.create(), inputs, places)).toThrow(
    `buildExecutorInput takes ${wanted} as its ${name}`,
  );
});

test("files stand where the back end has them, unless other places are given", () => {
  const component = ComponentSpec.create({ outputDefinitions: { parameters: { n: { parameterType: 2 } } } });
  const filesOf = (places: object) => {
    const { outputs } = buildExecutorInput(component, inputs, { artifactUri, ...places });
    return [outputs?.parameters.n?.outputFile, outputs?.outputFile];
  };
  expect(filesOf({})).toEqual(["/tmp/kfp/outputs/n", "/tmp/kfp_outputs/output_metadata.json"]);
  expect(filesOf({ parameterFile: (key: string) => `/p/${key}`, outputFile: "/o" })).toEqual(["/p/n", "/o"]);
});
