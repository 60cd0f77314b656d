import {
  executorSettings,
  type MessagePlace,
  ownEntry,
  type PipelineGraph,
  settingProblems,
  walkMessages,
} from "@wye/pipeline-spec";
import type { Finding } from "./rule.js";

/** A part of the settings that could not be read. */
export interface LostSetting {
  /** Its pointer, with the names that fields have in JSON. */
  readonly at: string;
  /** The rule that says why. */
  readonly reason: "platform-field-type" | "platform-field-unknown";
}

/** All messages of Kubernetes settings, and what is wrong with their form. */
export interface KubernetesSettings {
  readonly messages: readonly MessagePlace[];
  /** The same by the pointers of the settings of each executor. */
  readonly pods: ReadonlyMap<string, readonly MessagePlace[]>;
  readonly misspelt: readonly Finding[];
  readonly unknown: readonly Finding[];
  readonly wrong: readonly Finding[];
  /** What cannot be told of because of that. */
  readonly lost: readonly LostSetting[];
}

/** As many mistakes of form are told of the settings of one executor. */
const mostProblems = 10_000;

/** Reads the settings of executors, which the specification carries as free objects. */
export function kubernetesSettings({ executor, platform }: PipelineGraph): KubernetesSettings {
  const labels = Object.keys(ownEntry(platform?.platforms, "kubernetes")?.deploymentSpec?.executors ?? {});
  const pods = new Map<string, readonly MessagePlace[]>();
  const misspelt: Finding[] = [];
  const unknown: Finding[] = [];
  const wrong: Finding[] = [];
  const lost: LostSetting[] = [];
  for (const label of labels) {
    const settings = executor(label)?.settings ?? executorSettings(platform, label);
    if (settings === undefined) continue;
    const { path, json, config } = settings;
    pods.set(path, [...walkMessages("KubernetesExecutorConfig", config, path)]);
    for (const problem of settingProblems({ json }, mostProblems)) {
      const { code, message, hint } = problem;
      const at = `${path}${problem.path}`;
      if (problem.severity !== "error") continue;
      if (code !== "unknown-field") {
        wrong.push({ at, message, hint });
        const named = problem.path.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
        lost.push({ at: `${path}${named}`, reason: "platform-field-type" });
      } else if (hint?.startsWith("did you mean")) misspelt.push({ at, part: "key", message, hint });
      else {
        unknown.push({ at, part: "key", message, hint });
        const [, meant] = /^write (\w+)/.exec(hint ?? "") ?? [];
        // Nothing else is missing where this was meant.
        if (meant !== undefined) {
          lost.push({ at: at.replace(/[^/]*$/, meant), reason: "platform-field-unknown" });
        }
      }
    }
  }
  return { messages: [...pods.values()].flat(), pods, misspelt, unknown, wrong, lost };
}
