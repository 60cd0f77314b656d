import { expect, test } from "vitest";
import { compileFlags, createContext, type Evaluator, parseItem } from "../src/index.js";

const context = createContext({ kind: "multi", user: { key: "u7" }, org: { key: "o" } });
const keys = Array.from({ length: 20_000 }, (_, n) => `u${n}`);
const flag = (key: string, rest: object) =>
  parseItem(
    "flags",
    key,
    JSON.stringify({ key, version: 2, on: true, variations: [0, 1], fallthrough: { variation: 0 }, ...rest }),
  );
const rule = (clauses: object[]) => ({ variation: 1, clauses });
const clause = (rest: object) => ({ contextKind: "user", attribute: "key", op: "in", ...rest });

/** Large items of every kind of largeness. */
const large = {
  segment: parseItem("segments", "s", JSON.stringify({ key: "s", version: 2, included: keys })),
  "included contexts": parseItem(
    "segments",
    "s",
    JSON.stringify({ key: "s", version: 2, includedContexts: [{ contextKind: "user", values: keys }] }),
  ),
  targets: flag("a", { targets: [{ variation: 1, values: keys }] }),
  values: flag("a", { rules: [rule([clause({ values: keys })])] }),
  rules: flag("a", { rules: keys.map((key) => rule([clause({ values: [key] })])) }),
};
const others = [
  flag("a", { version: 1 }),
  flag("b", { rules: [rule([clause({ op: "segmentMatch", values: ["s"] })])] }),
];

for (const [name, item] of Object.entries(large)) {
  test(`takes a large item in small steps: ${name}`, () => {
    const before = compileFlags({}).apply({ extent: "full", items: others });
    const answers = before.evaluateAll(context);
    const steps = before.applyInSteps({ extent: "partial", items: [item] });
    const sizes: number[] = [];
    let next = steps.next();
    for (; !next.done; next = steps.next()) {
      sizes.push(next.value);
      // Whoever asks meanwhile gets what there was.
      expect(before.evaluateAll(context)).toBe(answers);
    }
    // The first step is the item as a whole, which was read before.
    expect(sizes.length).toBeGreaterThan(keys.length / 1024);
    expect(Math.max(...sizes.slice(1))).toBeLessThanOrEqual(64 * 1024);
    const atOnce: Evaluator = before.apply({ extent: "partial", items: [item] });
    expect(next.value.evaluateAll(context)).toBe(atOnce.evaluateAll(context));
    expect(next.value.evaluateAll(context)).not.toBe(answers);
  });
}

test("what is begun and given up changes nothing for what comes later", () => {
  const before = compileFlags({}).apply({ extent: "full", items: others });
  for (const item of Object.values(large)) {
    const steps = before.applyInSteps({ extent: "partial", items: [item] });
    for (let n = 0; n < 5; n++) steps.next();
  }
  for (const [name, item] of Object.entries(large)) {
    const after = before.apply({ extent: "partial", items: [item] });
    const alone = compileFlags({}).apply({ extent: "full", items: [...others, item] });
    expect(after.evaluateAll(context), name).toBe(alone.evaluateAll(context));
  }
});

test("a whole set takes a step for each item, and for none that is known", () => {
  const empty = compileFlags({});
  const items = Array.from({ length: 50 }, (_, n) => flag(`f${n}`, {}));
  const stepsOf = (evaluator: Evaluator, change: Parameters<Evaluator["apply"]>[0]) => [
    ...evaluator.applyInSteps(change),
  ];
  expect(stepsOf(empty, { extent: "full", items })).toHaveLength(50);
  const full = empty.apply({ extent: "full", items });
  expect(stepsOf(full, { extent: "full", items })).toHaveLength(0);
  expect(stepsOf(full, { extent: "full", items: [...items, flag("new", {})] })).toHaveLength(1);
});

const listing = {
  flags: (values: readonly string[]) => ({ targets: [{ variation: 1, values }] }),
  segments: (included: readonly string[]) => ({ included }),
};
for (const kind of ["flags", "segments"] as const) {
  test(`an update compiles everything anew as soon as most of what is there was left behind: ${kind}`, () => {
    const present = Array.from({ length: 50 }, (_, n) => flag(`f${n}`, {}));
    let evaluator = compileFlags({}).apply({ extent: "full", items: present });
    const anew: number[] = [];
    for (let version = 1; version <= 100; version++) {
      const values = Array.from({ length: 500 }, (_, n) => `${version} ${n}`);
      const json = JSON.stringify({ version, variations: [0, 1], ...listing[kind](values) });
      const steps = evaluator.applyInSteps({ extent: "partial", items: [parseItem(kind, "x", json)] });
      let taken = 0;
      let next = steps.next();
      for (; !next.done; next = steps.next()) taken++;
      if (taken > present.length) anew.push(version);
      evaluator = next.value;
    }
    // Neither with each update, which would cost as much as the whole set, nor never, which would cost memory without end.
    expect(anew.length).toBeGreaterThan(2);
    expect(anew.length).toBeLessThan(10);
    expect(anew[0]).toBeGreaterThan(10);
  });
}
