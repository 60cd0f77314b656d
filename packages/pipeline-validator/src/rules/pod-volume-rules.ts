import type { MessagePlace } from "@wye/pipeline-spec";
import { near } from "../name-hint.js";
import { executor, hasPlatform } from "../platform-part.js";
import { pods, repeated } from "../pods.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily } from "../rule.js";

/** The volume that a message makes under a name of its own. */
function volumeOf({ name, message, path }: MessagePlace): readonly (readonly [name: string, at: string])[] {
  return "volumeName" in message && name !== "InitContainerVolumeMount"
    ? [[message.volumeName, `${path}/volumeName`]]
    : [];
}

const volumeRepeated: Rule = {
  id: "volume-repeated",
  summary: "The volumes of a pod have different names.",
  reason: "Kubernetes refuses the pod.",
  severity: always("error"),
  examples: {
    wrong: executor("{emptyDirMounts: [{volumeName: a, mountPath: /a}, {volumeName: a, mountPath: /b}]}"),
    right: executor("{emptyDirMounts: [{volumeName: a, mountPath: /a}, {volumeName: b, mountPath: /b}]}"),
  },
  check: (graph) => repeated(graph, volumeOf, (name) => `two volumes are called ${quote(name)}`),
};

const volumeUnknown: Rule = {
  id: "volume-unknown",
  summary: "An init container mounts volumes that the pod has.",
  reason: "Kubernetes refuses the pod.",
  severity: always("error"),
  examples: {
    wrong: executor(
      "{emptyDirMounts: [{volumeName: a, mountPath: /a}], initContainers: [{name: i, image: 'busybox:1.36', volumeMounts: [{volumeName: b, mountPath: /a}]}]}",
    ),
    right: executor(
      "{emptyDirMounts: [{volumeName: a, mountPath: /a}], initContainers: [{name: i, image: 'busybox:1.36', volumeMounts: [{volumeName: a, mountPath: /a}]}]}",
    ),
  },
  *check(graph) {
    for (const places of graph.once(pods).values()) {
      // The volumes of secrets, config maps and claims are called like these, which may be known at run time only.
      if (places.some(({ name }) => named.has(name))) continue;
      const volumes = places.flatMap(volumeOf).map(([name]) => name);
      const known = new Set(volumes);
      for (const { name, message, path } of places) {
        if (name !== "InitContainerVolumeMount" || known.has(message.volumeName)) continue;
        const text = `the pod has no volume ${quote(message.volumeName)}`;
        yield { at: `${path}/volumeName`, message: text, hint: near(message.volumeName, volumes) };
      }
    }
  },
};

const named: ReadonlySet<string> = new Set(["SecretAsVolume", "ConfigMapAsVolume", "PvcMount"]);

/** Rules about the volumes of pods. */
export const podVolumeRules: RuleFamily = {
  title: "Volumes of pods",
  appliesTo: hasPlatform,
  rules: [volumeRepeated, volumeUnknown],
};
