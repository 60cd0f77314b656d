import { expect, test } from "vitest";
import { type FieldShape, parseTable } from "./message-table.js";

const plain = { repeated: false, key: undefined, optional: false, oneof: undefined, replacedBy: undefined };

function fieldsOf(line: string, ...others: readonly string[]): readonly FieldShape[] {
  const shape = parseTable([line, ...others].join("\n")).get(line.split(" ")[0] ?? "");
  return shape?.kind === "message" ? shape.fields : [];
}

test.each([
  ["a:s", { name: "a", json: "a", local: "a", number: 1, type: "s" }],
  ["first_name=7:y", { name: "first_name", json: "firstName", local: "firstName", number: 7, type: "y" }],
  ["a__b_c_:b", { name: "a__b_c_", json: "aBC", local: "aBC", number: 1, type: "b" }],
  ["a_b~@type:d", { name: "a_b", json: "@type", local: "aB", number: 1, type: "d" }],
  ["a:*l", { name: "a", json: "a", local: "a", number: 1, type: "l", repeated: true }],
  ["a:?w", { name: "a", json: "a", local: "a", number: 1, type: "w", optional: true }],
  ["a:{i}V", { name: "a", json: "a", local: "a", number: 1, type: "V", key: "i" }],
  ["a:s@kind", { name: "a", json: "a", local: "a", number: 1, type: "s", oneof: "kind" }],
  ["a:s!", { name: "a", json: "a", local: "a", number: 1, type: "s", replacedBy: [] }],
  ["a:s!b_c/d", { name: "a", json: "a", local: "a", number: 1, type: "s", replacedBy: ["bC", "d"] }],
])("the field %s is read", (text, field) => {
  expect(fieldsOf(`M ${text}`)).toEqual([{ ...plain, ...field }]);
});

test("a number that is not written follows the one before, also behind reserved ranges", () => {
  const [shape] = parseTable("M a:s b=4:s -5-9 -12-12 c:s d=2:s e:s").values();
  expect(shape).toMatchObject({
    reserved: [
      [5, 9],
      [12, 12],
    ],
    fields: [1, 4, 5, 2, 3].map((number) => ({ number })),
  });
});

test("types may be named before their line comes, and in a circle", () => {
  const shapes = parseTable("A b:B k:K\nK= X\nB a:*A");
  const [a, k, b] = ["A", "K", "B"].map((name) => shapes.get(name));
  expect([...shapes.keys()]).toEqual(["A", "K", "B"]);
  expect(a).toMatchObject({ kind: "message", name: "A", fields: [{ type: b }, { type: k }] });
  expect(b).toMatchObject({ fields: [{ type: { name: "A" }, repeated: true }] });
});

test("of several names for one number of an enum the first is written, and all are read", () => {
  const shape = parseTable("K= A B=5 C D=5 E").get("K");
  expect(shape).toEqual({
    kind: "enum",
    name: "K",
    numbers: new Map(Object.entries({ A: 0, B: 5, C: 6, D: 5, E: 6 })),
    names: new Map([
      [0, "A"],
      [5, "B"],
      [6, "C"],
    ]),
  });
});

test.each(["a", "a:", "a:Missing", "a=x:s", "a:s:s", ":s"])("what is no field is refused: %s", (text) => {
  const message = `not a field of a message table: ${text}`;
  expect(() => parseTable(`M ${text}`)).toThrow(new TypeError(message));
});
