import { isObject } from "@wye/pipeline-spec";
import { int64, type JsonObject } from "../wire/read-message.js";
import { gatewayRefusal, type Refusal } from "./refusal.js";

/** What a member of a request may be. */
export type FieldKind =
  | "text"
  | "number"
  | "flag"
  | "struct"
  | "time"
  | "output"
  | readonly string[]
  | FieldKinds;

/** The members that a message may have. */
export interface FieldKinds {
  readonly [name: string]: FieldKind;
}

/** Reads the body of a request as the gateway does: both spellings of names, and nothing that is not known. */
export function readFields(body: Uint8Array, kinds: FieldKinds): JsonObject {
  const text = new TextDecoder().decode(body);
  if (text === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw gatewayRefusal(3, "unexpected EOF");
  }
  if (!isObject(value)) {
    throw gatewayRefusal(3, `proto: syntax error (line 1:1): unexpected token ${text.trim().charAt(0)}`);
  }
  return readMessage(value, kinds, text);
}

/** Two of them at once are refused. */
const alternatives = [
  ["pipeline_version_reference", "pipeline_spec", "pipeline_version_id"],
  ["periodic_schedule", "cron_schedule"],
];

function readMessage(value: JsonObject, kinds: FieldKinds, text: string): JsonObject {
  const result: Record<string, unknown> = {};
  for (const [given, member] of Object.entries(value)) {
    const name = given.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) throw at(text, `"${given}"`, `unknown field "${given}"`);
    const rivals = alternatives.find((group) => group.includes(name)) ?? [];
    if (rivals.some((rival) => rival !== name && result[rival] !== undefined)) {
      const message = name.endsWith("schedule") ? "Trigger.trigger" : "Run.pipeline_source";
      throw at(
        text,
        `"${given}"`,
        `error parsing "${name}", oneof kubeflow.pipelines.backend.api.v2beta1.${message} is already set`,
      );
    }
    if (member !== null && kind !== "output") result[name] = readMember(given, member, kind, text);
  }
  return result;
}

function readMember(name: string, value: unknown, kind: FieldKind, text: string): unknown {
  const shown = JSON.stringify(value);
  if (kind === "text" && typeof value !== "string") {
    const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    throw at(text, shown, `invalid value for string field ${camel}: ${shown}`);
  }
  const amount = kind === "number" ? int64(`${value}`) : undefined;
  if (kind === "number" && amount === undefined) {
    throw at(text, shown, `invalid value for int64 field ${name}: ${shown}`);
  }
  if (amount !== undefined) return amount;
  if (kind === "time") return readTime(value, shown, text);
  if (Array.isArray(kind)) {
    const found = typeof value === "number" ? kind[value] : kind.find((one) => one === value);
    if (found === undefined) throw at(text, shown, `invalid value for enum field ${name}: ${shown}`);
    return found;
  }
  if (typeof kind !== "object") return value;
  if (!isObject(value)) throw at(text, shown, `syntax error: unexpected token ${shown}`);
  // A list of names was dealt with above.
  return readMessage(value, kind as FieldKinds, text);
}

function readTime(value: unknown, shown: string, text: string): string {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT/.test(value) || Number.isNaN(Date.parse(value))) {
    throw at(text, shown, `invalid google.protobuf.Timestamp value ${shown}`);
  }
  return new Date(value).toISOString().replace(/\.\d+Z$/, "Z");
}

/** A refusal with the place in the text, on one line as clients write it. */
function at(text: string, part: string, reason: string): Refusal {
  return gatewayRefusal(3, `proto: (line 1:${text.indexOf(part) + 1}): ${reason}`);
}
