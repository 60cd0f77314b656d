import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxEventDepth, scanEvents } from "./event-array.js";

const all = { count: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
const scan = (text: string, room = all) => scanEvents(Buffer.from(text), room);
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

test("counts what JSON.parse counts and keeps what there is room for, whatever the events are", () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 8 }),
      fc.nat(10),
      fc.nat(300),
      fc.constantFrom(undefined, 1, "\t"),
      (values, count, bytes, blanks) => {
        const text = Buffer.from(` ${JSON.stringify(values, null, blanks)}\n`);
        /** The size of the first events, by an array that has no more. */
        const sizes = values.map((_, n) => {
          const found = scanEvents(text, { ...all, count: n + 1 });
          return found.kind === "events" ? found.end - found.start : Number.NaN;
        });
        const fitting = sizes.filter((size, n) => size <= bytes && n < count).length;
        const found = scanEvents(text, { count, bytes });
        expect(found).toMatchObject({ kind: "events", count: values.length, kept: fitting });
        const inside = found.kind === "events" ? text.toString("utf8", found.start, found.end) : "";
        expect(JSON.parse(`[${inside}]`)).toEqual(JSON.parse(JSON.stringify(values.slice(0, fitting))));
      },
    ),
    { seed: 12, numRuns: 2000 },
  );
});

describe("depth", () => {
  const cases = [
    { name: "arrays at the limit", text: nested(maxEventDepth), kind: "events" },
    { name: "arrays beyond it", text: nested(maxEventDepth + 1), kind: "too-deep" },
    {
      name: "objects beyond it",
      text: `[${'{"a":'.repeat(maxEventDepth)}1${"}".repeat(maxEventDepth)}]`,
      kind: "too-deep",
    },
    { name: "brackets in a string", text: JSON.stringify([nested(20_000)]), kind: "events" },
    { name: "brackets after an escaped quote", text: JSON.stringify([`"${nested(20_000)}`]), kind: "events" },
    { name: "side by side", text: `[${Array(20_000).fill("[]").join()}]`, kind: "events" },
    { name: "never closed", text: "[".repeat(20_000), kind: "too-deep" },
  ];
  for (const { name, text, kind } of cases) test(name, () => expect(scan(text).kind).toBe(kind));
});

for (const text of ["", " ", "null", "{}", "[", "[1", '["', '["\\', "[1]]", "[1],[2]", "1", "]"]) {
  test(`${JSON.stringify(text)} is no array`, () => expect(scan(text)).toEqual({ kind: "other" }));
}
