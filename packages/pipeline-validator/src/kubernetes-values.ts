import type { Profile } from "@wye/pipeline-resolver";
import type { GenericEphemeralVolume, MessagePlace, SecurityContext, Toleration } from "@wye/pipeline-spec";
import { wrongNodeAffinity, wrongPodAffinity } from "./affinity.js";
import { wrongInitContainers } from "./init-containers.js";
import { entryKey, labelKey, labelValue, objectName } from "./kubernetes-names.js";
import { notOneOf } from "./not-one-of.js";
import { parseQuantity } from "./quantity.js";
import { quote, quoteList } from "./quote.js";
import type { Finding } from "./rule.js";
import { suggest } from "./suggest.js";

/** What is wrong with the values of Kubernetes settings, message by message. */
export function* wrongKubernetesValues(
  places: readonly MessagePlace[],
  profile: Profile,
): Generator<Finding> {
  for (const place of places) {
    // The back end does nothing of these, whatever stands in them.
    if (profile === "kfp" && ignoredSettings.has(place.name)) continue;
    if ("mountPath" in place.message) yield* mountPath(place.message.mountPath, place);
    if ("subPath" in place.message) yield* subPath(place.message.subPath, place);
    yield* wrongValues(place);
  }
}

function* wrongValues(place: MessagePlace): Generator<Finding> {
  const { name, message, path } = place;
  switch (name) {
    case "KubernetesExecutorConfig":
      yield* notOneOf(`${path}/imagePullPolicy`, message.imagePullPolicy, [
        "Always",
        "Never",
        "IfNotPresent",
      ]);
      yield* beyond(`${path}/activeDeadlineSeconds`, message.activeDeadlineSeconds, "a deadline");
      yield* wrongInitContainers(message.initContainers, path);
      return;
    case "Toleration":
      yield* notOneOf(`${path}/operator`, message.operator, ["Exists", "Equal"]);
      yield* notOneOf(`${path}/effect`, message.effect, ["NoSchedule", "PreferNoSchedule", "NoExecute"]);
      yield* wrongToleration(message, path);
      return;
    case "NodeAffinityTerm":
      yield* weight(message.weight, path);
      yield* wrongNodeAffinity(message, path);
      return;
    case "PodAffinityTerm":
      yield* weight(message.weight, path);
      yield* wrongPodAffinity(message, path);
      return;
    case "EmptyDirMount":
      yield* volumeUnnamed(message.volumeName, path);
      yield* wrongMedium(`${path}/medium`, message.medium);
      yield* amount(`${path}/sizeLimit`, message.sizeLimit);
      return;
    case "EnabledSharedMemory":
      yield* amount(`${path}/size`, message.size);
      return;
    case "GenericEphemeralVolume":
      yield* wrongEphemeral(message, path);
      return;
    case "SecretKeyToEnvMap":
      yield* variable(`${path}/envVar`, message.envVar);
      yield* keyed(`${path}/secretKey`, message.secretKey);
      return;
    case "ConfigMapKeyToEnvMap":
      yield* variable(`${path}/envVar`, message.envVar);
      yield* keyed(`${path}/configMapKey`, message.configMapKey);
      return;
    case "FieldPathAsEnv":
      yield* wrongFieldPath(message.fieldPath, `${path}/fieldPath`);
      yield* variable(`${path}/name`, message.name);
      return;
    case "InitContainerEnvVar":
      yield* variable(`${path}/name`, message.name);
      return;
    case "SecurityContext":
      yield* rootUser(message, path);
      yield* beyond(`${path}/runAsUser`, message.runAsUser, "a user", 0);
      yield* beyond(`${path}/runAsGroup`, message.runAsGroup, "a group", 0);
      return;
    default:
  }
}

const accessModes = ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"];

/** What is wrong with the access modes of a volume claim; at least one is needed. */
export function* wrongAccessModes(modes: readonly unknown[], at: string): Generator<Finding> {
  if (modes.length === 0) {
    const message = "a volume claim needs at least one access mode";
    yield { at, part: "key", message, hint: "write [ReadWriteOnce]", sought: [`${at}/*`] };
  }
  for (const [position, mode] of modes.entries()) {
    const text = typeof mode === "string" ? mode : JSON.stringify(mode);
    if (text === "ReadWriteOncePod" && modes.length > 1) {
      const message = "ReadWriteOncePod stands alone: only one pod may use the volume";
      yield { at: `${at}/${position}`, message, hint: "remove it, or the others" };
    }
    if (accessModes.includes(text)) continue;
    const hint = suggest(text, accessModes) ?? `use ${quoteList(accessModes)}`;
    yield { at: `${at}/${position}`, message: `${quote(text)} is no access mode`, hint };
  }
}

function* wrongToleration(toleration: Toleration, path: string): Generator<Finding> {
  const { key, operator, value, effect, tolerationSeconds, tolerationJson } = toleration;
  if (tolerationJson !== undefined) return;
  if (operator === "Exists" && value !== "") {
    yield {
      at: `${path}/value`,
      message: "a toleration with the operator Exists has no value",
      hint: "use Equal",
    };
  }
  if (key !== "" && !labelKey.test(key)) {
    yield { at: `${path}/key`, message: `${quote(key)} cannot be the key of a taint` };
  }
  if (!labelValue.test(value)) {
    yield { at: `${path}/value`, message: `${quote(value)} cannot be the value of a taint` };
  }
  if (key === "" && (operator === "" || operator === "Equal")) {
    const message = "a toleration without key tolerates every taint, which only the operator Exists does";
    yield { at: path, message, hint: "add key, or use Exists", sought: [`${path}/key`, `${path}/operator`] };
  }
  if (tolerationSeconds !== undefined && effect !== "NoExecute") {
    const message = "tolerationSeconds is for the effect NoExecute only";
    yield { at: `${path}/tolerationSeconds`, message, hint: "use NoExecute" };
  }
}

/** Settings that are read and have no effect. */
export const ignoredSettings: ReadonlySet<string> = new Set(["PodAffinityTerm", "EnabledSharedMemory"]);

const most = 2 ** 31 - 1;

/** A number that Kubernetes takes for too large, or for less than there is. */
function* beyond(
  at: string,
  text: string | undefined,
  what: string,
  least = Number.NEGATIVE_INFINITY,
): Generator<Finding> {
  const value = Number(text ?? 0);
  if (value >= least && value <= most) return;
  yield { at, message: `${text} cannot be ${what}`, hint: `write a number up to ${most}` };
}

function* weight(value: number | undefined, path: string): Generator<Finding> {
  if (value === undefined || (value >= 1 && value <= 100)) return;
  yield { at: `${path}/weight`, message: `the weight ${value} is not between 1 and 100` };
}

function* keyed(at: string, key: string): Generator<Finding> {
  if (key !== "") {
    if (entryKey.test(key)) return;
    const hint = "use letters, digits, -, _ and .";
    yield { at, message: `${quote(key)} cannot be a key of a secret or config map`, hint };
    return;
  }
  const field = at.slice(at.lastIndexOf("/") + 1);
  yield {
    at: at.slice(0, at.lastIndexOf("/")),
    message: `nothing says which key is meant`,
    hint: `add ${field}`,
    sought: [at],
  };
}

const fieldPaths = [
  ...["metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName"],
  ...["status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"],
];

function* wrongFieldPath(text: string, at: string): Generator<Finding> {
  if (fieldPaths.includes(text) || /^metadata\.(?:labels|annotations)\['[^']+'\]$/.test(text)) return;
  const [, part, key = "name"] = /^metadata\.(labels|annotations)(?:\.(.{1,60}))?$/.exec(text) ?? [];
  const meant = part === undefined ? suggest(text, fieldPaths) : `write metadata.${part}['${key}']`;
  const hint = meant ?? `use ${quoteList(fieldPaths)}`;
  const sought = text === "" ? [at] : [];
  yield { at, message: `${quote(text)} is no field of a pod that a variable can take`, hint, sought };
}

function* amount(at: string, value: string | undefined): Generator<Finding> {
  if (value === undefined || value === "" || (parseQuantity(value) ?? -1) >= 0) return;
  yield { at, message: `${quote(value)} is not an amount`, hint: "write 512Mi or 2Gi" };
}

function* volumeUnnamed(name: string, path: string): Generator<Finding> {
  if (name !== "") return;
  const sought = [`${path}/volumeName`];
  yield { at: path, message: "the volume has no name", hint: "add volumeName", sought };
}

/** A volume of its own claim, which has to say what it wants. */
function* wrongEphemeral(volume: GenericEphemeralVolume, path: string): Generator<Finding> {
  const { volumeName, size, accessModes, storageClassName } = volume;
  yield* volumeUnnamed(volumeName, path);
  if (size === "") {
    const sought = [`${path}/size`];
    yield { at: path, message: "the volume has no size", hint: "add size, such as 5Gi", sought };
  } else if (!((parseQuantity(size) ?? -1) > 0)) {
    yield { at: `${path}/size`, message: `${quote(size)} is not an amount above zero`, hint: "write 5Gi" };
  }
  yield* wrongAccessModes(accessModes, `${path}/accessModes`);
  if (storageClassName === "" || objectName.test(storageClassName)) return;
  const message = `${quote(storageClassName)} cannot be the name of a storage class`;
  yield { at: `${path}/storageClassName`, message, hint: "use lower-case letters, digits and -" };
}

function* wrongMedium(at: string, medium = ""): Generator<Finding> {
  if (!/^HugePages(?:-\d{1,10}[KMGT]i)?$/.test(medium)) yield* notOneOf(at, medium, ["Memory", "HugePages"]);
}

/** Every version of Kubernetes takes such a name, though not every program can read it. */
export const isVariableName = (name: string): boolean => /^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(name);

function* variable(at: string, name: string): Generator<Finding> {
  if (isVariableName(name)) return;
  const sought = name === "" ? [at] : [];
  yield { at, message: `${quote(name)} cannot be the name of an environment variable`, sought };
}

/** A path may be relative to the folder of the container, except for that of an init container. */
function* mountPath(value: string, { name, path }: MessagePlace): Generator<Finding> {
  const at = `${path}/mountPath`;
  if (value === "") {
    yield { at, message: "nothing says where it is mounted", hint: "add mountPath", sought: [at] };
  } else if (value.includes(":")) {
    yield { at, message: `the mount path ${quote(value)} has a colon`, hint: "use a path without" };
  } else if (name === "InitContainerVolumeMount" && !value.startsWith("/")) {
    yield { at, message: `the mount path ${quote(value)} is not absolute`, hint: "begin it with /" };
  }
}

function* subPath(value: string, { path }: MessagePlace): Generator<Finding> {
  if (!value.startsWith("/") && !value.split("/").includes("..")) return;
  const message = `the path ${quote(value)} leads out of the volume`;
  yield { at: `${path}/subPath`, message, hint: "use a path from the root of the volume, without / and .." };
}

function* rootUser({ runAsNonRoot, runAsUser }: SecurityContext, path: string): Generator<Finding> {
  if (runAsNonRoot !== true || runAsUser !== "0") return;
  const message = "user 0 is root, which runAsNonRoot forbids";
  yield { at: `${path}/runAsUser`, message, hint: "use another user" };
}
