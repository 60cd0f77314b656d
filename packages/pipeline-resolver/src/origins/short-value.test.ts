import { expect, test } from "vitest";
import { shortValue } from "./short-value.js";

const word = (length: number): string => "x".repeat(length);

test.each<[value: unknown, short: string]>([
  [undefined, "null"],
  [null, "null"],
  [1.5, "1.5"],
  [false, "false"],
  ['a"b', '"a\\"b"'],
  [{ a: 1 }, "{…}"],
  [[], "[]"],
  [[[], [1], "a", {}], '[[],[1],"a",{…}]'],
  [word(58), `"${word(58)}"`],
  [word(59), `"${word(58)}…`],
  [word(1_000), `"${word(58)}…`],
  [Array(29).fill(1), `[${Array(29).fill(1).join(",")}]`],
  [Array(30).fill(1), `[${Array(29).fill(1).join(",")},…`],
  [[word(56)], `["${word(56)}"]`],
])("%.40j in short is %s", (value, short) => {
  expect(shortValue(value)).toBe(short);
});
