import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type Profile, ruleCatalogue, validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";

// What is missing may be what a field of an unknown name was to say: then nothing is said of it but that name.

/** Objects with names of somebody's choice in place of fields. */
const map =
  /\/(?:tasks|components|executors|parameters|artifacts|outputArtifactQueries|labels|annotations|platforms|metadata|constant|defaultValue)$/;

/** With a field that nobody knows in every object, but for some. */
function withStrays(value: unknown, at: string, but: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withStrays(item, `${at}/${index}`, but));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([key, field]) => [key, withStrays(field, `${at}/${key}`, but)]);
  return Object.fromEntries(map.test(at) || but.has(at) ? fields : [...fields, ["zzz", 1]]);
}

/** The objects in which something is sought before it is said to be missing. */
function soughtIn(text: string, profile: Profile): readonly string[] {
  const documents = parseAllDocuments(text).map((document) => document.toJS());
  const found = new Set<string>();
  for (;;) {
    const strayed = documents.map((document) => JSON.stringify(withStrays(document, "", found)));
    const { unchecked } = validatePipeline(strayed.join("\n---\n"), { profile });
    // Only the first of the places where one thing is sought is told.
    const hiding = unchecked.filter(({ hidden }) => hidden > 0);
    if (hiding.length === 0) return [...found];
    for (const { path } of hiding) found.add(path.slice(0, path.lastIndexOf("/")));
  }
}

/** The rules about what is missing, and where it is sought in their examples. */
const rows: Readonly<Record<string, readonly string[]>> = {
  "pipeline-name-missing": ["/pipelineInfo"],
  "root-missing": [""],
  "root-artifact-required": ["/root/inputDefinitions/artifacts/data"],
  "implementation-missing": ["/components/comp-report"],
  "component-ref-missing": ["/root/dag/tasks/branch"],
  "dag-empty": ["/components/comp-branch/dag"],
  "component-unused": ["/components/comp-prepare", "/components/comp-train", "/components/comp-report"],
  "executor-unused": ["/root", "/components/comp-branch", "/components/comp-loop"],
  "input-missing": [
    "/root/dag/tasks/train/inputs",
    "/root/dag/tasks/train",
    "/components/comp-train/inputDefinitions/parameters/label",
  ],
  "input-source-missing": ["/root/dag/tasks/train/inputs/parameters/epochs"],
  "artifact-list-mismatch": ["/components/comp-prepare/outputDefinitions/artifacts/data"],
  "optional-feeds-required": ["/root/inputDefinitions/parameters/rows"],
  "optional-artifact-handed-on": ["/root/dag/tasks/branch/inputs"],
  "parameter-type-missing": ["/components/comp-train/inputDefinitions/parameters/epochs"],
  "dag-output-undeclared": ["/components/comp-loop"],
  "dag-output-unproduced": ["/components/comp-branch/dag"],
  "dag-output-source-missing": ["/components/comp-branch/dag/outputs/parameters/text"],
  "iterator-incomplete": ["/root/dag/tasks/loop/parameterIterator"],
  "iterator-policy-unused": ["/root/dag/tasks/train"],
  "iterator-items-unknown": ["/root/dag/tasks/loop"],
  "condition-optional-unguarded": [
    "/root/inputDefinitions/parameters/rows",
    "/components/comp-branch/inputDefinitions/parameters/rows",
  ],
  "cache-key-unused": ["/root/dag/tasks/train/cachingOptions"],
  "task-display-name-missing": ["/root/dag/tasks/train"],
  "strategy-without-upstream": [
    "/root/dag/tasks/say",
    "/root/dag/tasks/say/inputs",
    "/root/dag/tasks/say/inputs/parameters/message",
  ],
  "trigger-policy-empty": ["/root/dag/tasks/branch/triggerPolicy"],
  "final-status-strategy": ["/root/dag/tasks/train"],
  "container-shared-input": ["/components/comp-say/inputDefinitions"],
  "placeholder-unknown": ["/components/comp-report/inputDefinitions"],
  "workspace-missing": [""],
  "importer-output": ["/components/comp-import"],
  "artifact-type-missing": ["/components/comp-train/outputDefinitions/artifacts/model"],
  "platform-reference-order": ["/components/comp-body/dag/tasks/use"],
  // An object that is there is not what a field beside it was to be.
  "platform-name-missing": [],
  "platform-source-missing": [],
  "secret-keys-missing": [],
};

const rules = new Map(
  ruleCatalogue().flatMap((group) => group.rules.map((rule) => [rule.id, { ...group, ...rule }] as const)),
);
test.each(Object.entries(rows))("%s: what is missing is sought in %j", (id, places) => {
  const { exampleForm, examples, severity } = rules.get(id) ?? expect.unreachable();
  const text = exampleText(exampleForm, examples?.wrong ?? expect.unreachable());
  expect(soughtIn(text, severity.kfp === "off" ? "spec" : "kfp")).toEqual(places);
});

test("a setting without a name is told of, whatever is unknown at the top and around the settings", () => {
  const settings =
    "deploymentSpec: {executors: {exec-report: {imagePullSecret: [{}], imagePullPolicy: Always}}}";
  const text = exampleText("patch", `zzz: 1\n---\nplatforms: {kubernetes: {zzz: 1, ${settings}}}\n`);
  expect(validatePipeline(text).problems.map(({ code }) => code)).toEqual([
    "unknown-field",
    "unknown-field",
    "platform-name-missing",
  ]);
});

test("what is there and wrong is told, whatever is unknown beside it", () => {
  const affinity = "nodeAffinity: [{matchFields: [{key: spec.node, operator: In, values: [a], zzz: 1}]}]";
  const settings = `deploymentSpec: {executors: {exec-report: {${affinity}}}}`;
  const text = exampleText("patch", `{}\n---\nplatforms: {kubernetes: {${settings}}}\n`);
  expect(
    validatePipeline(text)
      .problems.map(({ code }) => code)
      .sort(),
  ).toEqual(["platform-field-unknown", "platform-value-invalid"]);
});

/** Rules about what is missing, and places of their examples where it may stand. */
// biome-ignore format: a table
const named: readonly (readonly [id: string, place: string])[] = [
  ["pipeline-name-missing", "/pipelineInfo/name"],
  ["root-artifact-required", "/root/inputDefinitions/artifacts/data/isOptional"],
  ["executor-unknown", "/deploymentSpec/executors/exec-reports"],
  ["component-ref-missing", "/root/dag/tasks/branch/componentRef/name"],
  ["component-unknown", "/components/comp-brunch"],
  ["dependent-task-unknown", "/root/dag/tasks/preprare"],
  ["producer-unknown", "/root/dag/tasks/prepar"],
  ["output-unknown", "/components/comp-prepare/outputDefinitions/parameters/labels"],
  ["parent-input-unknown", "/components/comp-branch/inputDefinitions/parameters/lable"],
  ["component-unused", "/root/dag/tasks/prepare/componentRef/name"],
  ["executor-unused", "/components/comp-prepare/executorLabel"],
  ["input-missing", "/root/dag/tasks/train/inputs/parameters/label"],
  ["input-missing", "/root/dag/tasks/train/parameterIterator/itemInput"],
  ["input-missing", "/root/dag/tasks/train/artifactIterator/itemInput"],
  ["input-missing", "/components/comp-train/inputDefinitions/parameters/label/isOptional"],
  ["artifact-list-mismatch", "/components/comp-prepare/outputDefinitions/artifacts/data/isArtifactList"],
  ["artifact-list-mismatch", "/components/comp-train/inputDefinitions/artifacts/data/isArtifactList"],
  ["optional-artifact-handed-on", "/root/dag/tasks/branch/inputs/artifacts/extra"],
  ["input-misspelt", "/components/comp-train/inputDefinitions/parameters/epoch"],
  ["input-misspelt", "/deploymentSpec/executors/exec-train/container/image"],
  ["input-undeclared", "/components/comp-train/inputDefinitions/parameters/colour"],
  ["input-undeclared", "/deploymentSpec/executors/exec-train/container/image"],
  ["dag-output-undeclared", "/components/comp-loop/outputDefinitions/parameters/text"],
  ["dag-output-unproduced", "/components/comp-branch/dag/outputs/parameters/text"],
  ["oneof-single", "/components/comp-branch/dag/outputs/parameters/text/valueFromOneof/parameterSelectors/1"],
  ["iterator-incomplete", "/root/dag/tasks/loop/parameterIterator/items"],
  ["iterator-item-undeclared", "/components/comp-loop/inputDefinitions/parameters/itme"],
  ["iterator-policy-unused", "/root/dag/tasks/train/parameterIterator"],
  ["iterator-policy-unused", "/root/dag/tasks/train/artifactIterator"],
  ["iterator-items-unknown", "/root/dag/tasks/loop/inputs/parameters/labels"],
  ["condition-input-unknown", "/root/dag/tasks/branch/inputs/parameters/labels"],
  ["condition-input-unknown", "/components/comp-branch/inputDefinitions/parameters/labels"],
  ["cache-key-unused", "/root/dag/tasks/train/cachingOptions/enableCache"],
  ["task-display-name-missing", "/root/dag/tasks/train/taskInfo/name"],
  ["strategy-without-upstream", "/root/dag/tasks/say/dependentTasks"],
  ["strategy-without-upstream", "/root/dag/tasks/say/inputs/parameters/message/runtimeValue"],
  ["trigger-policy-empty", "/root/dag/tasks/branch/triggerPolicy/condition"],
  ["image-missing", "/deploymentSpec/executors/exec-report/container/image"],
  ["command-missing", "/deploymentSpec/executors/exec-report/container/command"],
  ["command-missing", "/deploymentSpec/executors/exec-report/container/args"],
  ["env-name-missing", "/deploymentSpec/executors/exec-report/container/env/0/name"],
  ["accelerator-incomplete", "/deploymentSpec/executors/exec-report/container/resources/accelerator/resourceType"],
  ["accelerator-incomplete", "/deploymentSpec/executors/exec-report/container/resources/accelerator/type"],
  ["executor-input-missing", "/deploymentSpec/executors/exec-report/container/args"],
  ["output-unwritten", "/deploymentSpec/executors/exec-train/container/args/0"],
  ["output-unwritten", "/deploymentSpec/executors/exec-train/container/command/0"],
  ["placeholder-unknown", "/components/comp-report/inputDefinitions/parameters/mesage"],
  ["placeholder-unknown", "/components/comp-report/inputDefinitions/artifacts/mesage"],
  ["placeholder-unknown", "/components/comp-branch/dag/tasks/report/inputs/parameters/mesage"],
  ["placeholder-unknown", "/components/comp-loop/dag/tasks/report/inputs/parameters/mesage"],
  ["optional-parameter-unguarded", "/components/comp-branch/dag/tasks/report/inputs/parameters/extra"],
  ["optional-artifact-unguarded", "/components/comp-branch/dag/tasks/report/inputs/artifacts/extra"],
  ["importer-output", "/components/comp-import/outputDefinitions/artifacts"],
  ["importer-input-unknown", "/components/comp-import/inputDefinitions/parameters/url"],
  ["artifact-type-missing", "/components/comp-train/outputDefinitions/artifacts/model/artifactType"],
  ["platform-executor-unknown", "/deploymentSpec/executors/exec-reports"],
  ["platform-name-missing", "/platforms/kubernetes/deploymentSpec/executors/exec-report/imagePullSecret/0/secretNameParameter"],
  ["platform-name-missing", "/platforms/kubernetes/deploymentSpec/executors/exec-report/imagePullSecret/0/secretName"],
  ["platform-input-unknown", "/root/inputDefinitions/parameters/secret"],
  ["platform-source-missing", "/platforms/kubernetes/deploymentSpec/executors/exec-report/imagePullSecret/0/secretNameParameter/runtimeValue"],
  ["platform-source-missing", "/platforms/kubernetes/deploymentSpec/executors/exec-report/imagePullSecret/0/secretNameParameter/componentInputParameter"],
  ["platform-source-missing", "/platforms/kubernetes/deploymentSpec/executors/exec-report/imagePullSecret/0/secretNameParameter/taskOutputParameter"],
  ["secret-keys-missing", "/platforms/kubernetes/deploymentSpec/executors/exec-report/secretAsEnv/0/keyToEnv"],
  ["platform-reference-order", "/components/comp-body/dag/tasks/use/dependentTasks"],
  ["volume-deleted-early", "/components/comp-body/dag/tasks/drop/dependentTasks/0"],
  ["volume-claim-invalid", "/root/dag/tasks/claim/inputs/parameters/access_modes"],
  ["implementation-missing", "/components/comp-report/dag"],
  ["implementation-missing", "/components/comp-report/executorLabel"],
  ["root-missing", "/root"],
  ["resolver-output", "/components/comp-import/outputDefinitions/artifacts/artefact"],
  ["component-unknown", "/components"],
  ["executor-unknown", "/deploymentSpec/executors"],
  ["output-unknown", "/components/comp-prepare/outputDefinitions/parameters"],
  ["parent-input-unknown", "/components/comp-branch/inputDefinitions/parameters"],
  ["input-undeclared", "/components/comp-train/inputDefinitions/parameters"],
  ["input-undeclared", "/deploymentSpec/executors/exec-train/container/args"],
  ["input-misspelt", "/components/comp-train/inputDefinitions/parameters"],
  ["iterator-item-undeclared", "/components/comp-loop/inputDefinitions/parameters"],
  ["condition-input-unknown", "/root/dag/tasks/branch/inputs/parameters"],
  ["platform-input-unknown", "/root/inputDefinitions/parameters"],
  ["volume-deleted-early", "/components/comp-body/dag/tasks/drop/dependentTasks"],
];

/** The text with a number in one place, where nobody can read one. */
function withNumber(text: string, place: string): string {
  const documents = parseAllDocuments(text);
  const [first, second] = documents;
  (place.startsWith("/platforms/") ? second : first)?.setIn(place.split("/").slice(1), 5);
  return documents.map((document) => JSON.stringify(document.toJS())).join("\n---\n");
}

test.each(named)("%s: what is missing may stand in %s", (id, place) => {
  const { exampleForm, examples, severity } = rules.get(id) ?? expect.unreachable();
  const text = exampleText(exampleForm, examples?.wrong ?? expect.unreachable());
  const profile = severity.kfp === "off" ? "spec" : "kfp";
  const found = (changed: string) =>
    validatePipeline(changed, { profile, style: true }).problems.map(({ code }) => code);
  expect(found(text)).toContain(id);
  expect(found(withNumber(text, place))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:wrong|platform-field)-type$/)]),
  );
  expect(found(withNumber(text, place))).not.toContain(id);
});
