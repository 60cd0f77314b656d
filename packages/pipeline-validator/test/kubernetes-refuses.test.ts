import { describe, expect, test } from "vitest";
import { type ValidateOptions, validatePipeline } from "../src/index.js";

// What the driver of the back end, Argo or Kubernetes refuses, beside what is all but the same and works.

const found = (text: string, options?: ValidateOptions): readonly string[] =>
  validatePipeline(text, { parse: { deprecations: false }, ...options })
    .problems.map(({ severity, code }) => `${severity} ${code}`)
    .filter((one) => !one.includes("unused") && !one.includes("undeclared"));

const constant = (value: string): string => `{runtimeValue: {constant: ${value}}}`;
const onKubernetes = (settings: string, config = ""): string => `pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {dag: {tasks: {t: {taskInfo: {name: t}, componentRef: {name: comp-c}}}}}
components: {comp-c: {executorLabel: e}}
deploymentSpec: {executors: {e: {container: {image: 'a:1', command: [b]}}}}
---
platforms: {kubernetes: {${config}deploymentSpec: {executors: {e: {${settings}}}}}}
`;
const secretVolume = (name: string) =>
  `secretAsVolume: [{secretNameParameter: ${constant(name)}, mountPath: /s}]`;
const claimVolume = (name: string) => `pvcMount: [{pvcNameParameter: ${constant(name)}, mountPath: /d}]`;
const secretVariable = (name: string, key = "k") =>
  `secretAsEnv: [{secretNameParameter: ${constant(name)}, keyToEnv: [{secretKey: '${key}', envVar: A}]}]`;
const ephemeral = (more: string) => `genericEphemeralVolume: [{mountPath: /e, ${more}}]`;
const affinity = (one: string, of = "Expressions") => `nodeAffinity: [{match${of}: [{${one}}]}]`;
const initMounts = (one: string, other: string) =>
  `emptyDirMounts: [{volumeName: a, mountPath: /x}, {volumeName: b, mountPath: /y}], initContainers: [{name: i, image: 'a:1', volumeMounts: [{volumeName: a, mountPath: ${one}}, {volumeName: b, mountPath: ${other}}]}]`;
const once = "accessModes: [ReadWriteOnce], defaultStorageClass: true";
const long = (length: number) => "d".repeat(length);

const name = "error kubernetes-name-invalid";
const ignored = "warning platform-setting-ignored";
const value = "error platform-value-invalid";
const type = "error platform-source-type";
const missing = "error platform-source-missing";
const label = "error label-invalid";
const rows: readonly (readonly [settings: string, found: readonly string[]])[] = [
  // The back end calls a volume like the object in it.
  [`configMapAsVolume: [{configMapNameParameter: ${constant("kube-root-ca.crt")}, mountPath: /ca}]`, [name]],
  [secretVolume("my.secret"), [name]],
  [claimVolume("data.v1"), [name]],
  [claimVolume(long(64)), [name]],
  [claimVolume(long(63)), []],
  [secretVariable("my.secret"), []],
  [secretVariable(long(253)), []],
  [secretVariable(long(254)), [name]],
  [secretVolume("'{{$.inputs.parameters[''x'']}}'"), ["warning placeholder-unsupported"]],
  [secretVolume("'{{$.pipeline_job_name}}'"), []],
  // The old fields for names count where the new one is not.
  ["secretAsVolume: [{secretName: My_Secret, mountPath: /s}]", [name]],
  ["secretAsVolume: [{secretName: my-secret, mountPath: /s}]", []],
  ["pvcMount: [{constant: My_Claim, mountPath: /d}]", [name]],
  [
    `secretAsVolume: [{secretName: My_Secret, secretNameParameter: ${constant("s")}, mountPath: /s}]`,
    [ignored],
  ],
  // Between two dots there is something.
  [secretVariable("a..b"), [name]],
  [secretVariable("a.b"), []],
  [secretVariable("a", ".."), [value]],
  [secretVariable("a", "..data"), [value]],
  [secretVariable("a", ".npmrc"), []],
  ["podMetadata: {labels: {a..b/c: d}}", [label]],
  ["podMetadata: {labels: {a-.b/c: d}}", [label]],
  ["podMetadata: {labels: {a.b/c: d}}", []],
  // Volumes of one name become one.
  [
    `${secretVolume("app")}, configMapAsVolume: [{configMapNameParameter: ${constant("app")}, mountPath: /b}]`,
    ["error volume-repeated"],
  ],
  [`${secretVolume("app")}, emptyDirMounts: [{volumeName: app, mountPath: /b}]`, ["error volume-repeated"]],
  [
    `${secretVolume("app")}, configMapAsVolume: [{configMapNameParameter: ${constant("other")}, mountPath: /b}]`,
    [],
  ],
  [secretVolume("gcs-scratch"), ["error volume-repeated"]],
  ["emptyDirMounts: [{volumeName: kfp-launcher, mountPath: /e}]", []],
  ["emptyDirMounts: [{volumeName: a, mountPath: /a}, {volumeName: a, mountPath: /b}]", []],
  [
    "emptyDirMounts: [{volumeName: a, mountPath: /a}, {volumeName: a, mountPath: /b, sizeLimit: 1Gi}]",
    ["warning volume-merged"],
  ],
  // Volumes over those of the back end.
  ["emptyDirMounts: [{volumeName: v, mountPath: /kfp-launcher}]", ["error mount-path-taken"]],
  ["pvcMount: [{constant: c, mountPath: /}]", ["error mount-path-taken"]],
  ["emptyDirMounts: [{volumeName: v, mountPath: /kfp-launchers}]", []],
  [secretVolume("app").replace("/s}", "/gcs}"), ["warning mount-path-read-only"]],
  ["pvcMount: [{constant: c, mountPath: /gcs}]", []],
  // What pods want of nodes.
  [affinity("key: a, operator: In, values: [b]"), []],
  [affinity("operator: In, values: [b]"), [value]],
  [affinity("key: a b, operator: Exists"), [value]],
  [affinity("key: a, values: [b]"), [value]],
  [affinity("key: a, operator: Within, values: [b]"), [value]],
  [affinity("key: a, operator: Gt, values: [b]"), [value]],
  [affinity("key: metadata.name, operator: In, values: [n]", "Fields"), []],
  [affinity("key: metadata.labels, operator: In, values: [n]", "Fields"), [value]],
  [affinity("key: metadata.name, operator: Exists", "Fields"), [value]],
  [affinity("key: metadata.name, operator: In, values: [a, b]", "Fields"), [value]],
  [`nodeAffinity: [{nodeAffinityJson: ${constant("{}")}, matchFields: [{key: a}]}]`, [ignored]],
  ["podAffinity: [{matchPodLabels: {a: b}}]", ["warning platform-setting-ignored"]],
  ["enabledSharedMemory: {volumeName: s, size: lots}", ["warning platform-setting-ignored"]],
  // Numbers.
  ["securityContext: {runAsUser: -1}", [value]],
  ["securityContext: {runAsUser: '2147483647', runAsGroup: 0}", []],
  ["securityContext: {runAsUser: '2147483648'}", [value]],
  ["securityContext: {runAsGroup: -5}", [value]],
  ["activeDeadlineSeconds: '2147483647'", []],
  ["activeDeadlineSeconds: '2147483648'", [value]],
  ["activeDeadlineSeconds: -1", ["warning lifetime-negative"]],
  // Values from elsewhere.
  [secretVolume("''"), [type]],
  [claimVolume("''"), [type]],
  ["secretAsVolume: [{secretNameParameter: {}, mountPath: /a}]", [missing]],
  ["secretAsVolume: [{secretNameParameter: {runtimeValue: {}}, mountPath: /a}]", [missing]],
  ["tolerations: [{tolerationJson: {}}]", [missing]],
  [`tolerations: [{tolerationJson: ${constant("5")}}]`, [type]],
  [`tolerations: [{tolerationJson: ${constant("'{}'")}}]`, [type]],
  [`tolerations: [{tolerationJson: ${constant("{key: a, operator: Exists}")}}]`, []],
  [`tolerations: [{tolerationJson: ${constant("[{key: a, operator: Exists}]")}}]`, []],
  [`nodeSelector: {nodeSelectorJson: ${constant("[a]")}}`, [type]],
  [`nodeSelector: {nodeSelectorJson: ${constant("{a: 5}")}}`, [type]],
  [`nodeSelector: {nodeSelectorJson: ${constant("{a b: c}")}}`, [type]],
  [`nodeSelector: {nodeSelectorJson: ${constant("{a: b}")}}`, []],
  [`nodeAffinity: [{nodeAffinityJson: ${constant("x")}}]`, [type]],
  [`nodeAffinity: [{nodeAffinityJson: ${constant("{}")}}]`, []],
  // Containers beside those of the back end.
  ["initContainers: [{name: main, image: 'a:1'}]", [value]],
  ["initContainers: [{name: kfp-launcher, image: 'a:1'}]", [value]],
  ["initContainers: [{name: wait, image: 'a:1'}]", [value]],
  ["initContainers: [{name: mains, image: 'a:1'}]", []],
  [initMounts("/q", "/q"), [value]],
  [initMounts("/q", "/r"), []],
  // Claims of their own.
  [ephemeral(`volumeName: v, ${once}, size: 1Gi`), []],
  [ephemeral(`volumeName: v, ${once}`), [value]],
  [ephemeral(`volumeName: v, ${once}, size: '0'`), [value]],
  [ephemeral(`${once}, size: 1Gi`), [value]],
  [ephemeral("volumeName: v, accessModes: [ReadWriteOnce], storageClassName: Fast_SSD, size: 1Gi"), [value]],
  [ephemeral("volumeName: v, accessModes: [ReadWriteOnce], storageClassName: fast-ssd, size: 1Gi"), []],
  [ephemeral("volumeName: v, accessModes: [ReadWriteOncePod, ReadWriteMany], size: 1Gi"), [value]],
  [ephemeral("volumeName: v, accessModes: [ReadWriteOncePod], size: 1Gi"), []],
  ["emptyDirMounts: [{mountPath: /e}]", [value]],
];
describe("settings of Kubernetes:", () => {
  test.each(rows)("%s", (settings, wanted) => expect(found(onKubernetes(settings))).toEqual(wanted));

  test("how the back end calls volumes is not in the document", () => {
    expect(found(onKubernetes(secretVolume("my.secret")), { profile: "spec" })).toEqual([]);
  });
});

const workspaces: readonly (readonly [size: string, patch: string, found: readonly string[]])[] = [
  ["1Gi", "accessModes: [ReadWriteOnce], storageClassName: fast", []],
  ["1Gi", "accessModes: null, storageClassName: null", []],
  ["1Gi", "accessModes: ReadWriteOnce", ["error workspace-invalid"]],
  ["1Gi", "accessModes: [ReadWriteOnce], storageClassName: 5", ["error workspace-invalid"]],
  ["1Gi", "accessModes: [ReadWriteOnce], storageClassName: Fast_SSD", ["error workspace-invalid"]],
  ["'0'", "accessModes: [ReadWriteOnce]", ["error workspace-invalid"]],
];
describe("a workspace of", () => {
  test.each(workspaces)("%s with %s", (size, patch, wanted) => {
    const config = `pipelineConfig: {workspace: {size: ${size}, kubernetes: {pvcSpecPatch: {${patch}}}}}, `;
    expect(found(onKubernetes("", config))).toEqual(wanted);
  });
});

const optional = (type: string) => `{parameterType: ${type}, isOptional: true}`;
const claimTask = (image: string, inputs: string): string => `pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {inputDefinitions: {parameters: {x: {parameterType: STRING}}}, dag: {tasks: {t: {taskInfo: {name: t}, componentRef: {name: comp-c}, inputs: {parameters: {${inputs}}}}}}}
components: {comp-c: {executorLabel: e, inputDefinitions: {parameters: {access_modes: ${optional("LIST")}, size: ${optional("STRING")}, annotations: ${optional("STRUCT")}, pvc_name: ${optional("STRING")}}}}}
deploymentSpec: {executors: {e: {container: {image: argostub/${image}}}}}
`;
const modes = `access_modes: ${constant("[ReadWriteOnce]")}`;
const sized = `${modes}, size: ${constant("1Gi")}`;
const invalid = "error volume-claim-invalid";
const claims: readonly (readonly [image: string, inputs: string, found: readonly string[]])[] = [
  ["createpvc", sized, []],
  ["createpvc", modes, [invalid]],
  ["createpvc", `size: ${constant("1Gi")}`, [invalid]],
  ["createpvc", `${modes}, size: ${constant("''")}`, [invalid]],
  ["createpvc", `${modes}, size: ${constant("'0'")}`, [invalid]],
  ["createpvc", `${modes}, size: {componentInputParameter: x}`, []],
  ["createpvc", `${sized}, annotations: ${constant("{a: b}")}`, ["warning volume-claim-annotations"]],
  ["createpvc", `${sized}, annotations: ${constant("{}")}`, []],
  ["createpvc", `${sized}, pvc_name: ${constant("a..b")}`, [invalid]],
  ["createpvc", `${sized}, pvc_name: ${constant("a.b")}`, []],
  [
    "createpvc",
    `access_modes: ${constant("[ReadWriteOncePod, ReadWriteMany]")}, size: ${constant("1Gi")}`,
    [invalid],
  ],
  ["deletepvc", "", [invalid]],
  ["deletepvc", `pvc_name: ${constant("''")}`, [invalid]],
  ["deletepvc", `pvc_name: {componentInputParameter: x}`, []],
  ["deletepvc", `pvc_name: ${constant("data")}`, []],
];
describe("a task that runs", () => {
  test.each(claims)("%s with %s", (image, inputs, wanted) => {
    expect(found(claimTask(image, inputs))).toEqual(wanted);
  });

  test("createpvc without an input that is required is told of once", () => {
    const text = claimTask("createpvc", modes).replace(
      `size: ${optional("STRING")}`,
      "size: {parameterType: STRING}",
    );
    expect(found(text)).toEqual(["error input-missing"]);
  });
});

describe("a setting takes an input of its type only:", () => {
  const from = (input: string) => `{componentInputParameter: ${input}}`;
  const types = { n: "NUMBER_INTEGER", s: "STRING", l: "LIST", d: "STRUCT" };
  const declared = Object.entries(types).map(
    ([input, kind]) => `${input}: {parameterType: ${kind}, isOptional: true}`,
  );
  const withInputs = (settings: string): string =>
    onKubernetes(settings).replace(
      "root: {",
      `root: {inputDefinitions: {parameters: {${declared.join(", ")}}}, `,
    );
  test.each([
    [`secretAsVolume: [{secretNameParameter: ${from("s")}, mountPath: /a}]`, []],
    [`secretAsVolume: [{secretNameParameter: ${from("n")}, mountPath: /a}]`, [type]],
    [`pvcMount: [{pvcNameParameter: ${from("n")}, mountPath: /a}]`, [type]],
    ["pvcMount: [{componentInputParameter: l, mountPath: /a}]", [type]],
    ["pvcMount: [{componentInputParameter: s, mountPath: /a}]", []],
    [`tolerations: [{tolerationJson: ${from("s")}}]`, [type]],
    [`tolerations: [{tolerationJson: ${from("l")}}, {tolerationJson: ${from("d")}}]`, []],
    [`nodeSelector: {nodeSelectorJson: ${from("l")}}`, [type]],
    [`nodeSelector: {nodeSelectorJson: ${from("d")}}`, []],
    [`nodeAffinity: [{nodeAffinityJson: ${from("s")}}]`, [type]],
  ])("%s", (settings, wanted) => expect(found(withInputs(settings))).toEqual(wanted));

  test("a task may have an input of the name that fits", () => {
    const own = withInputs(`tolerations: [{tolerationJson: ${from("s")}}]`).replace(
      "{executorLabel: e}",
      "{executorLabel: e, inputDefinitions: {parameters: {s: {parameterType: LIST, isOptional: true}}}}",
    );
    expect(found(own)).toEqual([]);
  });
});
