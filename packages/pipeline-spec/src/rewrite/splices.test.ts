import fc from "fast-check";
import { expect, test } from "vitest";
import { Splices } from "./splices.js";

function applied(
  source: string,
  all: readonly (readonly [start: number, end: number, text: string])[],
): string {
  const splices = new Splices();
  for (const [start, end, text] of all) splices.replace(start, end, text);
  return splices.applyTo(source);
}

test("what comes before something goes there before it is replaced, in the order in which it was noted", () => {
  expect(
    applied("abc", [
      [1, 2, "B"],
      [1, 1, "<"],
      [1, 1, "-"],
    ]),
  ).toBe("a<-Bc");
  expect(
    applied("abc", [
      [3, 3, "d"],
      [0, 1, ""],
      [0, 0, "x"],
    ]),
  ).toBe("xbcd");
  expect(applied("abc", [])).toBe("abc");
});

test("what stands in a stretch gives way, and not what stands at its end or where something is only put in", () => {
  const splices = new Splices();
  splices.replace(6, 8, "x");
  splices.replace(1, 3, "");
  splices.replace(3, 3, "y");
  const { isTaken } = splices;
  expect(Array.from({ length: 10 }, (_, at) => at).filter(isTaken)).toEqual([1, 2, 6, 7]);
});

test("each stretch gives way to its text, whatever the order in which they are noted", () => {
  const pieces = fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.option(fc.string({ maxLength: 3 }))), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(pieces, fc.infiniteStream(fc.nat()), (all, order) => {
      let at = 0;
      const splices = all.flatMap(([text, other]) => {
        const start = at;
        at += text.length;
        return other === null || text === "" ? [] : [[start, at, other, order.next().value] as const];
      });
      const shuffled = splices
        .toSorted((a, b) => a[3] - b[3])
        .map(([start, end, text]) => [start, end, text] as const);
      const wanted = all.map(([text, other]) => (text === "" ? "" : (other ?? text))).join("");
      expect(applied(all.map(([text]) => text).join(""), shuffled)).toBe(wanted);
    }),
    { seed: 7, numRuns: 500 },
  );
});
