import { isObject, pointer } from "@wye/pipeline-spec";
import { checkPatchedField } from "./patched-fields.js";
import { containerDriverName, dagDriverName } from "./templates/driver-template.js";
import type { Json, JsonObject } from "./text/json.js";

/** The fields that name the items of the lists that are merged item by item; all other lists are replaced. */
const mergeKeys: Readonly<Record<string, string>> = {
  templates: "name",
  volumes: "name",
  initContainers: "name",
  sidecars: "name",
  imagePullSecrets: "name",
  parameters: "name",
  artifacts: "name",
  tasks: "name",
  env: "name",
  containers: "name",
  volumeMounts: "mountPath",
  volumeDevices: "devicePath",
  ports: "containerPort",
  tolerations: "key",
  hostAliases: "ip",
};

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

/** A strategic merge patch laid over the specification of a workflow. Nothing that is given is changed. */
export function patchSpec(spec: JsonObject, patch: JsonObject): PatchResult {
  const merge = new PatchMerge();
  const patched = merge.object(spec, patch, "", 0);
  const fields = Object.entries(patch).flatMap(([name, value]): readonly PatchFinding[] => {
    // These have been found.
    if (value === undefined || value === null || name.startsWith("$")) return [];
    const finding = checkPatchedField(name, value);
    return finding === undefined ? [] : [{ ...finding, at: pointer("", name) }];
  });
  return { spec: patched, findings: [...fields, ...merge.findings] };
}

class PatchMerge {
  readonly findings: PatchFinding[] = [];

  /** The members of both; those of the patch win. */
  object(base: JsonObject, over: JsonObject, at: string, depth: number): JsonObject {
    if (this.isTooDeep(at, depth)) return base;
    const merged = new Map<string, Json | undefined>(Object.entries(base));
    for (const [name, value] of Object.entries(over)) {
      const place = pointer(at, name);
      if (value === undefined) continue;
      if (value === null) this.note("ignored-null", place, "null in a patch changes nothing");
      else if (name.startsWith("$")) {
        this.note("invalid-spec-patch", place, `the back end does not keep to the directive ${name}`);
      } else merged.set(name, this.member(name, merged.get(name), value, place, depth));
    }
    return Object.fromEntries(merged);
  }

  private member(name: string, base: Json | undefined, over: Json, at: string, depth: number): Json {
    if (isObject(over)) return this.object(isObject(base) ? base : {}, over, at, depth + 1);
    if (!Array.isArray(over)) return this.copy(over, at, depth);
    const items: Json[] = Array.isArray(base) ? [...base] : [];
    const key = mergeKeys[name];
    // A list that is not there yet is taken as it is.
    if (key === undefined || (items.length === 0 && name !== "templates")) {
      if (key !== undefined) this.checkNew(name, over, at);
      this.checkReplaced(items, over, at);
      return this.copy(over, at, depth);
    }
    const places = new Map(items.map((item, index) => [isObject(item) ? item[key] : undefined, index]));
    let last = -1;
    over.forEach((item: Json, index) => {
      const place = `${at}/${index}`;
      const value = isObject(item) ? item[key] : undefined;
      if (!isObject(item) || value === undefined || value === null) {
        this.note("invalid-spec-patch", place, `the items of ${name} have a ${key}, by which they are found`);
        return;
      }
      const found = places.get(value);
      if (name === "templates") this.checkTemplate(item, place);
      if (found === undefined) {
        // It puts what is new first, and decodes the list over the old one.
        const message = `there is none with the ${key} ${JSON.stringify(value)}, and the back end mixes up ${name} when one is added`;
        this.note("invalid-spec-patch", place, message);
        return;
      }
      if (found < last) {
        const message = `it stands before the one above it, and the back end mixes up ${name} in another order`;
        this.note("invalid-spec-patch", place, message);
      }
      last = found;
      const known = items[found];
      items[found] = this.object(isObject(known) ? known : {}, item, place, depth + 1);
    });
    return items;
  }

  private checkNew(name: string, over: readonly Json[], at: string): void {
    const wrong = over.findIndex((item) => !isObject(item));
    if (wrong >= 0) this.note("invalid-spec-patch", `${at}/${wrong}`, `the items of ${name} are objects`);
  }

  /** The back end decodes a list over the one that it replaces: what an item does not say itself it has from there. */
  private checkReplaced(items: readonly Json[], over: readonly Json[], at: string): void {
    over.forEach((item, index) => {
      const old = items[index];
      if (!isObject(item) || !isObject(old)) return;
      const kept = Object.keys(old).filter((name) => !Object.hasOwn(item, name));
      if (kept.length === 0) return;
      const message = `in the back end this keeps ${kept.join(", ")} of what stood there`;
      this.note("invalid-spec-patch", `${at}/${index}`, message);
    });
  }

  /** The back end keeps the resources of drivers for later workflows. */
  private checkTemplate({ name, container }: JsonObject, at: string): void {
    const isDriver = name === containerDriverName || name === dagDriverName;
    if (isDriver && isObject(container) && container.resources !== undefined) {
      const message =
        "in the back end the resources of one driver are those of the other, and of later workflows";
      this.note("invalid-spec-patch", `${at}/container/resources`, message);
    }
  }

  private copy(value: Json, at: string, depth: number): Json {
    if (isObject(value)) return this.object({}, value, at, depth + 1);
    if (!Array.isArray(value) || this.isTooDeep(at, depth)) return value;
    return value.map((item: Json, index) => this.copy(item, `${at}/${index}`, depth + 1));
  }

  private isTooDeep(at: string, depth: number): boolean {
    if (depth <= maxDepth) return false;
    this.note("invalid-spec-patch", at, `the patch is nested deeper than ${maxDepth} levels`);
    return true;
  }

  private note(code: PatchFinding["code"], at: string, message: string): void {
    this.findings.push({ code, at, message });
  }
}
