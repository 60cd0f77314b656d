import { expect, test } from "vitest";
import type { Phase } from "./readiness.js";
import { isReady, missingNames, type ReadyPolicy } from "./ready-policy.js";

// Environments with the phases of their variants.
const cases: { policy: ReadyPolicy; phases: Record<string, Phase[]>; ready: boolean }[] = [
  { policy: "all", phases: {}, ready: false },
  { policy: "all", phases: { a: ["ready"], b: ["ready"] }, ready: true },
  { policy: "all", phases: { a: ["ready"], b: ["starting"] }, ready: false },
  { policy: "all", phases: { a: ["ready"], b: ["waiting"] }, ready: false },
  { policy: "all", phases: { a: ["ready", "waiting"] }, ready: false },
  { policy: "all", phases: { a: ["ready"], b: ["refused"] }, ready: true },
  { policy: "all", phases: { a: ["refused"], b: ["refused"] }, ready: false },
  { policy: "any", phases: {}, ready: false },
  { policy: "any", phases: { a: ["waiting"], b: ["ready"], c: ["refused"] }, ready: true },
  { policy: "any", phases: { a: ["starting"], b: ["refused"] }, ready: false },
  { policy: ["a"], phases: { a: ["ready"], b: ["waiting"] }, ready: true },
  { policy: ["a", "b"], phases: { a: ["ready"], b: ["waiting"] }, ready: false },
  { policy: ["a", "b"], phases: { a: ["ready"] }, ready: false },
  { policy: ["a"], phases: { a: ["ready", "starting"] }, ready: false },
  { policy: ["a"], phases: { a: ["refused"], b: ["ready"] }, ready: false },
];
for (const { policy, phases, ready } of cases) {
  test(`${JSON.stringify(policy)} of ${JSON.stringify(phases)} is ${ready ? "ready" : "not ready"}`, () => {
    const candidates = Object.entries(phases).flatMap(([group, all]) =>
      all.map((phase) => ({ group, phase })),
    );
    expect(isReady(policy, candidates)).toBe(ready);
  });
}

test.each<[ReadyPolicy, readonly string[], readonly string[]]>([
  ["all", [], []],
  ["any", [], []],
  [["a", "b"], ["b", "a", "c"], []],
  [["shop"], [], ['ready: there is no environment "shop", so /ready is 503 until one is added']],
  [
    ["prodution", "staging"],
    ["production", "staging"],
    [
      'ready: there is no environment "prodution", so /ready is 503 until one is added; is "production" meant?',
    ],
  ],
  [
    ["a/web", "x"],
    ["a"],
    ["a/web", "x"].map((name) => expect.stringContaining(`"${name}", so /ready is 503`)),
  ],
])("with %j of %j it is told: %j", (policy, names, said) => {
  expect(missingNames(policy, names)).toEqual(said);
});
