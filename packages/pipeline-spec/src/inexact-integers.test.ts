import fc from "fast-check";
import { expect, test } from "vitest";
import { inexactIntegers } from "./inexact-integers.js";

test.each([
  ["9007199254740993", ["9007199254740993"]],
  ["-9007199254740993\n", ["-9007199254740993"]],
  ['{"a": [1, 18446744073709551615], "b": "9007199254740993"}', ["18446744073709551615"]],
  ['["\\"9007199254740993", 9007199254740995]', ["9007199254740995"]],
  ["[1152921504606846976, 1152921504606847000]", ["1152921504606846976"]],
  ["-9223372036854775808", ["-9223372036854775808"]],
  ["[9007199254740993.0, -9007199254740995e0]", ["9007199254740993", "-9007199254740995"]],
  [`1${"0".repeat(30)}`, [`1${"0".repeat(30)}`]],
  [`1${"0".repeat(500)}`, [`1${"0".repeat(500)}`]],
])("%s has integers that would become others", (text, expected) => {
  expect([...inexactIntegers(text).values()]).toEqual(expected);
});

test.each([
  "9007199254740991",
  "9007199254740992",
  "1e300",
  "0.12345678901234567",
  "12345678901234567.5e3",
  "100000000000000000000",
  "00000000000000000001",
  "",
])("%s has none", (text) => expect(inexactIntegers(text).size).toBe(0));

test("says of all integers whether they are written as they were", () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n })), (integers) => {
      const found = inexactIntegers(`[${integers.join(", ")}]`);
      const lost = integers.filter((one) => JSON.stringify(Number(one)) !== String(one));
      expect(new Set(found.keys())).toEqual(new Set(lost.map(Number)));
      for (const digits of found.values()) expect(lost).toContain(BigInt(digits));
    }),
    { seed: 14 },
  );
});

test("reads large texts once", () => {
  const text = `["${'\\"'.repeat(1_000_000)}", ${"9007199254740993,".repeat(100_000)} 1]`;
  expect(inexactIntegers(text).size).toBe(1);
});

const odd = "9007199254740993";

test.each<[text: string, ...written: string[]]>([
  [odd, odd],
  [`-${odd}`, `-${odd}`],
  [`${odd}.0`, odd],
  [`${odd}.000`, odd],
  [`${odd}e0`, odd],
  [`${odd}E+0`, odd],
  [`${odd}e-00`, odd],
  [`${odd}.0e+00`, odd],
  [`[1,${odd},-${odd}]`, odd, `-${odd}`],
  [`{"${odd}": ${odd}}`, odd],
  ["1152921504606846976", "1152921504606846976"],
  [`00${odd}`, `00${odd}`],
  // What is no integer, or exact.
  [`${odd}.5`],
  [`${odd}.05`],
  [`${odd}e1`],
  [`${odd}e+10`],
  [`${odd}e-10`],
  [`${odd}.`],
  ["9007199254740992"],
  ["9007199254740991"],
  ["999999999999999"],
  ["0000000000000000"],
  ["0000000000000001"],
  // What stands in a text, also behind quotes and backslashes in it.
  [`"${odd}"`],
  [`"a\\"${odd}"`],
  [`"a\\\\" ,${odd}`, odd],
  [`"\\\\\\"${odd}"`],
  [`["a", ${odd}, "${odd}"]`, odd],
])("%j has the integers %j", (text, ...written) => {
  expect([...inexactIntegers(text).values()]).toEqual(written);
});

test("each is found by what it would become", () => {
  expect([...inexactIntegers(`[${odd}, -${odd}]`).keys()]).toEqual([2 ** 53, -(2 ** 53)]);
});

test("no more than ten thousand of them are found, the first that there are", () => {
  const integers = (count: number) =>
    Array.from({ length: count }, (_, at) => String(2 ** 60 / 256 + at)).map((high) =>
      String(BigInt(high) * 256n + 1n),
    );
  for (const count of [9999, 10_000, 10_001]) {
    const found = [...inexactIntegers(`[${integers(count).join(",")}]`).values()];
    expect(found).toEqual(integers(Math.min(count, 10_000)));
  }
});
