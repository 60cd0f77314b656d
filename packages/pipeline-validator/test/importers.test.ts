import { describe, expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

/** A pipeline in which the address of an importer comes down through two levels. */
interface Parts {
  /** What the root gives to the DAG. */
  readonly root?: string;
  /** What the DAG gives to the importer. */
  readonly inner?: string;
  /** The declaration of the DAG's input. */
  readonly dag?: string;
  /** The declaration of the importer's input. */
  readonly input?: string;
  readonly importer?: string;
  readonly title?: string;
}

const text = ({
  root = "{runtimeValue: {constant: 'gs://b/x'}}",
  inner = "{componentInputParameter: where}",
  dag = "{parameterType: STRING}",
  input = "{parameterType: STRING}",
  importer = "{runtimeParameter: uri}",
  title = "system.Dataset",
}: Parts): string => `pipelineInfo: {name: a}
schemaVersion: 2.1.0
root:
  inputDefinitions: {parameters: {given: {parameterType: STRING, defaultValue: b/x}}}
  dag: {tasks: {outer: {taskInfo: {name: outer}, componentRef: {name: comp-outer}, inputs: {parameters: {${root === "" ? "" : `where: ${root}`}}}}}}
components:
  comp-outer:
    inputDefinitions: {parameters: {where: ${dag}}}
    dag: {tasks: {imp: {taskInfo: {name: imp}, componentRef: {name: comp-imp}, inputs: {parameters: {${inner === "" ? "" : `uri: ${inner}`}}}}}}
  comp-imp:
    executorLabel: e
    inputDefinitions: {parameters: {uri: ${input}}}
    outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: ${title}, schemaVersion: 0.0.1}}}}
deploymentSpec:
  executors: {e: {importer: {artifactUri: ${importer}, typeSchema: {schemaTitle: ${title}, schemaVersion: 0.0.1}}}}
`;

const found = (parts: Parts) =>
  validatePipeline(text(parts)).problems.map(({ code, path, range }) => [
    code,
    path,
    text(parts).slice(range?.start.offset, range?.end.offset),
  ]);
const constant = (value: string) => `{runtimeValue: {constant: ${value}}}`;
const optional = "{parameterType: STRING, isOptional: true, defaultValue: b/x}";
const own = "/components/comp-outer/dag/tasks/imp/inputs/parameters/uri/runtimeValue/constant";
const outer = "/root/dag/tasks/outer/inputs/parameters/where/runtimeValue/constant";

const rows: readonly (readonly [name: string, parts: Parts, ...problems: readonly (readonly string[])[]])[] =
  [
    ["a constant with a scheme, through a DAG", {}],
    ["a constant with a scheme, from its own task", { inner: constant("s3://b/x") }],
    ["a constant without scheme", { inner: constant("b/x") }, ["importer-uri-scheme", own, "b/x"]],
    ["an empty constant", { inner: constant("''") }, ["importer-uri-missing", own, "''"]],
    [
      "a constant without scheme, through a DAG",
      { root: constant("b/x") },
      ["importer-uri-scheme", outer, "b/x"],
    ],
    ["an empty constant, through a DAG", { root: constant("''") }, ["importer-uri-missing", outer, "''"]],
    [
      "a number",
      { importer: "{constant: 5}" },
      ["importer-uri-missing", "/deploymentSpec/executors/e/importer/artifactUri/constant", "5"],
    ],
    ["a constant with a placeholder", { inner: constant("\"{{$.inputs.parameters['uri']}}\"") }],
    [
      "the part that a selector takes",
      {
        root: `${constant("'[\"gs://b/x\"]'").slice(0, -1)}, parameterExpressionSelector: 'parseJson(string_value)[0]'}`,
      },
    ],
    ["an address in a registry", { inner: constant("oci://r/x"), title: "system.Model" }],
    [
      "an address in a registry for data",
      { inner: constant("oci://r/x") },
      ["importer-uri-scheme", own, "oci://r/x"],
    ],
    ["what the run is given, whatever the default", { root: "{componentInputParameter: given}" }],
    [
      "the default of a DAG",
      { root: "", dag: "{parameterType: STRING, defaultValue: b/x}" },
      ["importer-uri-scheme", "/components/comp-outer/inputDefinitions/parameters/where/defaultValue", "b/x"],
    ],
    [
      "nothing, where a DAG has no default",
      { root: "" },
      ["input-missing", "/root/dag/tasks/outer/inputs", "inputs"],
    ],
    [
      "the default of a DAG that its task does not need",
      { dag: "{parameterType: STRING, defaultValue: b/x}" },
    ],
    [
      "the default of an importer",
      { inner: "", input: optional },
      ["importer-input-unknown", "/components/comp-outer/dag/tasks/imp/inputs", "inputs"],
    ],
    ...["isOptional: true", "defaultValue: b/x"].map((way): readonly [string, Parts, readonly string[]] => [
      `nothing for an importer that is declared with ${way}`,
      { inner: "", input: `{parameterType: STRING, ${way}}` },
      ["importer-input-unknown", "/components/comp-outer/dag/tasks/imp/inputs", "inputs"],
    ]),
    [
      "a default of an importer that its task does not need",
      { inner: constant("gs://b/y"), input: optional },
    ],
  ];

describe("the address of an importer is", () => {
  for (const [name, parts, ...problems] of rows) {
    test(name, () => expect(found(parts)).toEqual(problems));
  }

  test("told once, with the importers that take it", () => {
    const { problems } = validatePipeline(text({ root: constant("b/x") }));
    expect(problems).toMatchObject([
      { related: [{ path: "/deploymentSpec/executors/e/importer/artifactUri/runtimeParameter" }] },
    ]);
  });

  test("looked at for each importer that takes it, models and others", () => {
    const model = text({ root: constant("oci://r/x"), title: "system.Model" });
    const both = model
      .replace(
        "imp: {taskInfo: {name: imp}",
        "two: {taskInfo: {name: two}, componentRef: {name: comp-two}, inputs: {parameters: {uri: {componentInputParameter: where}}}}, imp: {taskInfo: {name: imp}",
      )
      .replace(
        "  comp-imp:\n",
        "  comp-two: {executorLabel: f, inputDefinitions: {parameters: {uri: {parameterType: STRING}}}, outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}}}}\n  comp-imp:\n",
      )
      .concat(
        "    f: {importer: {artifactUri: {runtimeParameter: uri}, typeSchema: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}}\n",
      )
      .replace("executors: {e: {importer", "executors:\n    e: {importer")
      .replace(/0\.0\.1\}\}\}\}\n {4}f:/, "0.0.1}}}\n    f:");
    expect(validatePipeline(model).problems).toEqual([]);
    expect(validatePipeline(both).problems).toMatchObject([
      { code: "importer-uri-scheme", path: outer, message: expect.stringContaining("system.Dataset") },
    ]);
  });

  test("followed once through what is there once, also in a circle", () => {
    const again =
      "again: {taskInfo: {name: again}, componentRef: {name: comp-outer}, inputs: {parameters: {where: {componentInputParameter: where}}}}";
    const circle = text({ root: constant("b/x") }).replace("imp: {taskInfo", `${again}, imp: {taskInfo`);
    const codes = validatePipeline(circle).problems.map(({ code }) => code);
    expect(codes.filter((code) => code === "importer-uri-scheme")).toHaveLength(1);
    expect(codes).toContain("component-cycle");
    const twice = text({ root: constant("b/x") }).replace(
      "imp: {taskInfo",
      "two: {taskInfo: {name: two}, componentRef: {name: comp-imp}, inputs: {parameters: {uri: {componentInputParameter: where}}}}, imp: {taskInfo",
    );
    expect(validatePipeline(twice).problems.map(({ code }) => code)).toEqual(["importer-uri-scheme"]);
  });

  test("the item of a loop, which is not looked at", () => {
    const loop = text({ root: "" }).replace(
      "componentRef: {name: comp-outer}",
      "componentRef: {name: comp-outer}, parameterIterator: {itemInput: where, items: {raw: '[\"gs://b/x\"]'}}",
    );
    expect(validatePipeline(loop).problems).toEqual([]);
  });

  test("the default of the document under the profile spec", () => {
    const { problems } = validatePipeline(text({ inner: "", input: optional }), { profile: "spec" });
    expect(problems.map(({ code }) => code)).not.toContain("importer-input-unknown");
  });
});
