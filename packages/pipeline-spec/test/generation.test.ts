import { describe, expect, test } from "vitest";
// @ts-expect-error a script without declarations
import { harden as hardenScript } from "../scripts/harden.mjs";
// @ts-expect-error a script without declarations
import { publicNames as publicNamesScript } from "../scripts/names.mjs";
// @ts-expect-error a script without declarations
import { table as tableScript } from "../scripts/table.mjs";
import { parseTable } from "../src/message-table.js";

const harden: (source: string, path: string) => string = hardenScript;
const publicNames: (file: unknown) => Map<string, string> = publicNamesScript;
const table: (image: unknown) => { table: string } = tableScript;

const field = (name: string, more: object) => ({
  name,
  number: 1,
  label: "LABEL_OPTIONAL",
  jsonName: name,
  ...more,
});
const image = (...fields: object[]) => ({
  file: [{ name: "a.proto", package: "a", syntax: "proto3", messageType: [{ name: "Msg", field: fields }] }],
});

describe("the table refuses to be made", () => {
  const rows: readonly [name: string, fields: object[]][] = [
    [
      "of a well-known type that the reader does not know",
      [field("at", { type: "TYPE_MESSAGE", typeName: ".google.protobuf.Timestamp" })],
    ],
    ["of a wrapper", [field("n", { type: "TYPE_MESSAGE", typeName: ".google.protobuf.Int32Value" })]],
    ["of a field mask", [field("m", { type: "TYPE_MESSAGE", typeName: ".google.protobuf.FieldMask" })]],
    ["of a group", [field("g", { type: "TYPE_GROUP" })]],
  ];
  for (const [name, fields] of rows) {
    test(name, () => expect(() => table(image(...fields))).toThrow("is not known to the JSON reader"));
  }

  test("of another syntax", () => {
    const { file } = image();
    expect(() => table({ file: [{ ...file[0], syntax: "proto2" }] })).toThrow("only proto3");
  });
});

test("a table that nobody wrote is refused when it is read", () => {
  expect(() => parseTable("Msg a:Nope")).toThrow(TypeError);
  expect(() => parseTable("Msg a")).toThrow(TypeError);
});

describe("the names refuse", () => {
  test("two messages of one name", () => {
    const messageType = [
      { name: "A", nestedType: [{ name: "C" }] },
      { name: "B", nestedType: [{ name: "C" }] },
    ];
    expect(() => publicNames({ package: "a", messageType })).toThrow("B.C and A.C would both be called C");
  });
});

describe("generated code", () => {
  const depth = "if (previousRecursionDepth >= 100) {";

  test("writes entries safely and may nest as deeply as JSON", () => {
    const source = `import { BinaryReader } from "x";\n${depth}\n  message.labels[entry1.key] = entry1.value;\n  acc[key] = value;`;
    expect(harden(source, "../set-entry.js")).toBe(
      'import { BinaryReader } from "x";\nimport { setEntry } from "../set-entry.js";\nif (previousRecursionDepth >= 400) {\n  setEntry(message.labels, entry1.key, entry1.value);\n  setEntry(acc, key, value);',
    );
  });

  test("is refused when it writes entries in a new way", () => {
    expect(() => harden(`${depth}\n  (x as any).y[key] = value;`, "")).toThrow("in an unknown way");
  });

  test("is refused when it limits its depth in a new way", () => {
    expect(() => harden("const a = 1;", "")).toThrow("limits its depth");
    expect(() => harden("if (previousRecursionDepth >= 50) {", "")).toThrow("limits its depth");
  });
});
