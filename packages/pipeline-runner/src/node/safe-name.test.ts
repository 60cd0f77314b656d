import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { otherName, safeName } from "./safe-name.js";

test.each([
  ["train-1_a.B", "train-1_a.B"],
  ["a/b", "a%2fb"],
  ["a b", "a%20b"],
  ["\t", "%09"],
  ["\u0000", "%00"],
  ["%2f", "%252f"],
  ["ü", "%c3%bc"],
  ["数", "%e6%95%b0"],
  ["🚀", "%f0%9f%9a%80"],
  ["\ud800", "%ef%bf%bd"],
  ["", "%"],
  [".", "%2e"],
  ["..", "%2e%2e"],
  ["...", "%2e%2e%2e"],
  [".a", ".a"],
  ["a.", "a."],
])("%j is %s in a path", (name, safe) => expect(safeName(name)).toBe(safe));

test.each([
  ["a".repeat(200), "a".repeat(200)],
  [".".repeat(66), "%2e".repeat(66)],
  [".".repeat(67), `${"%2e".repeat(56).slice(0, 167)}-`],
  [".".repeat(300), `${"%2e".repeat(56).slice(0, 167)}-`],
  ["a".repeat(201), `${"a".repeat(167)}-`],
  ["ü".repeat(34), `${"%c3%bc".repeat(28).slice(0, 167)}-`],
  ["ü".repeat(33), "%c3%bc".repeat(33)],
])("a name of more than 200 characters ends with a fingerprint: %s", (name, start) => {
  const isLong = start.endsWith("-");
  const fingerprint = createHash("sha256").update(name).digest("hex").slice(0, 32);
  expect(safeName(name)).toBe(isLong ? start + fingerprint : start);
});

test("no two names are one path, and none leaves its folder", () => {
  const name = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.nat(300).map((dots) => ".".repeat(dots)),
    fc.stringMatching(/^[./%A-Za-z0-9-]{0,6}$/),
  );
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(safeName(one)).toMatch(/^(?!\.+$)[A-Za-z0-9._%-]{1,200}$/);
      expect(safeName(one) === safeName(other)).toBe(one === other);
      // A name that is taken is none that another name has.
      expect(otherName(safeName(one))).not.toBe(safeName(other));
    }),
    { seed: 1607 },
  );
});

test.each([
  ["workspace", "%77orkspace"],
  ["A", "%41"],
  ["%41", "%2541"],
])("instead of %s there is %s", (name, other) => expect(otherName(name)).toBe(other));
