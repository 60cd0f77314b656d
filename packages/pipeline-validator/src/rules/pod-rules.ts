import { describeValue, type MessagePlace, pathFromPointer, pointer } from "@wye/pipeline-spec";
import { labelKey, labelValue, objectName, partName } from "../kubernetes-names.js";
import { kubernetesSettings } from "../kubernetes-settings.js";
import { namedObject } from "../named-objects.js";
import { executor, hasPlatform } from "../platform-part.js";
import { pods, repeated } from "../pods.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";

const variablesOf = ({ name, message, path }: MessagePlace): readonly (readonly [string, string])[] => {
  if (name === "SecretKeyToEnvMap" || name === "ConfigMapKeyToEnvMap")
    return [[message.envVar, `${path}/envVar`]];
  return name === "FieldPathAsEnv" ? [[message.name, `${path}/name`]] : [];
};

const variableClash: Rule = {
  id: "env-name-clash",
  summary: "Secrets, config maps, fields of the pod and the container give variables of different names.",
  reason: "The later value wins without a word.",
  severity: underKfp("warning"),
  examples: {
    wrong: executor(
      "{fieldPathAsEnv: [{name: NAME, fieldPath: metadata.name}, {name: NAME, fieldPath: metadata.uid}]}",
    ),
    right: executor(
      "{fieldPathAsEnv: [{name: NAME, fieldPath: metadata.name}, {name: ID, fieldPath: metadata.uid}]}",
    ),
  },
  *check(graph) {
    yield* repeated(graph, variablesOf, (name) => `the variable ${quote(name)} is set twice`);
    for (const [owner, places] of pods(graph)) {
      const label = pathFromPointer(owner)[4] ?? "";
      const spec = graph.executor(label)?.spec.spec;
      const own = new Set(spec?.$case === "container" ? spec.value.env.map(({ name }) => name) : []);
      for (const [name, at] of places.flatMap(variablesOf)) {
        if (own.has(name)) yield { at, message: `the container itself sets the variable ${quote(name)}` };
      }
    }
  },
};

const keysMissing: Rule = {
  id: "secret-keys-missing",
  summary: "A secret or config map that gives variables says which.",
  reason: "Without keys it gives nothing, and the program does without.",
  severity: underKfp("warning"),
  examples: {
    wrong: executor("{secretAsEnv: [{secretNameParameter: {runtimeValue: {constant: db}}}]}"),
    right: executor(
      "{secretAsEnv: [{secretNameParameter: {runtimeValue: {constant: db}}, keyToEnv: [{secretKey: p, envVar: P}]}]}",
    ),
  },
  *check(graph) {
    for (const { name, message, path } of graph.once(kubernetesSettings).messages) {
      if (name !== "SecretAsEnv" && name !== "ConfigMapAsEnv") continue;
      if (message.keyToEnv.length > 0) continue;
      const sought = [`${path}/keyToEnv/*`];
      yield { at: path, message: "no key of it becomes a variable", hint: "add keyToEnv", sought };
    }
  },
};

const mountOf = ({ name, message, path }: MessagePlace): readonly (readonly [string, string])[] =>
  "mountPath" in message && name !== "InitContainerVolumeMount"
    ? [[message.mountPath, `${path}/mountPath`]]
    : [];

const mountRepeated: Rule = {
  id: "mount-path-repeated",
  summary: "A container mounts one volume at a path.",
  reason:
    "The back end merges what is mounted by its path: the first volume is not mounted at all. Kubernetes itself refuses such a pod.",
  severity: always("error"),
  examples: {
    wrong: executor("{pvcMount: [{constant: a, mountPath: /data}, {constant: b, mountPath: /data}]}"),
    right: executor("{pvcMount: [{constant: a, mountPath: /data}, {constant: b, mountPath: /more}]}"),
  },
  check: (graph) => repeated(graph, mountOf, (path) => `two volumes are mounted at ${quote(path)}`),
};

const mountRelative: Rule = {
  id: "mount-path-relative",
  summary: "A mount path begins with `/`.",
  reason:
    "Kubernetes takes a relative path from the root of the container, which is rarely what is expected.",
  severity: underKfp("warning"),
  examples: {
    wrong: executor("{pvcMount: [{constant: a, mountPath: data}]}"),
    right: executor("{pvcMount: [{constant: a, mountPath: /data}]}"),
  },
  *check(graph) {
    for (const place of graph.once(kubernetesSettings).messages) {
      for (const [path, at] of mountOf(place)) {
        if (path === "" || path.startsWith("/") || path.includes(":")) continue;
        yield { at, message: `the mount path ${quote(path)} is relative`, hint: `write /${path}` };
      }
    }
  },
};

const mountTaken: Rule = {
  id: "mount-path-taken",
  summary: "No volume is mounted over the file system of the container, or over the launcher.",
  reason:
    "The back end starts the program by /kfp-launcher/launch, which another volume there hides; a container cannot be made with a volume at its root.",
  severity: underKfp("error"),
  examples: {
    wrong: executor("{emptyDirMounts: [{volumeName: scratch, mountPath: /kfp-launcher}]}"),
    right: executor("{emptyDirMounts: [{volumeName: scratch, mountPath: /scratch}]}"),
  },
  *check(graph) {
    for (const place of graph.once(kubernetesSettings).messages) {
      for (const [path, at] of mountOf(place)) {
        if (path !== "/" && path !== "/kfp-launcher") continue;
        const message =
          path === "/"
            ? "the root of the container cannot be a volume"
            : "the back end has mounted its launcher here";
        yield { at, message, hint: "mount it elsewhere" };
      }
    }
  },
};

/** Where the launcher puts what it downloads, and looks for what the program has made. */
const scratch: ReadonlySet<string> = new Set(["/gcs", "/s3", "/minio"]);

const mountReadOnly: Rule = {
  id: "mount-path-read-only",
  summary: "Secrets and config maps are not mounted where the launcher keeps artifacts.",
  reason: "They cannot be written to: the launcher fails at the first artifact of that store.",
  severity: underKfp("warning"),
  examples: {
    wrong: executor("{secretAsVolume: [{secretName: key, mountPath: /gcs}]}"),
    right: executor("{secretAsVolume: [{secretName: key, mountPath: /secrets}]}"),
    besides: ["deprecated-field"],
  },
  *check(graph) {
    for (const place of graph.once(kubernetesSettings).messages) {
      if (place.name !== "SecretAsVolume" && place.name !== "ConfigMapAsVolume") continue;
      const { mountPath } = place.message;
      if (!scratch.has(mountPath)) continue;
      const message = `the launcher keeps artifacts in ${mountPath}, which cannot be written to here`;
      yield { at: `${place.path}/mountPath`, message, hint: "mount it elsewhere" };
    }
  },
};

const nameInvalid: Rule = {
  id: "kubernetes-name-invalid",
  summary: "Volumes, secrets, config maps and claims have names that Kubernetes takes.",
  reason:
    "Kubernetes refuses the pod. The back end calls a volume like the secret, config map or claim in it, and a volume may have less in its name.",
  severity: always("error"),
  examples: {
    wrong: executor("{imagePullSecret: [{secretNameParameter: {runtimeValue: {constant: My_Secret}}}]}"),
    right: executor("{imagePullSecret: [{secretNameParameter: {runtimeValue: {constant: my-secret}}}]}"),
  },
  *check(graph, profile) {
    const hint = "use lower-case letters, digits and -";
    for (const place of graph.once(kubernetesSettings).messages) {
      const { message, path } = place;
      if ("volumeName" in message && message.volumeName !== "" && !partName.test(message.volumeName)) {
        const text = `${quote(message.volumeName)} cannot be the name of a volume`;
        yield { at: `${path}/volumeName`, message: text, hint };
      }
      const named = namedObject(place);
      if (named === undefined || named.value === "") continue;
      const { at, value, isVolume } = named;
      if (typeof value !== "string") {
        yield { at, message: `the name of a Kubernetes object is a text, not ${describeValue(value)}` };
      } else if (value.includes("{{")) {
      } else if (!objectName.test(value)) {
        yield { at, message: `${quote(value)} cannot be the name of a Kubernetes object`, hint };
      } else if (isVolume && profile === "kfp" && !partName.test(value)) {
        const text = `the back end calls the volume ${quote(value)} as well, which cannot be the name of one`;
        yield { at, message: text, hint: "use a name of at most 63 lower-case letters, digits and -" };
      }
    }
  },
};

const labelInvalid: Rule = {
  id: "label-invalid",
  summary: "Labels and the names of annotations have the form that Kubernetes takes.",
  reason: "Kubernetes refuses the pod.",
  severity: always("error"),
  examples: {
    wrong: executor("{podMetadata: {labels: {team: the churn team}}}"),
    right: executor("{podMetadata: {labels: {team: churn}, annotations: {team: the churn team}}}"),
  },
  *check(graph) {
    for (const { name, message, path } of graph.once(kubernetesSettings).messages) {
      if (name !== "PodMetadata" && name !== "NodeSelector") continue;
      const annotations = name === "PodMetadata" ? message.annotations : {};
      for (const [part, map] of [
        ["labels", message.labels],
        ["annotations", annotations],
      ] as const) {
        for (const [key, value] of Object.entries(map)) {
          const at = pointer(`${path}/${part}`, key);
          // Kubernetes lowers the names of annotations before it looks at them.
          if (!labelKey.test(part === "labels" ? key : key.toLowerCase())) {
            const what = part === "labels" ? "a label" : "an annotation";
            yield { at, part: "key", message: `${quote(key)} cannot be the name of ${what}` };
          } else if (part === "labels" && !labelValue.test(value) && !value.includes("{{"))
            yield {
              at,
              message: `${quote(value)} cannot be the value of a label`,
              hint: "use letters, digits, -, _ and .",
            };
        }
      }
    }
  },
};

/** Rules about the pods of executors. */
export const podRules: RuleFamily = {
  title: "Pods",
  appliesTo: hasPlatform,
  rules: [
    variableClash,
    keysMissing,
    mountRepeated,
    mountRelative,
    mountTaken,
    mountReadOnly,
    nameInvalid,
    labelInvalid,
  ],
};
