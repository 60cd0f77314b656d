import { isObject } from "./json-value.js";
import { shortLine } from "./short-line.js";

type Key = string | number;

const isText = (json: unknown): json is string => typeof json === "string";

const ofKubernetes = "leave it out: a pipeline is no resource of Kubernetes";
const ofPlatform = "it belongs to the settings of the executor in the platform specification";

/** What to do about a field of this name in a message of this name. */
const ofNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ConfigMapKeyToEnvMap: { key: "write configMapKey", env: "write envVar", name: "write envVar" },
  InputArtifactSpec: {
    taskOutputParameter: "write taskOutputArtifact",
    componentInputParameter: "write componentInputArtifact",
    runtimeValue: "an artifact comes from a task or an input: import it",
  },
  InputParameterSpec: {
    taskOutputArtifact: "write taskOutputParameter",
    componentInputArtifact: "write componentInputParameter",
  },
  ParameterIteratorSpec: { parallelismLimit: "write iteratorPolicy.parallelismLimit of the task" },
  PipelineContainerSpec: {
    cmd: "write command",
    entrypoint: "write command",
    arguments: "write args",
    environment: "write env",
    imagePullPolicy: ofPlatform,
    nodeSelector: ofPlatform,
    securityContext: ofPlatform,
    tolerations: ofPlatform,
    volumeMounts: ofPlatform,
  },
  PipelineSpec: {
    apiVersion: ofKubernetes,
    executors: "write deploymentSpec.executors",
    kind: ofKubernetes,
    pipeline: "write pipelineInfo",
    platforms: "put --- before it: the platform specification is a document of its own",
    tasks: "write root.dag.tasks",
  },
  PipelineTaskSpec: { depends: "write dependentTasks", dependsOn: "write dependentTasks" },
  ResourceSpec: {
    limits: "write resourceCpuLimit and resourceMemoryLimit",
    requests: "write resourceCpuRequest and resourceMemoryRequest",
  },
  SecretKeyToEnvMap: { key: "write secretKey", env: "write envVar", name: "write envVar" },
  SinglePlatformSpec: { deployment: "write deploymentSpec", deploymentConfig: "write deploymentSpec" },
  TaskOutputArtifactSpec: { outputParameterKey: "write outputArtifactKey" },
  TaskOutputParameterSpec: { outputArtifactKey: "write outputParameterKey" },
};

const secret = ["secretNameParameter", /^(?:secret|name)$/] as const;
const configMap = ["configMapNameParameter", /^(?:configMap|config_map|name)$/] as const;

/** Where settings take the name of something from, and what other tools call it. */
const nameFields: Readonly<Record<string, readonly [field: string, others: RegExp]>> = {
  ConfigMapAsEnv: configMap,
  ConfigMapAsVolume: configMap,
  ImagePullSecret: secret,
  PvcMount: ["pvcNameParameter", /^(?:pvc|claim|pvcName|claimName|pvc_name|claim_name|name)$/],
  SecretAsEnv: secret,
  SecretAsVolume: secret,
};

/** What to write for a field that a message does not have: one of Kubernetes or of another tool, or one that belongs elsewhere. */
export function hintOfField(message: string, value: unknown, key: Key): string | undefined {
  const known = ofNames[message];
  if (known !== undefined && Object.hasOwn(known, key)) return known[key];
  if (isText(value)) return hintOfText(message, value, key);
  // All that compilers call an executor begins like that.
  if (message === "PlatformDeploymentConfig" && String(key).startsWith("exec-"))
    return "put it below executors";
  return entryMaps.find((map) => map.message === message && hasOne(value, map.fields))?.hint;
}

/** What is told from its fields to be an entry of a map that its message has. */
const entryMaps: readonly {
  readonly message: string;
  readonly fields: readonly string[];
  readonly hint: string;
}[] = [
  { message: "PipelineDeploymentConfig", fields: ["container", "importer"], hint: "put it below executors" },
  {
    message: "TaskInputsSpec",
    fields: ["componentInputParameter", "runtimeValue", "taskFinalStatus", "taskOutputParameter"],
    hint: "put it below parameters",
  },
  {
    message: "TaskInputsSpec",
    fields: ["componentInputArtifact", "taskOutputArtifact"],
    hint: "put it below artifacts",
  },
];

const hasOne = (value: unknown, fields: readonly string[]): boolean =>
  isObject(value) && fields.some((field) => Object.hasOwn(value, field));

function hintOfText(message: string, value: string, key: Key): string | undefined {
  if (message === "EnvVar") return `write {name: ${shortLine(key)}, value: ${shortLine(value)}}`;
  if (message === "NodeSelector") return "put it below labels";
  if (message === "PodMetadata") return "put it below labels or annotations";
  const [field, others] = nameFields[message] ?? [];
  if (field === undefined || !others?.test(String(key))) return undefined;
  return `write ${field}: {runtimeValue: {constant: ${shortLine(value)}}}`;
}
