import { checkArguments, type TaskConfigPassthrough, TaskConfigPassthroughType } from "@wye/pipeline-spec";

/** The settings of a pod, in the form that Kubernetes has for them. */
export interface PodSettings {
  readonly resources?: unknown;
  readonly env?: unknown;
  readonly affinity?: unknown;
  readonly tolerations?: unknown;
  readonly nodeSelector?: unknown;
  readonly volumes?: unknown;
  readonly volumeMounts?: unknown;
}

/** Where the settings of a task go. */
export interface TaskConfig {
  /** The value of its input of type TASK_CONFIG: what is passed on to it. */
  readonly value: PodSettings;
  /** What applies to its own pod. */
  readonly own: PodSettings;
}

const settingsOf: ReadonlyMap<TaskConfigPassthroughType, readonly (keyof PodSettings)[]> = new Map([
  [TaskConfigPassthroughType.RESOURCES, ["resources"]],
  [TaskConfigPassthroughType.ENV, ["env"]],
  [TaskConfigPassthroughType.KUBERNETES_AFFINITY, ["affinity"]],
  [TaskConfigPassthroughType.KUBERNETES_TOLERATIONS, ["tolerations"]],
  [TaskConfigPassthroughType.KUBERNETES_NODE_SELECTOR, ["nodeSelector"]],
  [TaskConfigPassthroughType.KUBERNETES_VOLUMES, ["volumes", "volumeMounts"]],
]);

/**
 * Divides the settings of a task as its component asks for: what it passes on is not for its own pod any more, unless
 * `applyToTask` says so.
 */
export function taskConfig(
  passthroughs: readonly TaskConfigPassthrough[],
  settings: PodSettings,
): TaskConfig {
  checkArguments("taskConfig", "list", { passthroughs });
  checkArguments("taskConfig", "object", { settings });
  const value: { -readonly [Name in keyof PodSettings]: unknown } = {};
  const own: { -readonly [Name in keyof PodSettings]: unknown } = { ...settings };
  for (const { field, applyToTask } of passthroughs) {
    for (const name of settingsOf.get(field) ?? []) {
      if (settings[name] === undefined) continue;
      value[name] = settings[name];
      if (!applyToTask) delete own[name];
    }
  }
  return { value, own };
}
