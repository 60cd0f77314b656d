import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";
import { container, k8s } from "./expect-findings.js";
import { told } from "./told.js";

// What is said of each of several kinds: types, volumes, paths, lifetimes and placeholders.

const of = (patch: string) => told(exampleText("patch", patch));
const constant = (value: string) => `{runtimeValue: {constant: ${value}}}`;

// biome-ignore format: a table
test.each([
  ["STRING", "string_value", ["number_value", "bool_value", "list_value", "struct_value"]],
  ["NUMBER_DOUBLE", "number_value", ["bool_value", "list_value", "struct_value"]],
  ["NUMBER_INTEGER", "number_value", ["bool_value", "list_value", "struct_value"]],
  ["BOOLEAN", "bool_value", ["number_value", "list_value", "struct_value"]],
  ["LIST", "list_value", ["number_value", "bool_value", "struct_value"]],
  ["STRUCT", "struct_value", ["number_value", "bool_value", "list_value"]],
] as const)("a value of type %s has its member %s set, and not %j", (type, member, unset) => {
  const selector = "string_value + string(number_value) + string(bool_value) + string(list_value[0]) + string(struct_value.a)";
  const lines = of(`root: {inputDefinitions: {parameters: {given: {parameterType: ${type}}}}, dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, componentInputParameter: given, parameterExpressionSelector: ${JSON.stringify(selector)}}}}}}}}`);
  const at = "/root/dag/tasks/train/inputs/parameters/label/parameterExpressionSelector";
  expect(lines).toEqual(unset.map((one) => `selector-member-unset at ${at}: ${one} is not set: the value is of type ${type} | use ${member} | see /root/inputDefinitions/parameters/given: declared here`));
});

const kinds = {
  secretAsVolume: ["a secret", `secretNameParameter: ${constant("app")}`],
  configMapAsVolume: ["a config map", `configMapNameParameter: ${constant("app")}`],
  pvcMount: ["a volume claim", "constant: app"],
  emptyDirMounts: ["an empty folder", "volumeName: app"],
  genericEphemeralVolume: [
    "a claim of its own",
    "volumeName: app, size: 1Gi, accessModes: [ReadWriteOnce], defaultStorageClass: true",
  ],
} as const;

test("a volume of two kinds is told by both", () => {
  const entries = Object.entries(kinds);
  for (const [list, [kind, fields]] of entries) {
    for (const [other, [otherKind, otherFields]] of entries.filter(([name]) => name !== list)) {
      const lines = of(
        k8s(`${list}: [{mountPath: /a, ${fields}}], ${other}: [{mountPath: /b, ${otherFields}}]`),
      );
      const words = lines.map((line) => /the volume "app" is (.*?) \|/.exec(line)?.[1]);
      expect([`${kind} and ${otherKind}`, `${otherKind} and ${kind}`]).toContain(words.join());
    }
  }
});

test.each([
  ["/gcs", true],
  ["/s3", true],
  ["/minio", true],
  ["/gs", false],
  ["/gcs/a", false],
])("secrets and config maps at %s are where the launcher writes: %j", (mountPath, isTold) => {
  for (const list of ["secretAsVolume", "configMapAsVolume"] as const) {
    const place = `/platforms/kubernetes/deploymentSpec/executors/exec-report/${list}/0/mountPath`;
    const line = `mount-path-read-only at ${place}: the launcher keeps artifacts in ${mountPath}, which cannot be written to here | mount it elsewhere`;
    expect(of(k8s(`${list}: [{${kinds[list][1]}, mountPath: ${mountPath}}]`))).toEqual(isTold ? [line] : []);
  }
  expect(of(k8s(`emptyDirMounts: [{volumeName: app, mountPath: ${mountPath}}]`))).toEqual([]);
});

test.each([
  "resourceTtlOnCompletion",
  "resourceTtlOnSuccess",
  "resourceTtlOnFailure",
  "activeDeadlineSeconds",
])("%s of a pipeline may be 0, and not less", (field) => {
  const lines = (seconds: number) =>
    of(`{}\n---\nplatforms: {kubernetes: {pipelineConfig: {${field}: ${seconds}}}}`);
  expect(lines(-1)).toEqual([
    `lifetime-negative at /platforms/kubernetes/pipelineConfig/${field}: ${field} cannot be negative | remove it, or write how many seconds`,
  ]);
  expect(lines(0).filter((line) => line.startsWith("lifetime-negative"))).toEqual([]);
});

test("what to do about a placeholder of what may be absent depends on what it is, and where", () => {
  const input = (kind: string, declaration: string) =>
    `components: {comp-report: {inputDefinitions: {${kind}: {extra: {isOptional: true, ${declaration}}}}}}\n`;
  const parameter = input("parameters", "parameterType: STRING");
  const artifact = input("artifacts", "artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}");
  const hints = (patch: string) =>
    validatePipeline(exampleText("patch", patch), { style: true })
      .problems.filter(({ code }) => code.endsWith("-unguarded"))
      .map(({ code, hint }) => `${code}: ${hint}`);
  expect(hints(parameter + container("args: [\"{{$.inputs.parameters['extra']}}\"]"))).toEqual([
    "optional-parameter-unguarded: put it into IfPresent, or give the input a default",
  ]);
  expect(hints(parameter + container("image: \"{{$.inputs.parameters['extra']}}\""))).toEqual([
    "optional-parameter-unguarded: supply it, or write the text here",
  ]);
  expect(hints(artifact + container("args: [\"{{$.inputs.artifacts['extra'].path}}\"]"))).toEqual([
    "optional-artifact-unguarded: put it into IfPresent",
  ]);
});

test.each([
  "Artifact",
  "ClassificationMetrics",
  "Dataset",
  "HTML",
  "Markdown",
  "Metrics",
  "Model",
  "SlicedClassificationMetrics",
])("there is the type system.%s, which is written with its namespace", (name) => {
  const titled = (title: string) =>
    of(
      `components: {comp-train: {outputDefinitions: {artifacts: {model: {artifactType: {schemaTitle: ${title}}}}}}}`,
    );
  const at = "/components/comp-train/outputDefinitions/artifacts/model/artifactType/schemaTitle";
  expect(titled(`system.${name}`)).toEqual([]);
  expect(titled(name)).toEqual([
    `schema-title-format at ${at}: the title "${name}" has no namespace | write system.${name}`,
  ]);
  expect(titled(`system.${name}x`)).toEqual([
    `schema-title-unknown at ${at}: there is no type "system.${name}x" | did you mean "system.${name}"?`,
  ]);
});

test("what needs a workspace is told where it does, a placeholder and an importer alike", () => {
  const importer = `
root: {dag: {tasks: {import: {taskInfo: {name: import}, componentRef: {name: comp-import}}}}}
components: {comp-import: {executorLabel: exec-import, outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}}}}}
deploymentSpec: {executors: {exec-report: {container: {args: ["{{$.workspace_path}}/a"]}}, exec-import: {importer: {typeSchema: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}, artifactUri: {constant: 'gs://a/b'}, downloadToWorkspace: true}}}}
`;
  const missing = (place: string) =>
    `workspace-missing at /deploymentSpec/executors/${place}: the pipeline has no workspace | set platforms.kubernetes.pipelineConfig.workspace.size`;
  const found = (platform: string) =>
    of(importer + platform)
      .filter((line) => line.startsWith("workspace-missing"))
      .sort();
  expect(found("")).toEqual([
    missing("exec-import/importer/downloadToWorkspace"),
    missing("exec-report/container/args/0"),
  ]);
  const config = "pipelineConfig: {workspace: {size: 1Gi}}";
  expect(found(`---\nplatforms: {kubernetes: {${config}}}`)).toEqual([]);
});
