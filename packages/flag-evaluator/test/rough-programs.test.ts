import { describe, expect, test } from "vitest";
import { compileFlags, createContext, type EvaluationDetail } from "../src/index.js";
import { dataOf, flag } from "./flags.js";

const alice = createContext({ kind: "user", key: "alice" });
const bob = createContext({ kind: "user", key: "bob" });
const create = () =>
  compileFlags(
    dataOf([
      flag("on", { on: true, variations: ["a"], fallthrough: { variation: 0 } }),
      flag("off", { on: false, variations: ["a"], offVariation: 0 }),
      flag("rule", { on: true, variations: ["a"], rules: [{ id: "r", variation: 0, clauses: [] }] }),
      flag("bad", { on: true, variations: ["a"], fallthrough: { variation: 7 } }),
    ]),
  );

/** Changes something as programs without types do; whether that is an error is theirs to see. */
function change(target: object, name: string, value: unknown): void {
  Reflect.set(target, name, value);
}

describe("what one caller does to what it was given is nobody else's", () => {
  const given: readonly (readonly [name: string, of: () => EvaluationDetail])[] = [
    ...["on", "off", "rule", "bad", "none"].map((key) => [key, () => create().evaluate(key, alice)] as const),
    ["of another type", () => create().evaluate("on", alice, { fallback: 1 })],
  ];
  test.each(given)("the reason: %s", (_, of) => {
    const expected = JSON.stringify(of().reason);
    const { reason } = of();
    change(reason, "kind", "CACHED");
    change(reason, "provider", "mine");
    expect(JSON.stringify(of().reason)).toBe(expected);
    expect(Object.isFrozen(reason)).toBe(true);
  });

  test("the reason in one evaluator is that of all contexts, explanations and later evaluators", () => {
    const evaluator = create();
    const before = evaluator.evaluateAll(bob, { withReasons: true });
    change(evaluator.evaluate("on", alice).reason, "kind", "CACHED");
    change(evaluator.explain("on", alice).detail.reason, "kind", "CACHED");
    const next = evaluator.upsert("flags", "z", { version: 1 }).delete("flags", "z", 2);
    for (const one of [evaluator, next]) {
      expect(one.evaluate("on", bob).reason).toEqual({ kind: "FALLTHROUGH" });
      expect(one.explain("on", bob).detail.reason).toEqual({ kind: "FALLTHROUGH" });
      expect(one.evaluateAll(bob, { withReasons: true })).toBe(before);
    }
  });

  test("the problems", () => {
    const evaluator = compileFlags({ flags: { a: "nonsense" } });
    const { problems } = evaluator;
    change(problems, "length", 0);
    change(problems[0] ?? {}, "key", "b");
    expect(evaluator.problems).toMatchObject([{ kind: "flags", key: "a" }]);
  });
});

describe("a call that cannot be meant says what was expected", () => {
  const evaluator = create();
  const never = (value: unknown) => value as never;
  const calls: readonly (readonly [name: string, call: () => unknown, message: string])[] = [
    [
      "the whole event",
      () => compileFlags(never({ path: "/", data: { flags: {} } })),
      'expected { flags, segments }, got neither, but "path", "data": give what stands under "data"',
    ],
    [
      "misspelt flags",
      () => evaluator.replace(never({ flgs: {} })),
      'expected { flags, segments }, got neither, but "flgs"',
    ],
    [
      "flags in a Map",
      () => compileFlags({ flags: never(new Map()) }),
      "flags must be an object with an item for each key, not a Map",
    ],
    [
      "a list of segments",
      () => compileFlags({ segments: never([]) }),
      "segments must be an object with an item for each key, not an array",
    ],
    [
      "no flags",
      () => compileFlags({ flags: never(null) }),
      "flags must be an object with an item for each key, not null",
    ],
    [
      "no version",
      () => evaluator.delete("flags", "on", never(undefined)),
      "the version must be a whole number, not nothing",
    ],
    [
      "a text as version",
      () => evaluator.delete("flags", "on", never("3")),
      'the version must be a whole number, not "3"',
    ],
    [
      "no number as version",
      () => evaluator.delete("flags", "on", Number.NaN),
      "the version must be a whole number, not NaN",
    ],
    [
      "no item",
      () => evaluator.upsert("flags", "on", never(null)),
      "expected a flag or segment as an object or its JSON text, got null",
    ],
    [
      "one key in place of many",
      () => evaluator.evaluateMany("on", alice),
      'expected a list of keys, such as ["on"]',
    ],
    [
      "no keys",
      () => evaluator.evaluateMany(never(undefined), alice),
      "expected a list of keys, got nothing",
    ],
    [
      "another extent",
      () => evaluator.apply(never({ extent: "all", items: [] })),
      'extent must be "full" or "partial", not "all"',
    ],
    ["no change", () => evaluator.apply(never(null)), "expected { extent, items }, got null"],
    ["no other evaluator", () => evaluator.changedSince(never(null)), "expected another evaluator, got null"],
    [
      "null for options of all",
      () => evaluator.evaluateAll(alice, never(null)),
      "options must be an object, not null",
    ],
    [
      "null for options of one",
      () => evaluator.evaluate("on", alice, never(null)),
      "options must be an object, not null",
    ],
    [
      "null for options of bytes",
      () => evaluator.evaluateAllBytes(alice, never(null)),
      "options must be an object, not null",
    ],
    [
      "a text for yes or no",
      () => evaluator.evaluateAll(alice, { withReasons: never("false") }),
      'withReasons must be true or false, not "false"',
    ],
    [
      "an audience that there is not",
      () => evaluator.evaluateAll(alice, { audience: never("desktop") }),
      'audience must be one of server, mobile, browser, not "desktop"',
    ],
    [
      "a format that there is not",
      () => evaluator.evaluateAll(alice, { format: never("xml") }),
      'format must be "evalx" or "eval", not "xml"',
    ],
    [
      "a misspelt option",
      () => evaluator.evaluateAll(alice, never({ withReason: true })),
      'there is no option "withReason"; there are bigSegments, fallback, audience, format, withReasons, allocate',
    ],
    [
      "what only looks like an item",
      () => evaluator.apply(never({ extent: "partial", items: [{ kind: "flags", key: "f" }] })),
      "expected items made by parseItem or tombstone",
    ],
    [
      "memberships in an object",
      () => evaluator.evaluate("on", alice, { bigSegments: never({}) }),
      "bigSegments must be a Map from context keys to what is known of them, not an object",
    ],
  ];
  test.each(calls)("%s", (_, call, message) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });

  test("what is no JSON is no context", () => {
    const round: Record<string, unknown> = { kind: "user", key: "u" };
    round.self = round;
    const failing = {
      kind: "user",
      get key() {
        throw new Error("no key");
      },
    };
    for (const [given, cause] of [
      [{ kind: "user", key: "u", big: 5n }, "BigInt"],
      [round, "circular"],
      [failing, "no key"],
    ] as const) {
      expect(() => createContext(given)).toThrow(
        expect.objectContaining({ code: "invalid_context", message: expect.stringContaining(cause) }),
      );
    }
  });
});
