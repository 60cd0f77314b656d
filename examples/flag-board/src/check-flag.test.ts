import { expect, test } from "vitest";
import { checkFlag } from "./check-flag.js";

const good = {
  key: "a",
  version: 1,
  on: true,
  variations: ["x", "y"],
  offVariation: 1,
  rules: [{ clauses: [{ attribute: "plan", op: "in", values: ["pro"] }], variation: 0 }],
  fallthrough: { variation: 1 },
};
const share = (...weights: number[]) => ({
  rollout: { variations: weights.map((weight, variation) => ({ variation, weight })) },
});

test("takes a flag, with members that nobody knows", () => {
  const flag = { ...good, __note: "kept", fallthrough: share(40_000, 60_000) };
  expect(checkFlag("a", JSON.stringify(flag))).toEqual({ ok: true, flag });
});

const wrong = [
  { name: "another key", change: { key: "b" }, path: "/key", says: 'must be "a"' },
  { name: "no state", change: { on: null }, path: "/on", says: "must be true or false" },
  { name: "a state of another type", change: { on: "yes" }, path: "/on", says: "expected true or false" },
  { name: "no variations", change: { variations: [] }, path: "/variations", says: "at least one" },
  {
    name: "a missing off variation",
    change: { offVariation: 2 },
    path: "/offVariation",
    says: "the last one is 1",
  },
  {
    name: "a negative variation",
    change: { offVariation: -1 },
    path: "/offVariation",
    says: "no variation -1",
  },
  {
    name: "a fallthrough to nothing",
    change: { fallthrough: {} },
    path: "/fallthrough",
    says: '"variation" or "rollout"',
  },
  {
    name: "a rule to nowhere",
    change: { rules: [{ ...good.rules[0], variation: 7 }] },
    path: "/rules/0/variation",
    says: "no variation 7",
  },
  {
    name: "an operator that does not exist",
    change: { rules: [{ clauses: [{ attribute: "plan", op: "is", values: [] }], variation: 0 }] },
    path: "/rules/0/clauses/0/op",
    says: "must be one of in, startsWith",
  },
  {
    name: "weights that are no whole",
    change: { fallthrough: share(40_000, 40_000) },
    path: "/fallthrough/rollout/variations",
    says: "add up to 80000",
  },
  {
    name: "a weight for a variation that does not exist",
    change: { fallthrough: share(40_000, 40_000, 20_000) },
    path: "/fallthrough/rollout/variations/2/variation",
    says: "no variation 2",
  },
];
for (const { name, change, path, says } of wrong) {
  test(`${name} is wrong at ${path}`, () => {
    const text = JSON.stringify({ ...good, ...change }, null, 2);
    const check = checkFlag("a", text);
    if (check.ok) throw new Error("it was taken");
    expect(check.problems).toEqual([
      { path, message: expect.stringContaining(says), line: expect.any(Number), column: expect.any(Number) },
    ]);
    // The place is that of the member: its name stands in the same line, or it is one of a list.
    const line = text.split("\n")[(check.problems[0]?.line ?? 0) - 1];
    expect(line).toContain(`"${path.split("/").at(-1)}"`);
  });
}

test("names all mistakes at once", () => {
  const check = checkFlag("a", JSON.stringify({ ...good, key: "b", offVariation: 9, fallthrough: null }));
  expect(check.ok ? [] : check.problems.map(({ path }) => path)).toEqual([
    "/key",
    "/offVariation",
    "/fallthrough",
  ]);
});

const notFlags = ["", "null", "[]", '"a"', '{"key":"a"', '{"key":"a",}', "{}", '{"variations":{}}'];
for (const text of notFlags) {
  test(`${JSON.stringify(text)} is no flag`, () => expect(checkFlag("a", text)).toMatchObject({ ok: false }));
}
