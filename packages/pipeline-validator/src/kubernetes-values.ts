import { type InitContainer, type MessagePlace, pointer, type SecurityContext } from "@wye/pipeline-spec";
import { parseQuantity } from "./quantity.js";
import { quote, quoteList } from "./quote.js";
import type { Finding } from "./rule.js";
import { suggest } from "./suggest.js";

/** What is wrong with the values of Kubernetes settings, message by message. */
export function* wrongKubernetesValues(places: readonly MessagePlace[]): Generator<Finding> {
  for (const place of places) {
    if ("mountPath" in place.message) yield* mountPath(place.message.mountPath, place);
    yield* wrongValues(place);
  }
}

function* wrongValues(place: MessagePlace): Generator<Finding> {
  const { name, message, path } = place;
  switch (name) {
    case "KubernetesExecutorConfig":
      yield* closed(`${path}/imagePullPolicy`, message.imagePullPolicy, ["Always", "Never", "IfNotPresent"]);
      if (Number(message.activeDeadlineSeconds) < 0) {
        yield { at: `${path}/activeDeadlineSeconds`, message: "a deadline cannot be negative" };
      }
      yield* wrongInitContainers(message.initContainers, path);
      return;
    case "Toleration":
      yield* closed(`${path}/operator`, message.operator, ["Exists", "Equal"]);
      yield* closed(`${path}/effect`, message.effect, ["NoSchedule", "PreferNoSchedule", "NoExecute"]);
      return;
    case "SelectorRequirement":
      yield* closed(`${path}/operator`, message.operator, selectorOperators);
      return;
    case "EmptyDirMount":
      yield* closed(`${path}/medium`, message.medium, ["Memory"]);
      yield* amount(`${path}/sizeLimit`, message.sizeLimit);
      return;
    case "EnabledSharedMemory":
    case "GenericEphemeralVolume":
      yield* amount(`${path}/size`, message.size);
      return;
    case "SecretKeyToEnvMap":
    case "ConfigMapKeyToEnvMap":
      yield* variable(`${path}/envVar`, message.envVar);
      return;
    case "FieldPathAsEnv":
    case "InitContainerEnvVar":
      yield* variable(`${path}/name`, message.name);
      return;
    case "SecurityContext":
      yield* rootUser(message, path);
      return;
    default:
  }
}

const selectorOperators = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];

/** A value out of a closed list; one that is not set is never wrong. */
function* closed(at: string, value: string | undefined, values: readonly string[]): Generator<Finding> {
  if (value === undefined || value === "" || values.includes(value)) return;
  const hint = suggest(value, values) ?? `use ${quoteList(values)}`;
  yield { at, message: `${quote(value)} is not a value of ${at.slice(at.lastIndexOf("/") + 1)}`, hint };
}

function* amount(at: string, value: string | undefined): Generator<Finding> {
  if (value === undefined || value === "" || (parseQuantity(value) ?? -1) >= 0) return;
  yield { at, message: `${quote(value)} is not an amount`, hint: "write 512Mi or 2Gi" };
}

function* variable(at: string, name: string): Generator<Finding> {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return;
  yield { at, message: `${quote(name)} cannot be the name of an environment variable` };
}

/** A path may be relative to the folder of the container, except for that of an init container. */
function* mountPath(value: string, { name, path }: MessagePlace): Generator<Finding> {
  const at = `${path}/mountPath`;
  if (value === "") {
    yield { at, message: "nothing says where it is mounted", hint: "add mountPath" };
  } else if (value.includes(":")) {
    yield { at, message: `the mount path ${quote(value)} has a colon`, hint: "use a path without" };
  } else if (name === "InitContainerVolumeMount" && !value.startsWith("/")) {
    yield { at, message: `the mount path ${quote(value)} is not absolute`, hint: "begin it with /" };
  }
}

function* rootUser({ runAsNonRoot, runAsUser }: SecurityContext, path: string): Generator<Finding> {
  if (runAsNonRoot !== true || runAsUser !== "0") return;
  const message = "user 0 is root, which runAsNonRoot forbids";
  yield { at: `${path}/runAsUser`, message, hint: "use another user" };
}

function* wrongInitContainers(containers: readonly InitContainer[], path: string): Generator<Finding> {
  const seen = new Set<string>();
  for (const [position, { name, image, restartPolicy, resources }] of containers.entries()) {
    const at = `${path}/initContainers/${position}`;
    if (name === "") yield { at, message: "the init container has no name", hint: "add name" };
    else if (seen.has(name))
      yield { at: `${at}/name`, message: `two init containers are called ${quote(name)}` };
    seen.add(name);
    if (image === "")
      yield { at, message: `the init container ${quote(name)} has no image`, hint: "add image" };
    yield* closed(`${at}/restartPolicy`, restartPolicy, ["Always"]);
    for (const side of ["requests", "limits"] as const) {
      for (const [resource, text] of Object.entries(resources?.[side] ?? {})) {
        if ((parseQuantity(text) ?? -1) >= 0) continue;
        const place = pointer(at, "resources", side, resource);
        yield { at: place, message: `${quote(text)} is not an amount` };
      }
    }
  }
}
