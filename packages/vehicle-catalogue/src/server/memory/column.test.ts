import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atOnce } from "../../records/sliced.js";
import type { Vehicle } from "../../vehicle.js";
import type { VehicleCondition } from "../catalogue.js";
import { Column } from "./column.js";

/** A column of `own`, or of a member of it, in rows with these values. */
function columnOf(values: readonly unknown[], attribute = "own") {
  const rows = values.map((own) => ({ own }) as unknown as Vehicle);
  const [column, all] = [new Column(attribute), Uint32Array.from(rows.keys())];
  const grow = (length: number) => atOnce(column.grow(rows, length));
  grow(rows.length);
  return {
    ordered: (isDescending: boolean) => [...atOnce(column.ordered(all, all, isDescending))],
    satisfying: (condition: object) => [
      ...atOnce(column.satisfying(all, all, { attribute, ...condition } as VehicleCondition)),
    ],
  };
}

const values = fc.oneof(
  fc.array(fc.option(fc.constantFrom(3, -1, 0.5, 20, 100), { nil: undefined }), { maxLength: 12 }),
  fc.array(fc.option(fc.constantFrom("b", "a", "É", "e", "", "a b"), { nil: null }), { maxLength: 12 }),
  fc.array(fc.option(fc.boolean()), { maxLength: 12 }),
);

test("rows stand in the order of their values, equals as they came, unknown ones last, however the column grew", () => {
  const keyOf = (value: unknown): unknown =>
    typeof value === "string" ? value.replace("É", "e") : (value ?? undefined);
  const byValue = (all: readonly unknown[], isDescending: boolean): readonly number[] =>
    [...all.keys()].sort((a, b) => {
      const [one, other] = [keyOf(all[a]), keyOf(all[b])] as [number | undefined, number | undefined];
      if (one === other) return 0;
      if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
      return one < other === isDescending ? 1 : -1;
    });
  fc.assert(
    fc.property(values, fc.nat(12), fc.boolean(), (all, first, isDescending) => {
      const rows = all.map((own) => ({ own }) as unknown as Vehicle);
      const column = new Column("own");
      for (const length of [Math.min(first, rows.length), rows.length]) {
        const places = Uint32Array.from(rows.slice(0, length).keys());
        atOnce(column.grow(rows, length));
        expect([...atOnce(column.ordered(places, places, isDescending))]).toEqual(
          byValue(all.slice(0, length), isDescending),
        );
      }
    }),
    { seed: 27, numRuns: 200 },
  );
});

describe("a condition holds", () => {
  test.each<[what: string, values: readonly unknown[], condition: object, places: readonly number[]]>([
    ["of lists by their items", [["a,b"], ["a", "b"], []], { is: "in", values: ["a"] }, [1]],
    ["of lists whatever stands beside", [["b", "A"], ["b"]], { is: "in", values: ["a"] }, [0]],
    ["of numbers, not of texts of digits", [7, 8], { is: "in", values: ["7"] }, []],
    ["of no text, where there is a bound", ["9", "a"], { is: "gt", bound: 1 }, []],
    ["of nothing true or false, where there is a bound", [true, false], { is: "gte", bound: 0 }, []],
    ["of nothing that is not there", [null, undefined, 0], { is: "lte", bound: 0 }, [2]],
  ])("%s", (_, all, condition, places) => {
    expect(columnOf(all).satisfying(condition)).toEqual(places);
  });
});

test("a member is one of the value itself, not what all objects have", () => {
  const all: readonly unknown[] = [{}, null, { constructor: "b" }, "text", { constructor: "a" }];
  expect(columnOf(all, "own.constructor").ordered(false)).toEqual([4, 2, 0, 1, 3]);
});
