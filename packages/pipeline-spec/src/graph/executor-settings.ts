import { checkArguments } from "../check-arguments.js";
import { formHint } from "../form-hints.js";
import type { KubernetesExecutorConfig } from "../gen/kfp_kubernetes/kubernetes_executor_config.js";
import type { InputParameterSpec, PlatformSpec } from "../gen/ml_pipelines/pipeline_spec.js";
import { pointer } from "../json-pointer.js";
import { ownEntry } from "../own-entry.js";
import type { Problem } from "../problem.js";
import { readMessage } from "../read-json.js";
import { Reading } from "../reading.js";
import { type MessagePlace, walkMessages } from "../walk-messages.js";

/** What the platform specification says of one executor on Kubernetes. */
export interface ExecutorSettings {
  /** JSON pointer, beginning with `/platforms`. */
  readonly path: string;
  /** As it stands in the file. */
  readonly json: unknown;
  /** As far as it can be read; `settingProblems` says what cannot. */
  readonly config: KubernetesExecutorConfig;
}

/** The settings of an executor on Kubernetes; undefined when there are none. */
export function executorSettings(
  platform: PlatformSpec | undefined,
  label: string,
): ExecutorSettings | undefined {
  const kubernetes = ownEntry(platform?.platforms, "kubernetes");
  const json = ownEntry(kubernetes?.deploymentSpec?.executors, label);
  if (json === undefined) return undefined;
  const reading = new Reading({ ignoreUnknownFields: true, deprecations: false, maxProblems: 1 });
  const config = readMessage("KubernetesExecutorConfig", json, reading);
  const path = pointer("/platforms/kubernetes/deploymentSpec/executors", label);
  return config === undefined ? undefined : { path, json, config };
}

/**
 * What is wrong with the form of settings, with hints such as `parsePipeline` gives. Paths begin at the settings.
 *
 * @param most  how many problems are listed
 */
export function settingProblems(settings: Pick<ExecutorSettings, "json">, most = 1000): readonly Problem[] {
  checkArguments("settingProblems", "object", { settings });
  const reading = new Reading({ deprecations: false, maxProblems: most });
  reading.formHint = formHint;
  readMessage("KubernetesExecutorConfig", settings.json, reading);
  return reading.list();
}

/** A value that settings take from the pipeline, in the form of an input of a task. */
export interface SettingValue {
  readonly at: string;
  readonly spec: Pick<InputParameterSpec, "kind">;
}

/** The values that settings take from the pipeline: names of secrets, claims and the like. */
export function settingValues({ config, path }: ExecutorSettings): readonly SettingValue[] {
  return [...walkMessages("KubernetesExecutorConfig", config, path)].flatMap(settingValue);
}

function settingValue(place: MessagePlace): SettingValue | [] {
  if (place.name === "InputParameterSpec") return { at: place.path, spec: place.message };
  // The old fields of a claim stand beside the new one in the files of old compilers, and say the same.
  if (place.name !== "PvcMount" || place.message.pvcNameParameter !== undefined) return [];
  const { pvcReference } = place.message;
  if (pvcReference === undefined || pvcReference.$case === "constant") return [];
  return { at: place.path, spec: { kind: pvcReference } };
}
