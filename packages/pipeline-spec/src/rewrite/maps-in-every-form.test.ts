import { describe, expect, test } from "vitest";
import { rewritePipeline } from "../index.js";

const head =
  "root:\n  inputDefinitions:\n    parameters:\n      p:\n        parameterType: STRUCT\n        defaultValue:";
const fileWith = (map: string): string => `${head}${map.replace(/\n(?=.)/g, "\n        ")}\n`;

type JsonMap = Readonly<Record<string, unknown>>;

const without = (map: JsonMap, name: string): JsonMap =>
  Object.fromEntries(Object.entries(map).filter(([one]) => one !== name));
const firstOf = (map: JsonMap, count: number): JsonMap =>
  Object.fromEntries(Object.entries(map).slice(0, count));
const other = (value: unknown): unknown => {
  if (typeof value === "number") return value + 10;
  return typeof value === "string" ? `${value}!` : { ...Object(value), z: 5 };
};

const changes: Readonly<Record<string, (map: JsonMap) => JsonMap>> = {
  "without a": (map) => without(map, "a"),
  "without b": (map) => without(map, "b"),
  "without the last": (map) => firstOf(map, -1),
  "with the first alone": (map) => firstOf(map, 1),
  "with z": (map) => ({ ...map, z: 9 }),
  "with y and z": (map) => ({ ...map, yy: "8", z: [9] }),
  "without a, with z": (map) => ({ ...without(map, "a"), z: { w: 9 } }),
  "without the last, with z": (map) => ({ ...firstOf(map, -1), z: 9 }),
  "with z in the place of a": (map) => ({ z: map.a, ...without(map, "a") }),
  "with other values": (map) =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [name, other(value)])),
  "with a list for a": (map) => ({ ...map, a: [1, { b: 2 }] }),
  "with lines for b": (map) => ({ ...map, b: "x\ny\n" }),
  "with nothing but z": () => ({ z: { w: 9 } }),
};

/** What becomes of a map, in every form that it may have. */
const forms: readonly (readonly [name: string, before: string, after: Readonly<Record<string, string>>])[] = [
  [
    "in a line",
    " {a: 1, b: 2, c: 3}",
    {
      "without a": " {b: 2, c: 3}",
      "without b": " {a: 1, c: 3}",
      "without the last": " {a: 1, b: 2}",
      "with the first alone": " {a: 1}",
      "with z": " {a: 1, b: 2, c: 3, z: 9}",
      "with y and z": ' {a: 1, b: 2, c: 3, yy: "8", z: [9]}',
      "without a, with z": " {b: 2, c: 3, z: {w: 9}}",
      "without the last, with z": " {a: 1, b: 2, z: 9}",
      "with z in the place of a": " {z: 1, b: 2, c: 3}",
      "with other values": " {a: 11, b: 12, c: 13}",
      "with a list for a": " {a: [1, {b: 2}], b: 2, c: 3}",
      "with lines for b": ' {a: 1, b: "x\\ny\\n", c: 3}',
      "with nothing but z": "\n  z:\n    w: 9",
    },
  ],
  [
    "in a line as JSON",
    ' {"a":1,"b":2,"c":3}',
    {
      "without a": ' {"b":2,"c":3}',
      "without b": ' {"a":1,"c":3}',
      "without the last": ' {"a":1,"b":2}',
      "with the first alone": ' {"a":1}',
      "with z": ' {"a":1,"b":2,"c":3,"z":9}',
      "with y and z": ' {"a":1,"b":2,"c":3,"yy":"8","z":[9]}',
      "without a, with z": ' {"b":2,"c":3,"z":{w: 9}}',
      "without the last, with z": ' {"a":1,"b":2,"z":9}',
      "with z in the place of a": ' {"z":1,"b":2,"c":3}',
      "with other values": ' {"a":11,"b":12,"c":13}',
      "with a list for a": ' {"a":[1, {b: 2}],"b":2,"c":3}',
      "with lines for b": ' {"a":1,"b":"x\\ny\\n","c":3}',
      "with nothing but z": "\n  z:\n    w: 9",
    },
  ],
  [
    "in lines of their own",
    " {\n  a: 1,\n  b: 2,\n  c: 3\n}",
    {
      "without a": " {\n  b: 2,\n  c: 3\n}",
      "without b": " {\n  a: 1,\n  c: 3\n}",
      "without the last": " {\n  a: 1,\n  b: 2\n}",
      "with the first alone": " {\n  a: 1\n}",
      "with z": " {\n  a: 1,\n  b: 2,\n  c: 3,\n  z: 9\n}",
      "with y and z": ' {\n  a: 1,\n  b: 2,\n  c: 3,\n  yy: "8",\n  z: [9]\n}',
      "without a, with z": " {\n  b: 2,\n  c: 3,\n  z: {w: 9}\n}",
      "without the last, with z": " {\n  a: 1,\n  b: 2,\n  z: 9\n}",
      "with z in the place of a": " {\n  z: 1,\n  b: 2,\n  c: 3\n}",
      "with other values": " {\n  a: 11,\n  b: 12,\n  c: 13\n}",
      "with a list for a": " {\n  a: [1, {b: 2}],\n  b: 2,\n  c: 3\n}",
      "with lines for b": ' {\n  a: 1,\n  b: "x\\ny\\n",\n  c: 3\n}',
      "with nothing but z": "\n  z:\n    w: 9",
    },
  ],
  [
    "with comments in brackets",
    " {\n  a: 1, # 1\n  # 2\n  b: 2, # 3\n  c: 3 # 4\n}",
    {
      "without a": " {\n  # 2\n  b: 2, # 3\n  c: 3 # 4\n}",
      "without b": " {\n  a: 1, # 1\n  # 2\n  c: 3 # 4\n}",
      "without the last": " {\n  a: 1, # 1\n  # 2\n  b: 2 # 3\n}",
      "with the first alone": " {\n  a: 1 # 1\n  # 2\n}",
      "with z": " {\n  a: 1, # 1\n  # 2\n  b: 2, # 3\n  c: 3, # 4\n  z: 9\n}",
      "with y and z": ' {\n  a: 1, # 1\n  # 2\n  b: 2, # 3\n  c: 3, # 4\n  yy: "8",\n  z: [9]\n}',
      "without a, with z": " {\n  # 2\n  b: 2, # 3\n  c: 3, # 4\n  z: {w: 9}\n}",
      "without the last, with z": " {\n  a: 1, # 1\n  # 2\n  b: 2, # 3\n  z: 9\n}",
      "with z in the place of a": " {\n  z: 1, # 1\n  # 2\n  b: 2, # 3\n  c: 3 # 4\n}",
      "with other values": " {\n  a: 11, # 1\n  # 2\n  b: 12, # 3\n  c: 13 # 4\n}",
      "with a list for a": " {\n  a: [1, {b: 2}], # 1\n  # 2\n  b: 2, # 3\n  c: 3 # 4\n}",
      "with lines for b": ' {\n  a: 1, # 1\n  # 2\n  b: "x\\ny\\n", # 3\n  c: 3 # 4\n}',
      "with nothing but z": " {\n  # 2\n  z: {w: 9}\n}",
    },
  ],
  [
    "with a comma behind the last",
    " {\n  a: 1,\n  b: 2,\n}",
    {
      "without a": " {\n  b: 2,\n}",
      "without b": " {\n  a: 1,\n}",
      "without the last": " {\n  a: 1,\n}",
      "with the first alone": " {\n  a: 1,\n}",
      "with z": " {\n  a: 1,\n  b: 2,\n  z: 9,\n}",
      "with y and z": ' {\n  a: 1,\n  b: 2,\n  yy: "8",\n  z: [9],\n}',
      "without a, with z": " {\n  b: 2,\n  z: {w: 9},\n}",
      "without the last, with z": " {\n  a: 1,\n  z: 9,\n}",
      "with z in the place of a": " {\n  z: 1,\n  b: 2,\n}",
      "with other values": " {\n  a: 11,\n  b: 12,\n}",
      "with a list for a": " {\n  a: [1, {b: 2}],\n  b: 2,\n}",
      "with lines for b": ' {\n  a: 1,\n  b: "x\\ny\\n",\n}',
      "with nothing but z": "\n  z:\n    w: 9",
    },
  ],
  [
    "of lines",
    "\n  a: 1\n  b: 2\n  c: 3",
    {
      "without a": "\n  b: 2\n  c: 3",
      "without b": "\n  a: 1\n  c: 3",
      "without the last": "\n  a: 1\n  b: 2",
      "with the first alone": "\n  a: 1",
      "with z": "\n  a: 1\n  b: 2\n  c: 3\n  z: 9",
      "with y and z": '\n  a: 1\n  b: 2\n  c: 3\n  yy: "8"\n  z:\n  - 9',
      "without a, with z": "\n  b: 2\n  c: 3\n  z:\n    w: 9",
      "without the last, with z": "\n  a: 1\n  b: 2\n  z: 9",
      "with z in the place of a": "\n  z: 1\n  b: 2\n  c: 3",
      "with other values": "\n  a: 11\n  b: 12\n  c: 13",
      "with a list for a": "\n  a:\n  - 1\n  - b: 2\n  b: 2\n  c: 3",
      "with lines for b": "\n  a: 1\n  b: |\n    x\n    y\n  c: 3",
      "with nothing but z": "\n  z:\n    w: 9",
    },
  ],
  [
    "of lines with comments",
    "\n  a: 1 # 1\n  # 2\n  b: 2 # 3\n\n  c: 3 # 4\n  # 5",
    {
      "without a": "\n  # 2\n  b: 2 # 3\n\n  c: 3 # 4\n  # 5",
      "without b": "\n  a: 1 # 1\n  # 2\n\n  c: 3 # 4\n  # 5",
      "without the last": "\n  a: 1 # 1\n  # 2\n  b: 2 # 3\n\n  # 5",
      "with the first alone": "\n  a: 1 # 1\n  # 2\n\n  # 5",
      "with z": "\n  a: 1 # 1\n  # 2\n  b: 2 # 3\n\n  c: 3 # 4\n  z: 9\n  # 5",
      "with y and z": '\n  a: 1 # 1\n  # 2\n  b: 2 # 3\n\n  c: 3 # 4\n  yy: "8"\n  z:\n  - 9\n  # 5',
      "without a, with z": "\n  # 2\n  b: 2 # 3\n\n  c: 3 # 4\n  z:\n    w: 9\n  # 5",
      "without the last, with z": "\n  a: 1 # 1\n  # 2\n  b: 2 # 3\n  z: 9\n\n  # 5",
      "with z in the place of a": "\n  z: 1 # 1\n  # 2\n  b: 2 # 3\n\n  c: 3 # 4\n  # 5",
      "with other values": "\n  a: 11 # 1\n  # 2\n  b: 12 # 3\n\n  c: 13 # 4\n  # 5",
      "with a list for a": "\n  a: # 1\n  - 1\n  - b: 2\n  # 2\n  b: 2 # 3\n\n  c: 3 # 4\n  # 5",
      "with lines for b": '\n  a: 1 # 1\n  # 2\n  b: "x\\ny\\n" # 3\n\n  c: 3 # 4\n  # 5',
      "with nothing but z": "\n  z:\n    w: 9\n  # 5",
    },
  ],
  [
    "of keys that are marked",
    "\n  ? a\n  : 1\n  ? b\n  : 2",
    {
      "without a": "\n  ? b\n  : 2",
      "without b": "\n  ? a\n  : 1",
      "without the last": "\n  ? a\n  : 1",
      "with the first alone": "\n  ? a\n  : 1",
      "with z": "\n  ? a\n  : 1\n  ? b\n  : 2\n  z: 9",
      "with y and z": '\n  ? a\n  : 1\n  ? b\n  : 2\n  yy: "8"\n  z:\n  - 9',
      "without a, with z": "\n  ? b\n  : 2\n  z:\n    w: 9",
      "without the last, with z": "\n  ? a\n  : 1\n  z: 9",
      "with z in the place of a": "\n  ? z\n  : 1\n  ? b\n  : 2",
      "with other values": "\n  ? a\n  : 11\n  ? b\n  : 12",
      "with a list for a": "\n  ? a\n  :\n  - 1\n  - b: 2\n  ? b\n  : 2",
      "with lines for b": "\n  ? a\n  : 1\n  ? b\n  : |\n    x\n    y",
      "with nothing but z": "\n  z:\n    w: 9",
    },
  ],
  [
    "of texts in lines",
    "\n  a: |\n    1\n  b: 2\n    # 3\n  c: |+\n    3\n\n",
    {
      "without a": "\n  b: 2\n    # 3\n  c: |+\n    3\n\n",
      "without b": "\n  a: |\n    1\n  # 3\n  c: |+\n    3\n\n",
      "without the last": "\n  a: |\n    1\n  b: 2\n    # 3",
      "with the first alone": "\n  a: |\n    1\n  # 3",
      "with z": "\n  a: |\n    1\n  b: 2\n    # 3\n  c: |+\n    3\n\n\n  z: 9",
      "with y and z": '\n  a: |\n    1\n  b: 2\n    # 3\n  c: |+\n    3\n\n\n  yy: "8"\n  z:\n  - 9',
      "without a, with z": "\n  b: 2\n    # 3\n  c: |+\n    3\n\n\n  z:\n    w: 9",
      "without the last, with z": "\n  a: |\n    1\n  b: 2\n  z: 9\n    # 3",
      "with z in the place of a": "\n  z: |\n    1\n  b: 2\n    # 3\n  c: |+\n    3\n\n",
      "with other values": "\n  a: |-\n    1\n    !\n  b: 12\n    # 3\n  c: |-\n    3\n\n\n    !",
      "with a list for a": "\n  a:\n  - 1\n  - b: 2\n  b: 2\n    # 3\n  c: |+\n    3\n\n",
      "with lines for b": '\n  a: |\n    1\n  b: "x\\ny\\n"\n    # 3\n  c: |+\n    3\n\n',
      "with nothing but z": "\n  z:\n    w: 9",
    },
  ],
  [
    "with inner maps",
    "\n  a:\n    b: 1 # 1\n    c: 2\n  d: {e: 1} # 2",
    {
      "without a": "\n  d: {e: 1} # 2",
      "without b": "\n  a:\n    b: 1 # 1\n    c: 2\n  d: {e: 1} # 2",
      "without the last": "\n  a:\n    b: 1 # 1\n    c: 2",
      "with the first alone": "\n  a:\n    b: 1 # 1\n    c: 2",
      "with z": "\n  a:\n    b: 1 # 1\n    c: 2\n  d: {e: 1} # 2\n  z: 9",
      "with y and z": '\n  a:\n    b: 1 # 1\n    c: 2\n  d: {e: 1} # 2\n  yy: "8"\n  z:\n  - 9',
      "without a, with z": "\n  d: {e: 1} # 2\n  z:\n    w: 9",
      "without the last, with z": "\n  a:\n    b: 1 # 1\n    c: 2\n  z: 9",
      "with z in the place of a": "\n  z:\n    b: 1 # 1\n    c: 2\n  d: {e: 1} # 2",
      "with other values": "\n  a:\n    b: 1 # 1\n    c: 2\n    z: 5\n  d: {e: 1, z: 5} # 2",
      "with a list for a": "\n  a:\n  - 1\n  - b: 2\n  d: {e: 1} # 2",
      "with lines for b": "\n  a:\n    b: 1 # 1\n    c: 2\n  d: {e: 1} # 2\n  b: |\n    x\n    y",
      "with nothing but z": "\n  z:\n    w: 9",
    },
  ],
];

describe.each(forms)("a map %s", (_name, before, rows) => {
  test.each(Object.entries(rows))("%s", (what, after) => {
    for (const lineEnd of ["\n", "\r\n"]) {
      const result = rewritePipeline(fileWith(before).replaceAll("\n", lineEnd), ({ spec }) => {
        const { p } = spec.root?.inputDefinitions?.parameters ?? {};
        if (p !== undefined) p.defaultValue = changes[what]?.(Object(p.defaultValue));
      });
      const text = fileWith(after).replaceAll("\n", lineEnd);
      expect(result).toEqual({ ok: true, text, keptComments: true });
    }
  });
});
