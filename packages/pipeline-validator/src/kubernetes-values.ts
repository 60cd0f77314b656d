import { pointer } from "@wye/pipeline-spec";
import type { KubernetesEntry } from "./kubernetes-settings.js";
import { isObject } from "./parameter-kind.js";
import { parseQuantity } from "./quantity.js";
import { quote, quoteList } from "./quote.js";
import type { Finding } from "./rule.js";
import { suggest } from "./suggest.js";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A field with a closed list of values. */
const closed: readonly (readonly [message: string, field: string, values: readonly string[]])[] = [
  ["KubernetesExecutorConfig", "imagePullPolicy", ["Always", "Never", "IfNotPresent"]],
  ["Toleration", "operator", ["Exists", "Equal"]],
  ["Toleration", "effect", ["NoSchedule", "PreferNoSchedule", "NoExecute"]],
  ["InitContainer", "restartPolicy", ["Always"]],
  ["EmptyDirMount", "medium", ["Memory"]],
  ["SelectorRequirement", "operator", ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]],
];

const quantities: readonly (readonly [message: string, field: string])[] = [
  ["EnabledSharedMemory", "size"],
  ["GenericEphemeralVolume", "size"],
  ["EmptyDirMount", "sizeLimit"],
];

/** Messages that mount something at `mountPath`. */
export const mounts: readonly string[] = [
  "SecretAsVolume",
  "PvcMount",
  "ConfigMapAsVolume",
  "GenericEphemeralVolume",
  "EmptyDirMount",
  "InitContainerVolumeMount",
];
const variables: Readonly<Record<string, string>> = {
  SecretKeyToEnvMap: "envVar",
  ConfigMapKeyToEnvMap: "envVar",
  FieldPathAsEnv: "name",
  InitContainerEnvVar: "name",
};

/** What is wrong with the values of Kubernetes settings, message by message. */
export function* wrongKubernetesValues(entries: readonly KubernetesEntry[]): Generator<Finding> {
  for (const entry of entries) yield* wrongValues(entry);
  yield* wrongInitContainers(entries);
}

function* wrongValues({ message, at, fields }: KubernetesEntry): Generator<Finding> {
  for (const [owner, field, values] of closed) {
    const value = text(fields[field]);
    if (owner !== message || value === "" || values.includes(value)) continue;
    const hint = suggest(value, values) ?? `use ${quoteList(values)}`;
    yield { at: `${at}/${field}`, message: `${quote(value)} is not a value of ${field}`, hint };
  }
  for (const [owner, field] of quantities) {
    const value = text(fields[field]);
    if (owner !== message || value === "" || (parseQuantity(value) ?? -1) >= 0) continue;
    yield { at: `${at}/${field}`, message: `${quote(value)} is not an amount`, hint: "write 512Mi or 2Gi" };
  }
  const variable = variables[message];
  if (variable !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(text(fields[variable]))) {
    const name = text(fields[variable]);
    yield {
      at: `${at}/${variable}`,
      message: `${quote(name)} cannot be the name of an environment variable`,
    };
  }
  const path = text(fields.mountPath);
  // Kubernetes takes a relative path from the root; the driver refuses it in an init container.
  if (
    message === "InitContainerVolumeMount" ? !path.startsWith("/") : mounts.includes(message) && path === ""
  ) {
    yield {
      at: `${at}/mountPath`,
      message: path === "" ? "there is no mount path" : `the mount path ${quote(path)} is not absolute`,
      hint: path === "" ? "add mountPath, such as /data" : "begin it with /",
    };
  }
  if (message === "SecurityContext" && fields.runAsNonRoot === true && Number(fields.runAsUser ?? 1) === 0) {
    yield {
      at: `${at}/runAsUser`,
      message: "user 0 is root, which runAsNonRoot forbids",
      hint: "use another user",
    };
  }
  if (message === "KubernetesExecutorConfig" && Number(fields.activeDeadlineSeconds ?? 0) < 0) {
    yield { at: `${at}/activeDeadlineSeconds`, message: "a deadline cannot be negative" };
  }
}

function* wrongInitContainers(entries: readonly KubernetesEntry[]): Generator<Finding> {
  const seen = new Set<string>();
  for (const { message, at, fields, label } of entries) {
    if (message !== "InitContainer") continue;
    const name = text(fields.name);
    if (name === "") yield { at, message: "the init container has no name", hint: "add name" };
    else if (seen.has(`${label}/${name}`))
      yield { at: `${at}/name`, message: `two init containers are called ${quote(name)}` };
    seen.add(`${label}/${name}`);
    if (text(fields.image) === "")
      yield { at, message: `the init container ${quote(name)} has no image`, hint: "add image" };
    const { requests, limits } = isObject(fields.resources) ? fields.resources : {};
    for (const [side, amounts] of Object.entries({ requests, limits })) {
      for (const [resource, amount] of isObject(amounts) ? Object.entries(amounts) : []) {
        if ((parseQuantity(text(amount)) ?? -1) >= 0) continue;
        yield {
          at: pointer(at, "resources", side, resource),
          message: `${quote(text(amount))} is not an amount`,
        };
      }
    }
  }
}
