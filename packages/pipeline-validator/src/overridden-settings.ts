import type { InputParameterSpec, MessagePlace } from "@wye/pipeline-spec";
import { quote } from "./quote.js";
import type { Finding } from "./rule.js";

/** What a setting says beside a field that wins: names in the form of old files, and values beside those in JSON. */
export function* overriddenSettings({ name, message, path }: MessagePlace): Generator<Finding> {
  switch (name) {
    case "SecretAsVolume":
    case "SecretAsEnv":
    case "ImagePullSecret":
      if (message.secretName !== "")
        yield* overriddenName(path, "secretName", constant(message.secretName), message.secretNameParameter);
      break;
    case "ConfigMapAsVolume":
    case "ConfigMapAsEnv":
      if (message.configMapName !== "")
        yield* overriddenName(
          path,
          "configMapName",
          constant(message.configMapName),
          message.configMapNameParameter,
        );
      break;
    case "PvcMount":
      if (message.pvcReference !== undefined) {
        const { $case, value } = message.pvcReference;
        const old: Source = $case === "constant" ? constant(value) : message.pvcReference;
        yield* overriddenName(path, $case, old, message.pvcNameParameter, "pvcNameParameter");
      }
      break;
    case "Toleration": {
      const { key, operator, value, effect, tolerationSeconds } = message;
      if (message.tolerationJson !== undefined)
        yield* besideJson(path, { key, operator, value, effect, tolerationSeconds }, "tolerationJson");
      break;
    }
    case "NodeSelector":
      if (message.nodeSelectorJson !== undefined)
        yield* besideJson(path, { labels: message.labels }, "nodeSelectorJson");
      break;
    case "NodeAffinityTerm": {
      const { matchExpressions, matchFields, weight } = message;
      if (message.nodeAffinityJson !== undefined)
        yield* besideJson(path, { matchExpressions, matchFields, weight }, "nodeAffinityJson");
      break;
    }
    default:
  }
}

type Source = NonNullable<InputParameterSpec["kind"]>;

const constant = (value: string): Source => ({
  $case: "runtimeValue",
  value: { value: { $case: "constant", value } },
});

function* overriddenName(
  path: string,
  field: string,
  old: Source,
  parameter: InputParameterSpec | undefined,
  winner: string = `${field}Parameter`,
): Generator<Finding> {
  const kind = parameter?.kind;
  if (kind === undefined || JSON.stringify(kind) === JSON.stringify(old)) return;
  const says =
    kind.$case === "runtimeValue" && kind.value.value?.$case === "constant"
      ? `says ${quote(String(kind.value.value.value))}`
      : "takes the name from elsewhere";
  const message = `this does nothing: ${winner} ${says}`;
  yield { at: `${path}/${field}`, message, hint: `change ${winner}, or write the same in both places` };
}

function* besideJson(
  path: string,
  fields: { readonly [field: string]: unknown },
  winner: string,
): Generator<Finding> {
  for (const [field, value] of Object.entries(fields)) {
    const isGiven = typeof value === "object" ? Object.keys(value ?? {}).length > 0 : Boolean(value);
    if (!isGiven) continue;
    const message = `this does nothing: ${winner} is all that the driver takes here`;
    yield { at: `${path}/${field}`, part: "key", message, hint: `put it into ${winner}` };
  }
}
