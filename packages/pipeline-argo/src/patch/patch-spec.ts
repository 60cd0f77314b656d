import { describeValue, didYouMean, isObject, pointer } from "@wye/pipeline-spec";
import { containerDriverName, dagDriverName } from "../templates/driver-template.js";
import type { Json, JsonObject } from "../text/json.js";
import { type FieldKind, fieldsOf } from "./field-kinds.js";
import { printedObject } from "./printed-spec.js";

/** What a patch holds that the back end refuses, or does something with that nobody wants. */
export interface PatchFinding {
  readonly code: "invalid-spec-patch" | "unknown-patch-field" | "ignored-null";
  /** JSON pointer into the patch. */
  readonly at: string;
  readonly message: string;
}

/** A specification with a patch laid over it. */
export interface PatchResult {
  readonly spec: JsonObject;
  readonly findings: readonly PatchFinding[];
}

/** How deep patches are nested at most. */
const maxDepth = 100;

const specType = "WorkflowSpec";

/** A strategic merge patch laid over the specification of a workflow. Nothing that is given is changed. */
export function patchSpec(spec: JsonObject, patch: JsonObject): PatchResult {
  const merge = new PatchMerge();
  const patched = merge.object(specType, spec, patch, "", 0);
  return { spec: printedObject(specType, patched), findings: merge.findings };
}

type List = Extract<FieldKind, { readonly form: "list" }>;

/** Lays values over each other as their types ask for; undefined is what the back end does not take. */
class PatchMerge {
  readonly findings: PatchFinding[] = [];

  /** The members of both; those of the patch win. */
  object(type: string, base: JsonObject, over: JsonObject, at: string, depth: number): JsonObject {
    const fields = fieldsOf(type);
    return this.members(base, over, at, depth, (name, old, value, place) => {
      const field = fields.get(name);
      if (field !== undefined) return this.value(field.kind, name, old, value, place, depth);
      this.noteUnknown(name, [...fields.keys()], place);
      return undefined;
    });
  }

  private members(
    base: JsonObject,
    over: JsonObject,
    at: string,
    depth: number,
    merged: (name: string, old: Json | undefined, value: Json, place: string) => Json | undefined,
  ): JsonObject {
    if (this.isTooDeep(at, depth)) return base;
    const members = new Map(Object.entries(base));
    for (const [name, value] of Object.entries(over)) {
      const place = pointer(at, name);
      if (value === undefined) continue;
      if (value === null) this.note("ignored-null", place, "null in a patch changes nothing");
      else if (name.startsWith("$"))
        this.refuse(place, `the back end does not keep to the directive ${name}`);
      else {
        const member = merged(name, members.get(name), value, place);
        if (member !== undefined) members.set(name, member);
      }
    }
    return Object.fromEntries(members);
  }

  private value(
    kind: FieldKind,
    name: string,
    base: Json | undefined,
    over: Json,
    at: string,
    depth: number,
  ): Json | undefined {
    if (kind.form === "scalar") {
      const read = kind.scalar.read(over);
      if (read === undefined) this.refuseKind(kind.scalar.what, over, at);
      return read !== undefined && typeof read === "object" ? this.copy(read, at, depth) : read;
    }
    if (kind.form === "list") {
      if (Array.isArray(over)) return this.list(kind, name, base, over, at, depth + 1);
      this.refuseKind("a list", over, at);
    } else if (isObject(over)) {
      const old = isObject(base) ? base : {};
      if (kind.form === "object") return this.object(kind.type, old, over, at, depth + 1);
      return this.members(old, over, at, depth + 1, (key, one, value, place) =>
        this.value(kind.of, key, one, value, place, depth + 1),
      );
    } else this.refuseKind("an object", over, at);
    return undefined;
  }

  private list(
    { of, key }: List,
    name: string,
    base: Json | undefined,
    over: readonly Json[],
    at: string,
    depth: number,
  ): Json | undefined {
    if (this.isTooDeep(at, depth)) return base;
    const items: readonly Json[] = Array.isArray(base) ? base : [];
    // A list that is not there yet is taken as it is.
    if (key !== undefined && (items.length > 0 || name === "templates"))
      return this.itemsByKey(of, key, name, items, over, at, depth);
    this.checkReplaced(items, over, at);
    return over.flatMap((item, index) => {
      const read = this.value(of, name, undefined, item, `${at}/${index}`, depth);
      return read === undefined ? [] : [read];
    });
  }

  private itemsByKey(
    of: FieldKind,
    key: string,
    name: string,
    base: readonly Json[],
    over: readonly Json[],
    at: string,
    depth: number,
  ): Json {
    const items = [...base];
    const places = new Map(items.map((item, index) => [isObject(item) ? item[key] : undefined, index]));
    let last = -1;
    over.forEach((item, index) => {
      const place = `${at}/${index}`;
      const value = isObject(item) ? item[key] : undefined;
      if (!isObject(item) || value === undefined || value === null) {
        this.refuse(place, `the items of ${name} have a ${key}, by which they are found`);
        return;
      }
      const found = places.get(value);
      if (name === "templates") this.checkTemplate(item, place);
      if (found === undefined) {
        // It puts what is new first, and decodes the list over the old one.
        const message = `there is none with the ${key} ${JSON.stringify(value)}, and the back end mixes up ${name} when one is added`;
        this.refuse(place, message);
        return;
      }
      if (found < last) {
        const message = `it stands before the one above it, and the back end mixes up ${name} in another order`;
        this.refuse(place, message);
      }
      last = found;
      items[found] = this.value(of, name, items[found], item, place, depth) ?? null;
    });
    return items;
  }

  /** The back end decodes a list over the one that it replaces: what an item does not say itself it has from there. */
  private checkReplaced(items: readonly Json[], over: readonly Json[], at: string): void {
    over.forEach((item, index) => {
      const old = items[index];
      if (!isObject(item) || !isObject(old)) return;
      const kept = Object.keys(old).filter((name) => !Object.hasOwn(item, name));
      if (kept.length === 0) return;
      this.refuse(`${at}/${index}`, `in the back end this keeps ${kept.join(", ")} of what stood there`);
    });
  }

  /** The back end keeps the resources of drivers for later workflows. */
  private checkTemplate({ name, container }: JsonObject, at: string): void {
    const isDriver = name === containerDriverName || name === dagDriverName;
    if (isDriver && isObject(container) && container.resources !== undefined) {
      const message =
        "in the back end the resources of one driver are those of the other, and of later workflows";
      this.refuse(`${at}/container/resources`, message);
    }
  }

  /** What the back end does not look into. */
  private copy(value: Json, at: string, depth: number): Json {
    if (isObject(value))
      return this.members({}, value, at, depth + 1, (_, __, member, place) =>
        this.copy(member, place, depth + 1),
      );
    if (!Array.isArray(value) || this.isTooDeep(at, depth)) return value;
    return value.map((item: Json, index) => this.copy(item, `${at}/${index}`, depth + 1));
  }

  private isTooDeep(at: string, depth: number): boolean {
    if (depth <= maxDepth) return false;
    this.refuse(at, `the patch is nested deeper than ${maxDepth} levels`);
    return true;
  }

  /** The back end reads capitals as small letters, but where the field is there in its own writing as well. */
  private noteUnknown(name: string, known: readonly string[], at: string): void {
    const meant = known.find((one) => one.toLowerCase() === name.toLowerCase());
    if (meant !== undefined) {
      this.refuse(
        at,
        `the field is written ${meant}: the back end reads this one in its place, or not at all`,
      );
      return;
    }
    const near = didYouMean(name, known);
    const help = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
    this.note(
      "unknown-patch-field",
      at,
      `there is no such field there, and the back end leaves it out${help}`,
    );
  }

  private refuseKind(what: string, value: Json, at: string): void {
    this.refuse(at, `the back end takes ${what} there, and no workflow with ${describeValue(value)}`);
  }

  private refuse(at: string, message: string): void {
    this.note("invalid-spec-patch", at, message);
  }

  private note(code: PatchFinding["code"], at: string, message: string): void {
    this.findings.push({ code, at, message });
  }
}
