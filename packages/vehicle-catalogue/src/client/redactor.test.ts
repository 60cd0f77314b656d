import { expect, test } from "vitest";
import { createRedactor } from "./redactor.js";

const key = "Ab3/x+Y9 z&Q<7>'w\"8k\\T==.*";
const { text, json, cause } = createRedactor(key);

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, "0");
const each = (write: (character: string) => string) => [...key].map(write).join("");
const special = (write: (character: string) => string) => key.replace(/\W/g, write);

/** How a server may give back what it was sent. */
const spellings: readonly (readonly [name: string, text: string])[] = [
  ["as it is", key],
  ["in capitals", key.toUpperCase()],
  ["JSON", JSON.stringify(key).slice(1, -1)],
  ["JSON of PHP", JSON.stringify(key).slice(1, -1).replaceAll("/", "\\/")],
  ["JSON by numbers", special((character) => `\\u00${hex(character)}`)],
  ["JSON by numbers in capitals", each((character) => `\\u00${hex(character).toUpperCase()}`)],
  ["a URL", encodeURIComponent(key)],
  ["a URL in small letters", special((character) => `%${hex(character)}`)],
  ["a URL in which slashes stay", special((character) => (character === "/" ? "/" : `%${hex(character)}`))],
  ["a URL, each character", each((character) => `%${hex(character)}`)],
  ["HTML by numbers", special((character) => `&#${character.charCodeAt(0)};`)],
  ["HTML by numbers of three digits", special((character) => `&#0${character.charCodeAt(0)};`)],
  ["HTML by numbers of base 16", special((character) => `&#x${hex(character).toUpperCase()};`)],
  [
    "HTML by names",
    key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  ],
  ["HTML by more names", key.replaceAll("&", "&amp;").replaceAll("'", "&apos;").replaceAll("+", "&plus;")],
  ["HTML by all names", key.replaceAll("&", "&amp;").replaceAll("/", "&sol;").replaceAll("=", "&equals;")],
];

test.each(spellings)("a key written as %s is taken out", (_, spelling) => {
  expect(text(`before ${spelling} ${spelling} after`)).toBe("before [redacted] [redacted] after");
  expect(json({ [spelling]: [spelling] })).toEqual({ "[redacted]": ["[redacted]"] });
});

test.each([
  "ÿé",
  "%C3%BF%C3%A9",
  "%c3%bf%c3%a9",
  "%FF%E9",
  "\\u00ff\\u00e9",
  "&#255;&#xe9;",
  "&yuml;&eacute;",
])("letters beyond ASCII are taken out, too: %s", (spelling) => {
  expect(createRedactor("key-ÿé.").text(`<key-${spelling}.>`)).toBe("<[redacted]>");
});

test("what is none stays", () => {
  for (const other of [key.slice(1), key.slice(0, -1), `Ab3/x+Y9 z&Q<7>'w"8k\\T==.x`, "", "&#65;"])
    expect(text(other)).toBe(other);
});

test("an error is copied with its name, its code and its stack, and nothing else", () => {
  const error = Object.assign(new RangeError(`sent ${key}`), { code: `E-${key}`, config: { key } });
  error.stack = `at ${key}`;
  const copy = cause(error);
  expect({ ...copy }).toEqual({ name: "RangeError", code: "E-[redacted]" });
  expect([copy.message, copy.stack]).toEqual(["sent [redacted]", "at [redacted]"]);
  expect(copy).not.toHaveProperty("cause");
  expect(cause(Object.assign(new Error("x"), { name: `Error of ${key}` })).name).toBe("Error of [redacted]");
});

test("an error without a message says its code", () => {
  expect(cause(Object.assign(new Error(""), { code: "ECONNREFUSED" })).message).toBe("ECONNREFUSED");
  expect(cause(Object.assign(new Error("away"), { code: "ECONNREFUSED" })).message).toBe("away");
});

test("of causes of causes five are kept", () => {
  const nested = (depth: number): Error =>
    depth === 0 ? new Error("0") : new Error(`${depth}`, { cause: nested(depth - 1) });
  const told: string[] = [];
  for (let at: unknown = cause(nested(9)); at instanceof Error; at = at.cause) told.push(at.message);
  expect(told).toEqual(["9", "8", "7", "6", "5", "4"]);
});

test.each([0, "", null, false])("a cause that is %j is a cause", (none) => {
  expect(cause(new Error("x", { cause: none })).cause).toEqual(new Error(String(none)));
});
