import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProblemList, type Severity } from "./index.js";

const order: readonly Severity[] = ["error", "warning", "info"];
const severities = fc.array(fc.constantFrom(...order), { maxLength: 30 });

function listOf(all: readonly Severity[], most: number) {
  const list = new ProblemList(most);
  let made = 0;
  for (const [index, severity] of all.entries()) {
    list.add(severity, () => {
      made++;
      return { code: "c", severity, path: `/${index}`, message: "m" };
    });
  }
  return { list, made };
}

describe("a list of problems", () => {
  test("lists the worst, in the order in which they came, and counts all", () => {
    fc.assert(
      fc.property(severities, fc.nat({ max: 12 }), (all, most) => {
        const { list } = listOf(all, most);
        const worst = order.flatMap((severity) =>
          all.flatMap((one, index) => (one === severity ? [`/${index}`] : [])),
        );
        expect(list.listed().map(({ path }) => path)).toEqual(worst.slice(0, most));
        for (const one of order) {
          const count = all.filter((severity) => severity === one).length;
          const listed = list.listed().filter(({ severity }) => severity === one).length;
          expect(list.counts[one]).toBe(count);
          expect(list.unlisted()[one]).toBe(count - listed);
        }
        expect(list.remark() === undefined).toBe(all.length <= most);
      }),
      { seed: 13, numRuns: 300 },
    );
  });

  test("makes only what may be listed", () => {
    expect(listOf(new Array(1000).fill("warning"), 3).made).toBe(3);
    expect(listOf([...new Array<Severity>(3).fill("error"), "warning"], 3).made).toBe(3);
    // A later error is listed before them.
    expect(listOf([...new Array<Severity>(3).fill("warning"), "error"], 3).made).toBe(4);
  });

  test("says in words what is not listed", () => {
    const { list } = listOf(["error", "warning", "warning", "info", "info"], 1);
    expect(list.remark()).toMatchObject({
      code: "too-many-problems",
      severity: "info",
      message: "not listed: 2 more warnings, 2 more remarks",
    });
    list.addUnlisted({ error: 1, warning: 0, info: 0 });
    expect(list.remark()?.message).toBe("not listed: 1 more error, 2 more warnings, 2 more remarks");
    expect(list.counts).toEqual({ error: 2, warning: 2, info: 2 });
  });

  test.each([Number.NaN, -1])("of at most %d is refused", (most) => {
    expect(() => new ProblemList(most)).toThrow(TypeError);
  });
});
