import { isObject } from "@wye/pipeline-spec";

/** Reads a value of an answer; undefined when it is not there, or not of this kind. */
export type FieldReader<T> = (value: unknown) => T | undefined;

/** How each member of a message is read. Its name on the wire is that of the member in snake case, or in camel case. */
export type FieldTable<T> = { readonly [K in keyof T]-?: FieldReader<Exclude<T[K], undefined>> };

/** JSON as it comes. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads a message of an answer. What a newer server adds is left out, and so is what is not of its type: nothing that a server sends
 * throws.
 */
export function readMessage<T extends object>(table: FieldTable<T>): FieldReader<Partial<T>> {
  const fields = Object.entries(table).map(([name, read]) => ({
    find: memberFinder(name),
    name,
    // The entries of a table are its readers.
    read: read as FieldReader<unknown>,
  }));
  return (value) => {
    if (!isObject(value)) return undefined;
    const message: { [name: string]: unknown } = {};
    for (const { name, find, read } of fields) {
      const member = read(find(value));
      if (member !== undefined) message[name] = member;
    }
    // Each member has been read by the reader of its type.
    return message as Partial<T>;
  };
}

/** Like {@link readMessage}, and undefined when one of these members is not there. */
export function readMessageWith<T extends object, K extends keyof T>(
  table: FieldTable<T>,
  ...required: readonly K[]
): FieldReader<T> {
  const read = readMessage(table);
  return (value) => {
    const message = read(value);
    if (message === undefined || required.some((name) => message[name] === undefined)) return undefined;
    // Nothing else is required of it.
    return message as T;
  };
}

/** Finds a member of answers in either spelling: the snake case of its name first. */
export function memberFinder(name: string): (value: JsonObject) => unknown {
  const wireName = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return (value) => (Object.hasOwn(value, wireName) ? value[wireName] : ownValue(value, name));
}

function ownValue(value: JsonObject, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

export const text: FieldReader<string> = (value) => (typeof value === "string" ? value : undefined);

/**
 * A word of an enumeration, from the one of the number 1 on. It may come as its number, which is how enumerations are on the wire: 0
 * stands for none, and one that has no word here is the text of its digits, a word that nobody knows.
 */
export function wordOf(words: readonly string[]): FieldReader<string> {
  return (value) => {
    // The word of 0.
    if (value === 0 || (typeof value === "string" && /^(\w+_)?UNSPECIFIED$/i.test(value))) return undefined;
    return typeof value === "number" ? words[value - 1] || `${value}` : text(value);
  };
}

export const flag: FieldReader<boolean> = (value) => (typeof value === "boolean" ? value : undefined);

export const number: FieldReader<number> = (value) => {
  const found = int64(value);
  return typeof found === "number" ? found : undefined;
};

/** An amount that is an int64, which comes as text: a number, or the text of its digits where no number holds it. */
export type Int64 = number | `${bigint}`;

export const int64: FieldReader<Int64> = (value) => {
  if (typeof value === "number") return value;
  if (!isInteger(value)) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
};

const isInteger = (value: unknown): value is `${bigint}` =>
  typeof value === "string" && /^-?\d{1,20}$/.test(value);

/** The id of something in a database, which is an int64: a text, even where it comes as a number. */
export const idText: FieldReader<string> = (value) => (typeof value === "number" ? `${value}` : text(value));

/** A moment; undefined for the two that stand for "not yet". */
export const time: FieldReader<Date> = (value) => {
  if (typeof value !== "string" || /^(1970|0001)-01-01T00:00:00Z$/.test(value)) return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

export const json: FieldReader<JsonObject> = (value) => (isObject(value) ? value : undefined);

/** A map from text to text. */
export const texts: FieldReader<Readonly<Record<string, string>>> = (value) => {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => text(entry[1]) !== undefined,
  );
  return Object.fromEntries(entries);
};

/** A list; entries that are something else are left out. */
export function listOf<T>(read: FieldReader<T>): FieldReader<readonly T[]> {
  return (value) =>
    Array.isArray(value)
      ? value.flatMap((entry: unknown) => {
          const found = read(entry);
          return found === undefined ? [] : [found];
        })
      : undefined;
}

/** A map; entries that are something else are left out. */
export function mapOf<T>(read: FieldReader<T>): FieldReader<Readonly<Record<string, T>>> {
  return (value) => {
    if (!isObject(value)) return undefined;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, entry]): [string, T][] => {
        const found = read(entry);
        return found === undefined ? [] : [[key, found]];
      }),
    );
  };
}
