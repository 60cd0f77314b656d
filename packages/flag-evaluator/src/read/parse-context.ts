import { FlagEvaluatorError } from "../error.js";
import { describeType, type Fields, isFields, member } from "../json.js";
import { Context, type ContextPart } from "./context.js";
import { type ContextFailure, failure } from "./context-failure.js";
import { jsonFault } from "./json-fault.js";
import { legacyUser } from "./legacy-user.js";
import { textFault } from "./text-fault.js";

/** No application has as many; each costs as much as a small context. */
const MAX_KINDS = 1000;

/** A text that is longer is looked at before it is parsed. For others it is quicker to look at what they say. */
const LONG = 16_384;

/** A context, or why the text is none. */
export type ContextResult = { readonly ok: true; readonly context: Context } | ContextFailure;

/** Limits of {@link parseContext}. */
export interface ParseContextOptions {
  /** The longest text that is read, in characters; 262,144 by default. */
  readonly maxLength?: number;
}

/**
 * Reads the JSON of a context: of one kind, of several (`"kind": "multi"`), or a user of the old form (no `kind`).
 * What is not a context gives a failure that says where and why; nothing is thrown.
 */
export function parseContext(text: string, { maxLength = 262_144 }: ParseContextOptions = {}): ContextResult {
  // Programs without types pass what they like.
  if (typeof text !== "string") return failure("json", "", `expected text, got ${describeType(text)}`);
  if (text.length > maxLength) {
    return failure(
      "json",
      "",
      `a context may have ${maxLength} characters at most, this one has ${text.length}`,
    );
  }
  const isLong = text.length > LONG;
  const early = isLong ? textFault(text) : undefined;
  if (early !== undefined) return failure("invalid", "", early);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return failure("json", "", error instanceof Error ? error.message : String(error));
  }
  const fault = isLong ? undefined : jsonFault(value);
  if (fault !== undefined) return failure("invalid", "", fault);
  const parts = readParts(value);
  return "ok" in parts ? parts : { ok: true, context: new Context(parts) };
}

/**
 * Makes a context from a plain object, which is copied.
 *
 * @throws {FlagEvaluatorError} `invalid_context` when it is none; use {@link parseContext} for data from outside.
 */
export function createContext(value: object): Context {
  const result = parseContext(textOf(value) ?? "", { maxLength: Number.POSITIVE_INFINITY });
  if (result.ok) return result.context;
  throw new FlagEvaluatorError("invalid_context", `${result.path || "context"}: ${result.message}`);
}

/** Objects of programs may be more than JSON can say, and may throw what they like. */
function textOf(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new FlagEvaluatorError("invalid_context", `context: it cannot be written as JSON: ${message}`, {
      cause,
    });
  }
}

type Parts = [ContextPart, ...ContextPart[]];

function readParts(value: unknown): Parts | ContextFailure {
  if (!isFields(value)) return failure("invalid", "", `expected an object, got ${describeType(value)}`);
  if (!Object.hasOwn(value, "kind")) return single(legacyUser(value));
  if (typeof value.kind !== "string") {
    return failure("invalid", "/kind", `expected a string, got ${describeType(value.kind)}`);
  }
  return value.kind === "multi" ? multiParts(value) : single(contextPart(value, value.kind, ""));
}

function single(part: ContextPart | ContextFailure): Parts | ContextFailure {
  return "ok" in part ? part : [part];
}

function multiParts(value: Fields): Parts | ContextFailure {
  const count = Object.keys(value).length - 1;
  if (count > MAX_KINDS)
    return failure("invalid", "", `a context may have ${MAX_KINDS} kinds, this one has ${count}`);
  const parts: ContextPart[] = [];
  const kinds = new Set<string>();
  for (const [kind, fields] of Object.entries(value)) {
    if (kind === "kind") continue;
    const path = `/${kind.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!isFields(fields)) {
      return failure("invalid", path, `expected an object, got ${describeType(fields)}`);
    }
    const part = contextPart(fields, kind, path);
    if ("ok" in part) return part;
    if (kinds.has(part.kind)) return failure("invalid", path, `the kind "${part.kind}" is there twice`);
    kinds.add(part.kind);
    parts.push(part);
  }
  const [first, ...rest] = parts.sort((a, b) => (a.kind < b.kind ? -1 : 1));
  return first === undefined
    ? failure("invalid", "", "a multi-kind context needs at least one kind")
    : [first, ...rest];
}

/** Reads the object of one kind. An own `kind` wins over the name that the object has in a multi-kind context. */
function contextPart(fields: Fields, name: string, path: string): ContextPart | ContextFailure {
  const kind = member(fields, "kind") ?? name;
  if (typeof kind !== "string") {
    return failure("invalid", `${path}/kind`, `expected a string, got ${describeType(kind)}`);
  }
  const problem = kindProblem(kind);
  if (problem !== undefined) return failure("invalid", path || "/kind", problem);
  if (!Object.hasOwn(fields, "key")) return failure("invalid", path, 'the member "key" is missing');
  const { key, name: label, anonymous = false } = fields;
  if (typeof key !== "string") {
    return failure("invalid", `${path}/key`, `expected a string, got ${describeType(key)}`);
  }
  if (key === "") return failure("invalid", `${path}/key`, "the key must not be empty");
  if (label !== undefined && label !== null && typeof label !== "string") {
    return failure("invalid", `${path}/name`, `expected a string or null, got ${describeType(label)}`);
  }
  if (typeof anonymous !== "boolean") {
    return failure("invalid", `${path}/anonymous`, `expected true or false, got ${describeType(anonymous)}`);
  }
  const meta = metaFailure(fields._meta, `${path}/_meta`);
  if (meta !== undefined) return meta;
  return { kind, key, name: label ?? undefined, anonymous, attributes: fields, secondary: undefined };
}

function kindProblem(kind: string): string | undefined {
  if (kind === "") return "the kind must not be empty";
  if (kind === "kind") return '"kind" is not a valid kind';
  if (kind === "multi") return 'a part of a multi-kind context cannot be "multi" itself';
  if (!/^[A-Za-z0-9._-]+$/.test(kind)) return "a kind has letters, digits, '.', '_' and '-' only";
  return undefined;
}

function metaFailure(meta: unknown, path: string): ContextFailure | undefined {
  if (meta === undefined || meta === null) return undefined;
  if (!isFields(meta))
    return failure("invalid", path, `expected an object or null, got ${describeType(meta)}`);
  const list = meta.privateAttributes;
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list)) {
    const message = `expected an array or null, got ${describeType(list)}`;
    return failure("invalid", `${path}/privateAttributes`, message);
  }
  const index = list.findIndex((entry) => typeof entry !== "string");
  if (index < 0) return undefined;
  const message = `expected a string, got ${describeType(list[index])}`;
  return failure("invalid", `${path}/privateAttributes/${index}`, message);
}
