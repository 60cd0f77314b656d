import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { examplePipeline, validatePipeline } from "../src/index.js";

const validate = (config: unknown, label = "exec-report") => {
  const platform = { platforms: { kubernetes: { deploymentSpec: { executors: { [label]: config } } } } };
  return validatePipeline(`${examplePipeline}---\n${stringify(platform)}`).problems;
};

const prefix = "/platforms/kubernetes/deploymentSpec/executors/exec-report";
const secret = { runtimeValue: { constant: "s" } };

const cases: readonly (readonly [config: object, code: string, path: string])[] = [
  [{ tolerations: [{ operator: "Equals" }] }, "platform-value-invalid", "/tolerations/0/operator"],
  [{ tolerations: [{ key: "a", operator: "Lt" }] }, "platform-value-invalid", "/tolerations/0/operator"],
  [{ tolerations: [{ key: "a", operator: "In" }] }, "platform-value-invalid", "/tolerations/0/operator"],
  [{ tolerations: [{ key: "a", effect: "NoRun" }] }, "platform-value-invalid", "/tolerations/0/effect"],
  [{ tolerations: { key: "a" } }, "platform-field-type", "/tolerations"],
  [{ enabledSharedMemory: { size: "lots" } }, "platform-setting-ignored", "/enabledSharedMemory"],
  [
    { securityContext: { runAsUser: "0", runAsNonRoot: true } },
    "platform-value-invalid",
    "/securityContext/runAsUser",
  ],
  [{ securityContext: { runAsNonRoot: "true" } }, "platform-field-type", "/securityContext/runAsNonRoot"],
  [{ active_deadline_seconds: "-5" }, "lifetime-negative", "/activeDeadlineSeconds"],
  [{ activeDeadlineSeconds: 1.5 }, "platform-field-type", "/activeDeadlineSeconds"],
  [
    { fieldPathAsEnv: [{ name: "MY-VAR", fieldPath: "metadata.name" }] },
    "env-name-invalid",
    "/fieldPathAsEnv/0/name",
  ],
  [
    { secretAsEnv: [{ secretNameParameter: secret, keyToEnv: [{ secretKey: "k", envVar: "1A" }] }] },
    "platform-value-invalid",
    "/secretAsEnv/0/keyToEnv/0/envVar",
  ],
  [
    { fieldPathAsEnv: [{ name: "A=B", fieldPath: "metadata.name" }] },
    "platform-value-invalid",
    "/fieldPathAsEnv/0/name",
  ],
  [
    { emptyDirMounts: [{ volumeName: "v", mountPath: "/v", medium: "HugePages-2" }] },
    "platform-value-invalid",
    "/emptyDirMounts/0/medium",
  ],
  [{ podMetadata: { annotations: { "a b": "x" } } }, "label-invalid", "/podMetadata/annotations/a b"],
  [
    { secretAsVolume: [{ secretNameParameter: { runtimeValue: 5 }, mountPath: "/x" }] },
    "platform-field-type",
    "/secretAsVolume/0/secretNameParameter/runtimeValue",
  ],
  [
    { imagePullSecret: [{ secretName: "t", secretNameParameter: secret }] },
    "platform-setting-ignored",
    "/imagePullSecret/0/secretName",
  ],
  [
    { configMapAsVolume: [{ configMapName: "t", configMapNameParameter: secret, mountPath: "/x" }] },
    "platform-setting-ignored",
    "/configMapAsVolume/0/configMapName",
  ],
  [
    { pvcMount: [{ constant: "t", pvcNameParameter: secret, mountPath: "/x" }] },
    "platform-setting-ignored",
    "/pvcMount/0/constant",
  ],
  [
    { tolerations: [{ key: "a", tolerationJson: { runtimeValue: { constant: { operator: "Exists" } } } }] },
    "platform-setting-ignored",
    "/tolerations/0/key",
  ],
  [
    { nodeSelector: { labels: { a: "b" }, nodeSelectorJson: { runtimeValue: { constant: { c: "d" } } } } },
    "platform-setting-ignored",
    "/nodeSelector/labels",
  ],
  [
    { nodeAffinity: [{ weight: 5, nodeAffinityJson: { runtimeValue: { constant: {} } } }] },
    "platform-setting-ignored",
    "/nodeAffinity/0/weight",
  ],
  [{ configMapAsVolume: [{ mountPath: "/x" }] }, "platform-name-missing", "/configMapAsVolume/0"],
  [{ pvcMount: [{ mountPath: "/x" }] }, "platform-name-missing", "/pvcMount/0"],
  [{ pvcMount: [{ constant: "c" }] }, "platform-value-invalid", "/pvcMount/0/mountPath"],
  [{ pvcMount: [{ constant: "c", mountPath: "/a:b" }] }, "platform-value-invalid", "/pvcMount/0/mountPath"],
  [
    {
      emptyDirMounts: [{ volumeName: "v", mountPath: "/v" }],
      initContainers: [{ name: "a", image: "i", volumeMounts: [{ volumeName: "v", mountPath: "x" }] }],
    },
    "platform-value-invalid",
    "/initContainers/0/volumeMounts/0/mountPath",
  ],
  [{ pvcMount: [{ constant: "", mountPath: "/x" }] }, "platform-name-missing", "/pvcMount/0"],
  [{ hostNetwork: true }, "platform-field-unknown", "/hostNetwork"],
  [
    {
      secretAsEnv: [
        { secretNameParameter: secret, keysToEnv: [], keyToEnv: [{ secretKey: "a", envVar: "A" }] },
      ],
    },
    "platform-field-misspelt",
    "/secretAsEnv/0/keysToEnv",
  ],
  [
    { pvcMount: [{ componentInputParameter: "nope", mountPath: "/x" }] },
    "platform-input-unknown",
    "/pvcMount/0/componentInputParameter",
  ],
  [
    {
      pvcMount: [{ taskOutputParameter: { producerTask: "nope", outputParameterKey: "a" }, mountPath: "/x" }],
    },
    "platform-input-unknown",
    "/pvcMount/0/taskOutputParameter/producerTask",
  ],
  [{ nodeSelector: { labels: { gpu: 1 } } }, "platform-field-type", "/nodeSelector/labels/gpu"],
  [{ nodeSelector: { labels: "gpu" } }, "platform-field-type", "/nodeSelector/labels"],
  [{ nodeSelector: "gpu" }, "platform-field-type", "/nodeSelector"],
  [
    { nodeAffinity: [{ matchExpressions: [{ key: "a", operator: "in" }] }] },
    "platform-value-invalid",
    "/nodeAffinity/0/matchExpressions/0/operator",
  ],
  [
    { emptyDirMounts: [{ volumeName: "v", mountPath: "/x", medium: "Disk" }] },
    "platform-value-invalid",
    "/emptyDirMounts/0/medium",
  ],
  [{ imagePullPolicy: 5 }, "platform-field-type", "/imagePullPolicy"],
  [{ initContainers: [{ image: "i" }] }, "platform-value-invalid", "/initContainers/0"],
  [{ initContainers: [{ name: "a" }] }, "platform-value-invalid", "/initContainers/0"],
  [
    {
      initContainers: [
        { name: "a", image: "i" },
        { name: "a", image: "i" },
      ],
    },
    "platform-value-invalid",
    "/initContainers/1/name",
  ],
  [
    { initContainers: [{ name: "a", image: "i", restartPolicy: "Never" }] },
    "platform-value-invalid",
    "/initContainers/0/restartPolicy",
  ],
  [
    { initContainers: [{ name: "a", image: "i", resources: { limits: { cpu: "much" } } }] },
    "platform-value-invalid",
    "/initContainers/0/resources/limits/cpu",
  ],
];

describe("Kubernetes settings", () => {
  for (const [config, code, path] of cases) {
    test(`${JSON.stringify(config)} gives ${code}`, () => {
      const problems = validate(config);
      expect(problems.map((problem) => [problem.code, problem.path])).toEqual([[code, `${prefix}${path}`]]);
      expect(problems[0]?.range).toBeDefined();
    });
  }

  test("that are right give nothing, in either spelling", () => {
    const config = {
      secret_as_env: [{ secret_name: "s", key_to_env: [{ secret_key: "k", env_var: "KEY" }] }],
      tolerations: [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: "10" }],
      pvcMount: [
        { constant: "claim", mountPath: "/data" },
        { constant: "other", mountPath: "/relative/path" },
      ],
      securityContext: { runAsUser: 1000, runAsNonRoot: true },
      initContainers: [{ name: "a", image: "i", resources: { requests: { cpu: "100m", memory: "1Gi" } } }],
      activeDeadlineSeconds: 20,
    };
    expect(validate(config)).toEqual([]);
  });
});

describe("the workspace", () => {
  const validateWorkspace = (workspace: object) => {
    const platform = { platforms: { kubernetes: { pipelineConfig: { workspace } } } };
    return validatePipeline(`${examplePipeline}---\n${stringify(platform)}`).problems.map(({ path }) => path);
  };
  const patch = "/platforms/kubernetes/pipelineConfig/workspace/kubernetes/pvcSpecPatch";
  const rows: readonly (readonly [pvcSpecPatch: object, paths: readonly string[]])[] = [
    [{}, []],
    [{ accessModes: [] }, []],
    [{ accessModes: ["ReadWriteMany"], storageClassName: "fast" }, []],
    [{ storageClassName: "" }, [`${patch}/storageClassName`]],
    [{ volumeName: "v" }, [`${patch}/volumeName`]],
  ];
  for (const [pvcSpecPatch, paths] of rows) {
    test(`with the patch ${JSON.stringify(pvcSpecPatch)} has ${paths.length} problems`, () => {
      expect(validateWorkspace({ size: "1Gi", kubernetes: { pvcSpecPatch } })).toEqual(paths);
    });
  }
});

describe("amounts", () => {
  const of = (resourceMemoryLimit: string) => {
    const text = examplePipeline.replace(
      "        image: busybox\n",
      `        image: busybox\n        resources: {resourceMemoryLimit: "${resourceMemoryLimit}"}\n`,
    );
    return validatePipeline(text).ok;
  };
  for (const good of [
    "1",
    "0.5",
    ".5",
    "1.",
    "500m",
    "2Gi",
    "1e3",
    "1E3",
    "15G",
    "100Mi",
    "{{$.inputs.parameters['message']}}",
  ]) {
    test(`${good} is one`, () => expect(of(good)).toBe(true));
  }
  for (const bad of ["GB", "2GB", "2 Gi", "-1", "1,5", "2gi", "", "e3"].filter((one) => one !== "")) {
    test(`${bad} is none`, () => expect(of(bad)).toBe(false));
  }
});

describe("literals", () => {
  const of = (literals: string, constant: string) => {
    const text = examplePipeline
      .replace(
        "epochs: {parameterType: NUMBER_INTEGER, defaultValue: 3, isOptional: true}",
        `epochs: {parameterType: STRUCT, isOptional: true, literals: ${literals}}`,
      )
      .replace(
        "          parameters:\n            label: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}",
        `          parameters:\n            epochs: {runtimeValue: {constant: ${constant}}}\n            label: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}`,
      );
    return validatePipeline(text).problems.map(({ code }) => code);
  };
  test("are compared whole, whatever the order of keys", () => {
    expect(of("[{a: 1, b: [2, {c: 3}]}]", "{b: [2, {c: 3}], a: 1.0}")).toEqual([]);
    expect(of("[{a: 1, b: [2]}]", "{a: 1, b: [2, 3]}")).toEqual(["constant-not-literal"]);
    expect(of("[{a: 1}]", "{a: 1, b: 2}")).toEqual(["constant-not-literal"]);
    expect(of("[{a: 1}]", "{b: 1}")).toEqual(["constant-not-literal"]);
  });
});

test("what a setting says twice alike is fine", () => {
  const config = {
    secretAsEnv: [
      {
        secretName: "s",
        secretNameParameter: secret,
        keyToEnv: [{ secretKey: "k", envVar: "A" }],
      },
    ],
    pvcMount: [{ constant: "s", pvcNameParameter: secret, mountPath: "/x" }],
    tolerations: [{ tolerationJson: { runtimeValue: { constant: { operator: "Exists" } } } }],
  };
  expect(validate(config)).toEqual([]);
});
