import { expect, test } from "vitest";
import { type BigSegments, compileFlags, createContext } from "../src/index.js";
import { type Item, segment } from "./flags.js";
import { Random } from "./random.js";

const asks = (...keys: readonly string[]): Item => ({ attribute: "", op: "segmentMatch", values: keys });
const inSegments = (...keys: readonly string[]): Item => ({ clauses: [asks(...keys)] });
const flagWith = (key: string, rest: Item): Item => ({
  key,
  version: 1,
  on: true,
  variations: [1, 0],
  fallthrough: { variation: 1 },
  ...rest,
});
const context = createContext({ kind: "user", key: "u" });

interface Outcomes {
  readonly key: string;
  readonly alone: unknown;
  readonly all: unknown;
  readonly many: unknown;
}

/** The outcome of each flag, with its reason, in each way that it can be asked; `padding` flags make it worth an engine. */
function outcomes(flags: readonly Item[], segments: readonly Item[], padding: number): readonly Outcomes[] {
  const padded = Array.from({ length: padding }, (_, n) =>
    flagWith(`padding${n}`, { rules: [{ variation: 0, ...inSegments("none") }] }),
  );
  const byKey = (items: readonly Item[]) => Object.fromEntries(items.map((item) => [String(item.key), item]));
  const evaluator = compileFlags({ flags: byKey([...flags, ...padded]), segments: byKey(segments) });
  const bigSegments: BigSegments = new Map([["u", { status: "STALE" }]]);
  const options = { withReasons: true, bigSegments };
  const all = JSON.parse(evaluator.evaluateAll(context, options));
  const keys = flags.map(({ key }) => String(key));
  const many = evaluator.evaluateMany(keys, context, options);
  const shown = ({
    reason,
    variation = null,
  }: {
    reason: unknown;
    variation?: number | null | undefined;
  }) => ({
    reason,
    variation,
  });
  return keys.map((key) => ({
    key,
    alone: shown(evaluator.evaluate(key, context, { bigSegments })),
    all: shown(all[key]),
    many: shown(JSON.parse(many.get(key) ?? "")),
  }));
}

/** Whoever is asked, and after whom, has the outcome that it has alone. */
function expectSame(found: readonly Outcomes[]): void {
  for (const one of found) expect(one).toEqual({ ...one, all: one.alone, many: one.alone });
}

const circle = [
  segment("big", { unbounded: true, generation: 1, rules: [inSegments("small")] }),
  segment("small", { rules: [inSegments("between")] }),
  segment("between", { rules: [inSegments("big")] }),
  segment("outside", { rules: [inSegments("small")] }),
];
const orders = [
  ["big", "small", "between", "outside"],
  ["outside", "between", "small", "big"],
  ["small", "outside", "big", "between"],
];

for (const padding of [0, 10]) {
  test.each(orders)(
    `all of a circle of segments have the status of its big one (${padding} more): %s, %s, %s, %s`,
    (...order) => {
      const flags = order.map((key, n) =>
        flagWith(`${n}-${key}`, { rules: [{ variation: 0, ...inSegments(key) }] }),
      );
      const found = outcomes(flags, circle, padding);
      expectSame(found);
      const error = { kind: "ERROR", errorKind: "MALFORMED_FLAG", bigSegmentsStatus: "STALE" };
      expect(found).toMatchObject(flags.map(() => ({ alone: { reason: error } })));
    },
  );

  test.each([
    ["a", "b"],
    ["b", "a"],
  ])(
    `all of a circle of flags have the status of the big segments on the way (${padding} more): %s, %s`,
    (...order) => {
      const needs = (...keys: readonly string[]) => ({
        prerequisites: keys.map((key) => ({ key, variation: 1 })),
      });
      const made: Record<string, Item> = { a: needs("asker", "b"), b: needs("a") };
      const flags = [
        ...order.map((key) => flagWith(key, made[key] ?? {})),
        flagWith("asker", { rules: [{ variation: 0, ...inSegments("alone") }] }),
      ];
      const found = outcomes(flags, [segment("alone", { unbounded: true, generation: 1 })], padding);
      expectSame(found);
      const error = { kind: "ERROR", errorKind: "MALFORMED_FLAG", bigSegmentsStatus: "STALE" };
      expect(found).toMatchObject([{ alone: { reason: error } }, { alone: { reason: error } }, {}]);
    },
  );
}

test("in random data with circles every flag has the outcome that it has alone", () => {
  for (let seed = 1; seed <= 150; seed++) {
    const random = new Random(seed);
    const some = (prefix: string, size: number) => `${prefix}${random.int(0, size - 1)}`;
    const segments = Array.from({ length: 6 }, (_, n) =>
      segment(`s${n}`, {
        ...(random.chance(1 / 3) ? { unbounded: true, generation: 1 } : {}),
        rules: random.list(0, 2, () => inSegments(some("s", 7), some("s", 7))),
      }),
    );
    const flags = Array.from({ length: 6 }, (_, n) =>
      flagWith(`f${n}`, {
        prerequisites: random.list(0, 2, () => ({ key: some("f", 7), variation: 1 })),
        rules: [{ variation: 0, ...inSegments(some("s", 7)) }],
      }),
    );
    for (const padding of [0, 10]) expectSame(outcomes(flags, segments, padding));
  }
});
