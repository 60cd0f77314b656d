import { type Fields, isFields, member } from "../json.js";
import type { AttributePath } from "./attribute-path.js";

/** One kind's share of a context: what is known of one user, one organisation, one device. */
export interface ContextPart {
  readonly kind: string;
  readonly key: string;
  readonly name: string | undefined;
  readonly anonymous: boolean;
  /** Members by name; those with a meaning of their own (`kind`, `key`, `name`, `anonymous`, `_meta`) are not read here. */
  readonly attributes: Fields;
  /** Only legacy users have one; it takes part in bucketing. */
  readonly secondary: string | undefined;
}

/** Whom flags are evaluated for. Made by `parseContext`, `contextFromBase64` or `createContext`; never changes. */
export class Context {
  /** One part for each kind, sorted by kind. */
  readonly parts: readonly [ContextPart, ...ContextPart[]];
  #byKind: ReadonlyMap<string, ContextPart> | undefined;

  constructor(parts: readonly [ContextPart, ...ContextPart[]]) {
    this.parts = parts;
  }

  /** The kind of its only part, or `multi`. */
  get kind(): string {
    return this.parts.length > 1 ? "multi" : this.parts[0].kind;
  }

  /** The key of its only part; undefined for a context of several kinds. Empty only for legacy users. */
  get key(): string | undefined {
    return this.parts.length > 1 ? undefined : this.parts[0].key;
  }

  /**
   * The fully qualified key, which names this context among those of all kinds: a user's key as it is, otherwise
   * `kind:key` pairs with `%` and `:` in keys escaped. Secure mode hashes this text.
   */
  get canonicalKey(): string {
    const [{ kind, key }] = this.parts;
    if (this.parts.length === 1 && kind === "user") return key;
    return this.parts.map((part) => `${part.kind}:${escapeKey(part.key)}`).join(":");
  }

  /** The part of that kind, if the context has one. */
  part(kind: string): ContextPart | undefined {
    this.#byKind ??= new Map(this.parts.map((part) => [part.kind, part]));
    return this.#byKind.get(kind);
  }
}

/** The value at a path, undefined where there is none or where it is null. Steps lead into objects only. */
export function attributeOf(part: ContextPart, path: AttributePath): unknown {
  let value = topLevelAttribute(part, path[0]);
  for (let i = 1; i < path.length; i++) {
    const step = path[i];
    if (step === undefined || !isFields(value)) return undefined;
    value = member(value, step);
  }
  return value ?? undefined;
}

function topLevelAttribute(part: ContextPart, name: string): unknown {
  switch (name) {
    case "kind":
      return part.kind;
    case "key":
      return part.key;
    case "name":
      return part.name;
    case "anonymous":
      return part.anonymous;
    case "_meta":
      return undefined;
    default:
      return member(part.attributes, name);
  }
}

function escapeKey(key: string): string {
  return key.replaceAll("%", "%25").replaceAll(":", "%3A");
}
