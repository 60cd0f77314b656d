import {
  executorSettings,
  type MessagePlace,
  ownEntry,
  type PipelineGraph,
  readJson,
  walkMessages,
} from "@wye/pipeline-spec";
import type { Finding } from "./rule.js";

/** All messages of Kubernetes settings, and what is wrong with their form. */
export interface KubernetesSettings {
  readonly messages: readonly MessagePlace[];
  readonly misspelt: readonly Finding[];
  readonly unknown: readonly Finding[];
  readonly wrong: readonly Finding[];
  /** Pointers of what is wrong, with the names that fields have in JSON. */
  readonly lost: readonly string[];
}

/** As many mistakes of form are told of the settings of one executor. */
const mostProblems = 10_000;

/** Reads the settings of executors, which the specification carries as free objects. */
export function kubernetesSettings({ executor, platform }: PipelineGraph): KubernetesSettings {
  const labels = Object.keys(ownEntry(platform?.platforms, "kubernetes")?.deploymentSpec?.executors ?? {});
  const messages: MessagePlace[] = [];
  const misspelt: Finding[] = [];
  const unknown: Finding[] = [];
  const wrong: Finding[] = [];
  const lost: string[] = [];
  for (const label of labels) {
    const settings = executor(label)?.settings ?? executorSettings(platform, label);
    if (settings === undefined) continue;
    const { path, json, config } = settings;
    for (const message of walkMessages("KubernetesExecutorConfig", config, path)) messages.push(message);
    const options = { deprecations: false, maxProblems: mostProblems };
    for (const problem of readJson("KubernetesExecutorConfig", json, options).problems) {
      const { code, message, hint } = problem;
      const at = `${path}${problem.path}`;
      if (problem.severity !== "error") continue;
      if (code !== "unknown-field") {
        wrong.push({ at, message, hint });
        lost.push(
          `${path}${problem.path.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}`,
        );
      } else if (hint?.startsWith("did you mean")) misspelt.push({ at, part: "key", message, hint });
      else unknown.push({ at, part: "key", message });
    }
  }
  return { messages, misspelt, unknown, wrong, lost };
}
