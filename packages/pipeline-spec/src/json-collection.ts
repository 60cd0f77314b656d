import { type JsonReader, mapKeyReader, wrongType } from "./json-scalar.js";
import { isObject } from "./json-value.js";
import type { ScalarCode } from "./message-table.js";
import type { Reading } from "./reading.js";
import { setEntry } from "./set-entry.js";

type Entries = { [key: string]: unknown };

/** Notes a value that is nested too deeply. */
export function tooDeep(reading: Reading): undefined {
  return reading.error("too-deep", `nested deeper than ${reading.maxDepth} levels`);
}

/** The reader of a list. @param nullable  true when an item may be null */
export function listReader(
  read: JsonReader,
  nullable: boolean,
): (json: unknown, reading: Reading) => unknown[] | undefined {
  return (json, reading) => {
    if (!Array.isArray(json))
      return wrongType(reading, "a list", json, reading.formHint?.("list", json, reading.path.at(-1)));
    const { path } = reading;
    const depth = path.length;
    if (depth >= reading.maxDepth) return tooDeep(reading);
    const list: unknown[] = [];
    for (let index = 0; index < json.length; index++) {
      path[depth] = index;
      const value: unknown = json[index];
      const result = value === null && !nullable ? noteNull(reading) : read(value, reading);
      if (result !== undefined) list.push(result);
    }
    path.length = depth;
    // A list that has grown has room for many more.
    return list.slice();
  };
}

/**
 * The reader of a map with keys of a type.
 * @param nullable  true when a value may be null
 * @param longest  how many characters a key may have; what stands under a longer one is not looked at
 */
export function mapReader(
  key: ScalarCode,
  read: JsonReader,
  nullable: boolean,
  longest: number = Number.POSITIVE_INFINITY,
): JsonReader {
  const readKey = mapKeyReader(key);
  const create = mapCreator(key);
  return (json, reading) => {
    if (!isObject(json)) return wrongType(reading, "an object", json, reading.formHint?.("map", json));
    const { path } = reading;
    const depth = path.length;
    if (depth >= reading.maxDepth) return tooDeep(reading);
    const map = create();
    for (const name of Object.keys(json)) {
      path[depth] = name;
      if (name.length > longest) {
        noteLongName(name, longest, reading);
        continue;
      }
      const entry = readKey(name, reading);
      const value = json[name];
      const result = value === null && !nullable ? noteNull(reading) : read(value, reading);
      if (entry === undefined || result === undefined) continue;
      if (map instanceof Map) map.set(entry, result);
      else setEntry(map, String(entry), result);
    }
    path.length = depth;
    return map;
  };
}

/** Makes empty maps. ts-proto takes a Map where the keys are true and false. */
export function mapCreator(key: ScalarCode): () => Map<unknown, unknown> | Entries {
  return key === "b" ? () => new Map() : () => ({});
}

function noteNull(reading: Reading): undefined {
  return reading.error("unexpected-null", "null cannot be an entry here", "leave the entry out");
}

function noteLongName(name: string, longest: number, reading: Reading): undefined {
  const message = `this name has ${name.length} characters: more than ${longest}, which nothing that runs pipelines takes`;
  return reading.error("too-large", message, "give it a shorter name");
}
