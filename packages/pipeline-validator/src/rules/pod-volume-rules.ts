import type { MessagePlace, PipelineGraph } from "@wye/pipeline-spec";
import { near } from "../name-hint.js";
import { namedObject } from "../named-objects.js";
import { executor, hasPlatform } from "../platform-part.js";
import { pods } from "../pods.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";

/** A volume of a pod: where its name stands, and what is in it. */
interface Volume {
  readonly name: string;
  readonly at: string;
  readonly kind: string;
  /** What the settings say of it besides; two of one name and kind become one, of which the later wins. */
  readonly content: string;
}

/** The volume that a message makes, if it makes one. */
function volumeOf(place: MessagePlace): readonly Volume[] {
  const { name, message, path } = place;
  if (name === "EmptyDirMount") {
    const content = `${message.medium ?? ""} ${message.sizeLimit ?? ""}`;
    return [{ name: message.volumeName, at: `${path}/volumeName`, kind: "an empty folder", content }];
  }
  if (name === "GenericEphemeralVolume") {
    const { size, accessModes, storageClassName } = message;
    const content = JSON.stringify([size, accessModes, storageClassName]);
    return [{ name: message.volumeName, at: `${path}/volumeName`, kind: "a claim of its own", content }];
  }
  const named = namedObject(place);
  if (named === undefined || !named.isVolume || typeof named.value !== "string") return [];
  return [{ name: named.value, at: named.at, kind: kinds[name] ?? "", content: "" }];
}

const kinds: Readonly<Record<string, string>> = {
  SecretAsVolume: "a secret",
  ConfigMapAsVolume: "a config map",
  PvcMount: "a volume claim",
};

/** What the pods of the back end have already; all of it are empty folders. */
const ofBackEnd: ReadonlySet<string> = new Set([
  ...["kfp-launcher", "gcs-scratch", "s3-scratch", "minio-scratch"],
  ...["dot-local-scratch", "dot-cache-scratch", "dot-config-scratch"],
]);

/** Volumes of one name in one pod, each with the one before it. */
function* pairs(graph: PipelineGraph): Generator<readonly [volume: Volume, before: Volume | undefined]> {
  for (const places of pods(graph).values()) {
    const seen = new Map<string, Volume>();
    for (const volume of places.flatMap(volumeOf)) {
      if (volume.name === "" || volume.name.includes("{{")) continue;
      yield [volume, seen.get(volume.name)];
      seen.set(volume.name, volume);
    }
  }
}

const volumeRepeated: Rule = {
  id: "volume-repeated",
  summary: "Volumes of different kinds in one pod have different names.",
  reason:
    "What the settings say is merged into the pod by the names of volumes, and those of secrets, config maps and claims are called like these: Kubernetes refuses a volume of two kinds.",
  severity: underKfp("error"),
  examples: {
    wrong: executor(
      "{secretAsVolume: [{secretNameParameter: {runtimeValue: {constant: app}}, mountPath: /a}], emptyDirMounts: [{volumeName: app, mountPath: /b}]}",
    ),
    right: executor(
      "{secretAsVolume: [{secretNameParameter: {runtimeValue: {constant: app}}, mountPath: /a}], emptyDirMounts: [{volumeName: cache, mountPath: /b}]}",
    ),
  },
  *check(graph) {
    for (const [{ name, at, kind }, before] of pairs(graph)) {
      const isOfBackEnd = ofBackEnd.has(name) && kind !== "an empty folder";
      if (isOfBackEnd) {
        const message = `the back end has a volume ${quote(name)} of its own, which is an empty folder and not ${kind}`;
        yield { at, message, hint: "use another name" };
      } else if (before !== undefined && before.kind !== kind) {
        const message = `the volume ${quote(name)} is ${before.kind} and ${kind}`;
        const related = [{ at: before.at, message: "already here" }];
        yield { at, message, hint: "give one of the two another name", related };
      }
    }
  },
};

const volumeMerged: Rule = {
  id: "volume-merged",
  summary: "Volumes of one name in one pod are alike.",
  reason:
    "They become one volume, of which the later settings hold; mounted at two paths it is the same there.",
  severity: underKfp("warning"),
  examples: {
    wrong: executor(
      "{emptyDirMounts: [{volumeName: a, mountPath: /a}, {volumeName: a, mountPath: /b, medium: Memory}]}",
    ),
    right: executor("{emptyDirMounts: [{volumeName: a, mountPath: /a}, {volumeName: a, mountPath: /b}]}"),
  },
  *check(graph) {
    for (const [{ name, at, kind, content }, before] of pairs(graph)) {
      if (before === undefined || before.kind !== kind || before.content === content) continue;
      const message = `two volumes are called ${quote(name)}, and become one`;
      const related = [{ at: before.at, message: "already here" }];
      yield { at, message, hint: "give one of the two another name", related };
    }
  },
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
    for (const places of pods(graph).values()) {
      // The volumes of secrets, config maps and claims are called like these, which may be known at run time only.
      if (places.some(({ name }) => named.has(name))) continue;
      const volumes = places.flatMap(volumeOf).map(({ name }) => name);
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
  rules: [volumeRepeated, volumeMerged, volumeUnknown],
};
