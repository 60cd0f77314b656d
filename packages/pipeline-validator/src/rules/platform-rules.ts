import {
  describeComponent,
  type InputSource,
  inputParameter,
  type MessagePlace,
  outputParameter,
  type PipelineGraph,
  pointer,
  type TaskNode,
} from "@wye/pipeline-spec";
import { kubernetesSettings } from "../kubernetes-settings.js";
import { ignoredSettings, wrongKubernetesValues } from "../kubernetes-values.js";
import { near } from "../name-hint.js";
import { inputElsewhere, lostItem, taskElsewhere } from "../other-scopes.js";
import { overriddenSettings } from "../overridden-settings.js";
import { executor, hasPlatform, kubernetes, misspeltPlatforms, platform } from "../platform-part.js";
import { quote } from "../quote.js";
import { always, type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { nearest } from "../suggest.js";

const platformMisspelt: Rule = {
  id: "platform-misspelt",
  summary: "The name of the platform is not a misspelling of `kubernetes`.",
  reason: "The server ignores the whole document without a word, and all settings are lost.",
  severity: underKfp("warning"),
  examples: { wrong: platform("{}", "kubernets"), right: platform("{}") },
  *check(index) {
    const hint = 'did you mean "kubernetes"?';
    for (const { name, at } of misspeltPlatforms(index))
      yield { at, part: "key", message: `there is no platform ${quote(name)}`, hint };
  },
};

const platformUnknown: Rule = {
  id: "platform-unknown",
  summary: "The platform is `kubernetes`.",
  reason: "The open-source back end knows no other and ignores their settings.",
  severity: underKfp("warning"),
  examples: { wrong: platform("{}", "slurm"), right: platform("{}") },
  *check({ platform }) {
    for (const name of Object.keys(platform?.platforms ?? {})) {
      if (name === "kubernetes" || nearest(name, ["kubernetes"]) !== undefined) continue;
      const message = `the open-source back end ignores the settings of platform ${quote(name)}`;
      const hint = /^k(?:8|3)s$/i.test(name) ? "write kubernetes" : undefined;
      yield { at: pointer("/platforms", name), part: "key", message, hint };
    }
  },
};

const executorUnknown: Rule = {
  id: "platform-executor-unknown",
  summary: "Platform settings belong to an executor of the deployment.",
  reason: "Settings under another label are ignored, and the task runs without them.",
  severity: { kfp: "warning", spec: "error" },
  examples: {
    wrong: executor("{imagePullPolicy: Always}", "exec-reports"),
    right: executor("{imagePullPolicy: Always}"),
  },
  *check(index) {
    for (const [name, single] of Object.entries(index.platform?.platforms ?? {})) {
      for (const label of Object.keys(single.deploymentSpec?.executors ?? {})) {
        if (index.executor(label) !== undefined) continue;
        const at = pointer("/platforms", name, "deploymentSpec", "executors", label);
        yield {
          at,
          part: "key",
          message: `there is no executor ${quote(label)}`,
          hint: near(label, index.deployment.executors),
          sought: [pointer("/deploymentSpec/executors", label)],
        };
      }
    }
  },
};

const executorKind: Rule = {
  id: "platform-executor-not-container",
  summary: "Platform settings belong to a container.",
  reason: "Importers run in no container of their own, so that the settings do nothing.",
  severity: underKfp("warning"),
  examples: {
    wrong: `
root: {dag: {tasks: {loop: null, import: {taskInfo: {name: import}, componentRef: {name: comp-import}}}}}
components:
  comp-loop: null
  comp-import:
    executorLabel: exec-import
    outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset}}}}
deploymentSpec:
  executors: {exec-import: {importer: {typeSchema: {schemaTitle: system.Dataset}, artifactUri: {constant: 'gs://b/d'}}}}
---
platforms: {kubernetes: {deploymentSpec: {executors: {exec-import: {imagePullPolicy: Always}}}}}
`,
    right: executor("{imagePullPolicy: Always}"),
  },
  *check(index) {
    for (const label of Object.keys(kubernetes(index)?.deploymentSpec?.executors ?? {})) {
      const form = index.executor(label)?.spec.spec?.$case;
      if (form === undefined || form === "container") continue;
      const at = pointer("/platforms/kubernetes/deploymentSpec/executors", label);
      yield {
        at,
        part: "key",
        message: `the executor ${quote(label)} is no container, so that these settings do nothing`,
      };
    }
  },
};

const fieldMisspelt: Rule = {
  id: "platform-field-misspelt",
  summary: "A field of the Kubernetes settings is not a misspelling of a known one.",
  reason: "The compiler of the back end refuses the pipeline: `failed to unmarshal kubernetes spec`.",
  severity: always("error"),
  examples: { wrong: executor("{imagePulPolicy: Always}"), right: executor("{imagePullPolicy: Always}") },
  check: (index) => index.once(kubernetesSettings).misspelt,
};

const fieldUnknown: Rule = {
  id: "platform-field-unknown",
  summary: "A field of the Kubernetes settings is one that the back end knows.",
  reason: "The compiler of the back end refuses the pipeline: `failed to unmarshal kubernetes spec`.",
  severity: always("error"),
  examples: { wrong: executor("{hostNetwork: true}"), right: executor("{imagePullPolicy: Always}") },
  check: (index) => index.once(kubernetesSettings).unknown,
};

const fieldType: Rule = {
  id: "platform-field-type",
  summary: "A field of the Kubernetes settings has a value of its type.",
  reason: "The driver cannot read the settings, and the task fails.",
  severity: always("error"),
  examples: {
    wrong: executor("{imagePullSecret: registry}"),
    right: executor("{imagePullSecret: [{secretName: registry}]}"),
  },
  check: (index) => index.once(kubernetesSettings).wrong,
};

const valueInvalid: Rule = {
  id: "platform-value-invalid",
  summary: "A Kubernetes setting has a value that Kubernetes takes.",
  reason: "The driver or Kubernetes refuses the pod, when everything before it has already run.",
  severity: always("error"),
  examples: {
    wrong: executor("{imagePullPolicy: Sometimes}"),
    right: executor("{imagePullPolicy: IfNotPresent}"),
  },
  *check(index, profile) {
    yield* wrongKubernetesValues(index.once(kubernetesSettings).messages, profile);
  },
};

const settingIgnored: Rule = {
  id: "platform-setting-ignored",
  summary: "A Kubernetes setting is one that the back end acts upon.",
  reason: "The driver reads the setting and does nothing of it.",
  severity: underKfp("warning"),
  examples: {
    wrong: executor("{enabledSharedMemory: {volumeName: shm, size: 1Gi}}"),
    right: executor("{emptyDirMounts: [{volumeName: shm, mountPath: /dev/shm, medium: Memory}]}"),
  },
  *check(index) {
    for (const place of index.once(kubernetesSettings).messages) {
      yield* overriddenSettings(place);
      const { name, path } = place;
      if (!ignoredSettings.has(name)) continue;
      const message = "the open-source back end does nothing of this setting";
      const hint =
        name === "EnabledSharedMemory" ? "mount an empty folder at /dev/shm with medium: Memory" : undefined;
      yield { at: path, message, hint };
    }
  },
};

/** The fields that may name what a message uses, when none of them does; the first is the one to write today. */
function missingName({ name, message }: MessagePlace): readonly string[] | undefined {
  switch (name) {
    case "SecretAsVolume":
    case "SecretAsEnv":
    case "ImagePullSecret":
      return message.secretNameParameter || message.secretName
        ? undefined
        : ["secretNameParameter", "secretName"];
    case "ConfigMapAsVolume":
    case "ConfigMapAsEnv":
      return message.configMapNameParameter || message.configMapName
        ? undefined
        : ["configMapNameParameter", "configMapName"];
    case "PvcMount":
      return message.pvcNameParameter || message.pvcReference?.value
        ? undefined
        : ["pvcNameParameter", "constant", "componentInputParameter", "taskOutputParameter"];
    default:
      return undefined;
  }
}

const nameMissing: Rule = {
  id: "platform-name-missing",
  summary: "A secret, config map or volume claim is named.",
  reason: "The driver fails with `missing either SecretName or SecretNameParameter`.",
  severity: always("error"),
  examples: {
    wrong: executor("{imagePullSecret: [{}]}"),
    right: executor("{imagePullSecret: [{secretNameParameter: {runtimeValue: {constant: registry}}}]}"),
  },
  *check(index) {
    for (const place of index.once(kubernetesSettings).messages) {
      const fields = missingName(place);
      if (fields === undefined) continue;
      const sought = fields.map((field) => `${place.path}/${field}`);
      const message = "nothing says which one is meant here";
      yield { at: place.path, message, hint: `add ${fields[0]}`, sought };
    }
  },
};

const inputUnknown: Rule = {
  id: "platform-input-unknown",
  summary:
    "A Kubernetes setting takes its value from an input or task in sight of the task that it belongs to.",
  reason: "The driver cannot resolve the value when the task is to start.",
  severity: always("error"),
  examples: {
    wrong: executor(
      "{imagePullSecret: [{secretNameParameter: {componentInputParameter: secret}}]}",
      "exec-prepare",
    ),
    right: executor(
      "{imagePullSecret: [{secretNameParameter: {componentInputParameter: mode}}]}",
      "exec-prepare",
    ),
  },
  *check(index) {
    const told = new Set<string>();
    for (const task of index.tasks) {
      for (const { at, source } of task.platformInputs) {
        // Several tasks may run the executor; one of them is enough to tell.
        const finding = source === undefined || told.has(at) ? undefined : unknownSource(source, task, index);
        if (finding === undefined) continue;
        told.add(at);
        yield finding;
      }
    }
  },
};

function unknownSource(
  source: InputSource,
  { parent, component }: TaskNode,
  index: PipelineGraph,
): Finding | undefined {
  if (source.kind === "input") {
    // The settings of a task may name its own inputs, or those of the DAG around it.
    if (inputParameter(parent, source.name) !== undefined) return undefined;
    if (component !== undefined && inputParameter(component, source.name) !== undefined) return undefined;
    const message = `${describeComponent(parent)} has no input parameter ${quote(source.name)}`;
    const hint =
      lostItem(source.name, index) ??
      near(source.name, parent.spec.inputDefinitions?.parameters, {
        elsewhere: inputElsewhere("parameter", source.name, parent, index),
      });
    const sought = [pointer(`${parent.path}/inputDefinitions/parameters`, source.name)];
    return { at: source.at, message, hint, sought };
  }
  if (source.kind !== "output") return undefined;
  const { producer, producerAt, task, key, keyAt } = source;
  if (task === undefined) {
    const message = `there is no task ${quote(producer)} in ${describeComponent(parent)}`;
    const hint = near(producer, parent.tasks, { elsewhere: taskElsewhere(producer, index) });
    return { at: producerAt, message, hint, sought: [pointer(`${parent.path}/dag/tasks`, producer)] };
  }
  if (task.component === undefined || outputParameter(task.component, key)) return undefined;
  const message = `task ${quote(producer)} has no output parameter ${quote(key)}`;
  const { path, spec } = task.component;
  const hint = near(key, spec.outputDefinitions?.parameters);
  return { at: keyAt, message, hint, sought: [pointer(`${path}/outputDefinitions/parameters`, key)] };
}

const singlePlatform: Rule = {
  id: "single-platform-specs-ignored",
  summary: "Platform settings are in the second document, not in a component.",
  reason: "No compiler writes `singlePlatformSpecs`, and the back end never reads them.",
  severity: underKfp("warning"),
  examples: {
    wrong: "components: {comp-report: {singlePlatformSpecs: [{platform: kubernetes}]}}",
    right: executor("{imagePullPolicy: Always}"),
  },
  *check({ components }) {
    for (const { spec, path } of components) {
      if (spec.singlePlatformSpecs.length === 0) continue;
      const message = "the back end does not read these settings";
      yield {
        at: `${path}/singlePlatformSpecs`,
        part: "key",
        message,
        hint: "put them into the platform specification",
      };
    }
  },
};

/** Rules about platform specifications. */
export const platformRules: RuleFamily = {
  title: "Platform specifications",
  appliesTo: (index) =>
    hasPlatform(index) || index.components.some(({ spec }) => spec.singlePlatformSpecs.length > 0),
  rules: [
    platformMisspelt,
    platformUnknown,
    executorUnknown,
    executorKind,
    fieldMisspelt,
    fieldUnknown,
    fieldType,
    valueInvalid,
    settingIgnored,
    nameMissing,
    inputUnknown,
    singlePlatform,
  ],
};
