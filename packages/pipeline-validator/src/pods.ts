import type { MessagePlace, PipelineGraph } from "@wye/pipeline-spec";
import { kubernetesSettings } from "./kubernetes-settings.js";
import type { Finding } from "./rule.js";

/** The messages of the settings of each executor. */
export const pods = (graph: PipelineGraph): ReadonlyMap<string, readonly MessagePlace[]> =>
  graph.once(kubernetesSettings).pods;

/** Things of one pod that must have different names, one executor after the other. */
export function* repeated(
  graph: PipelineGraph,
  namesOf: (place: MessagePlace) => readonly (readonly [name: string, at: string])[],
  say: (name: string) => string,
): Generator<Finding> {
  for (const places of pods(graph).values()) {
    const seen = new Map<string, string>();
    for (const [name, at] of places.flatMap(namesOf)) {
      const before = seen.get(name);
      seen.set(name, at);
      if (name === "" || before === undefined) continue;
      yield { at, message: say(name), related: [{ at: before, message: "already here" }] };
    }
  }
}
