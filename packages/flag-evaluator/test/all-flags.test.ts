import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Audience,
  compileFlags,
  createContext,
  type EvaluateAllOptions,
  type Evaluator,
} from "../src/index.js";
import type { Context } from "../src/read/context.js";
import { dataOf, flag, type Item } from "./flags.js";
import { Random } from "./random.js";
import { wildContext, wildData } from "./wild-data.js";

const user = createContext({ kind: "user", key: "userKeyA" });
const rule = { id: "r", clauses: [{ attribute: "key", op: "in", values: ["userKeyA"] }], variation: 1 };

const texts = [
  { name: "a plain flag", flag: flag("f", { version: 3 }), text: '{"value":"a","variation":0,"version":3}' },
  {
    name: "a flag without a variation",
    flag: flag("f", { on: false, offVariation: null }),
    text: '{"value":null,"variation":null,"version":1}',
  },
  {
    name: "a malformed flag",
    flag: flag("f", { fallthrough: {} }),
    text: '{"value":null,"variation":null,"version":1}',
  },
  {
    name: "a tracked flag",
    flag: flag("f", { trackEvents: true }),
    text: '{"value":"a","variation":0,"version":1,"trackEvents":true}',
  },
  {
    name: "a flag that is debugged",
    flag: flag("f", { debugEventsUntilDate: 1700000000000 }),
    text: '{"value":"a","variation":0,"version":1,"debugEventsUntilDate":1700000000000}',
  },
  {
    name: "everything at once",
    flag: flag("f", {
      rules: [{ ...rule, trackEvents: true }],
      debugEventsUntilDate: 5.5,
      prerequisites: [{ key: "on", variation: 0 }],
    }),
    text: '{"value":"b","variation":1,"version":1,"trackEvents":true,"trackReason":true,"reason":{"kind":"RULE_MATCH","ruleIndex":0,"ruleId":"r"},"debugEventsUntilDate":5,"prerequisites":["on"]}',
  },
  {
    name: "text beyond ASCII",
    flag: flag("f", { variations: ["é\u2028😀\ud800<&>"] }),
    text: '{"value":"\\u00e9\\u2028\\ud83d\\ude00\\ud800<&>","variation":0,"version":1}',
  },
];

for (const { name, flag: one, text } of texts) {
  test(`the text of ${name}`, () => {
    const evaluator = compileFlags(dataOf([one, flag("on")]));
    expect(evaluator.evaluateMany(["f"], user).get("f")).toBe(text);
    expect(evaluator.evaluateAll(user)).toContain(`"f":${text}`);
  });
}

const reasons = [
  { name: "off", flag: flag("f", { on: false }), reason: '{"kind":"OFF"}' },
  { name: "fallthrough", flag: flag("f"), reason: '{"kind":"FALLTHROUGH"}' },
  {
    name: "target",
    flag: flag("f", { targets: [{ variation: 1, values: ["userKeyA"] }] }),
    reason: '{"kind":"TARGET_MATCH"}',
  },
  {
    name: "rule",
    flag: flag("f", { rules: [rule] }),
    reason: '{"kind":"RULE_MATCH","ruleIndex":0,"ruleId":"r"}',
  },
  {
    name: "experiment in a rule",
    flag: flag("f", {
      rules: [
        {
          id: "r",
          clauses: [],
          rollout: { kind: "experiment", variations: [{ variation: 0, weight: 100_000 }] },
        },
      ],
    }),
    reason: '{"kind":"RULE_MATCH","ruleIndex":0,"ruleId":"r","inExperiment":true}',
  },
  {
    name: "prerequisite",
    flag: flag("f", { prerequisites: [{ key: "é", variation: 0 }] }),
    reason: '{"kind":"PREREQUISITE_FAILED","prerequisiteKey":"\\u00e9"}',
  },
  {
    name: "error",
    flag: flag("f", { fallthrough: {} }),
    reason: '{"kind":"ERROR","errorKind":"MALFORMED_FLAG"}',
  },
  {
    name: "big segment",
    flag: flag("f", { rules: [{ clauses: [{ op: "segmentMatch", values: ["big"] }], variation: 1 }] }),
    reason: '{"kind":"FALLTHROUGH","bigSegmentsStatus":"NOT_CONFIGURED"}',
  },
];

for (const { name, flag: one, reason } of reasons) {
  test(`the text of a reason: ${name}`, () => {
    const evaluator = compileFlags(dataOf([one], [{ key: "big", unbounded: true }]));
    const [text = ""] = evaluator.evaluateMany(["f"], user, { withReasons: true }).values();
    expect(text.slice(text.indexOf('"reason":') + 9, -1)).toBe(reason);
  });
}

test("reasons are only written where they are asked for, except for experiments", () => {
  const experiment = { rollout: { kind: "experiment", variations: [{ variation: 0, weight: 100_000 }] } };
  const evaluator = compileFlags(dataOf([flag("plain"), flag("experiment", { fallthrough: experiment })]));
  const all = JSON.parse(evaluator.evaluateAll(user));
  expect(all.plain).not.toHaveProperty("reason");
  expect(all.experiment).toHaveProperty("reason", { kind: "FALLTHROUGH", inExperiment: true });
});

const available = (mobile: boolean, browser: boolean) => ({
  clientSideAvailability: { usingMobileKey: mobile, usingEnvironmentId: browser },
});
const visibility: readonly { name: string; members: Item; seenBy: readonly Audience[] }[] = [
  { name: "all", members: available(true, true), seenBy: ["server", "mobile", "browser"] },
  { name: "mobile", members: available(true, false), seenBy: ["server", "mobile"] },
  { name: "browser", members: available(false, true), seenBy: ["server", "browser"] },
  { name: "neither", members: available(false, false), seenBy: ["server"] },
  { name: "nothing said", members: {}, seenBy: ["server", "mobile"] },
  { name: "the old member", members: { clientSide: true }, seenBy: ["server", "mobile", "browser"] },
  {
    name: "both, which the new one wins",
    members: { clientSide: true, ...available(false, false) },
    seenBy: ["server"],
  },
  { name: "an empty availability", members: { clientSideAvailability: {} }, seenBy: ["server"] },
  {
    name: "null availability",
    members: { clientSideAvailability: null, clientSide: true },
    seenBy: ["server", "mobile", "browser"],
  },
];

for (const { name, members, seenBy } of visibility) {
  test(`who sees a flag available to: ${name}`, () => {
    const evaluator = compileFlags(
      dataOf([flag("f", members), flag("varying", { ...members, rules: [rule] })]),
    );
    for (const audience of ["server", "mobile", "browser"] as const) {
      const keys = seenBy.includes(audience) ? ["f", "varying"] : [];
      expect([audience, Object.keys(JSON.parse(evaluator.evaluateAll(user, { audience })))]).toEqual([
        audience,
        keys,
      ]);
      expect([...evaluator.evaluateMany(["f", "varying"], user, { audience }).keys()]).toEqual(keys);
    }
  });
}

test("an unknown audience is a mistake in the program", () => {
  const evaluator = compileFlags(dataOf([flag("f")]));
  expect(() => evaluator.evaluateAll(user, { audience: "desktop" as never })).toThrow(TypeError);
  expect(() => evaluator.evaluateMany(["f"], user, { audience: "desktop" as never })).toThrow(TypeError);
  expect(() => evaluator.evaluateAll(user, { format: "xml" as never })).toThrow(TypeError);
});

test("the old format has bare values", () => {
  const flags = [
    flag("a", { variations: [{ x: [1] }] }),
    flag("b", { on: false, offVariation: null }),
    flag("c", { rules: [rule] }),
  ];
  const evaluator = compileFlags(dataOf(flags));
  expect(evaluator.evaluateAll(user, { format: "eval", withReasons: true })).toBe(
    '{"a":{"x":[1]},"b":null,"c":"b"}',
  );
  expect(evaluator.evaluateMany(["a", "c"], user, { format: "eval" })).toEqual(
    new Map([
      ["a", '{"x":[1]}'],
      ["c", '"b"'],
    ]),
  );
});

test("flags come in an order of their own, whatever the order they came in", () => {
  const flags = [
    flag("c", { rules: [rule] }),
    flag("b"),
    flag("a", { rules: [rule] }),
    flag("d", { on: false }),
  ];
  const orders = [flags, flags.toReversed()].map((items) =>
    Object.keys(JSON.parse(compileFlags(dataOf(items)).evaluateAll(user))),
  );
  expect(orders).toEqual([
    ["b", "d", "a", "c"],
    ["b", "d", "a", "c"],
  ]);
});

test("no flags, only constant flags and only varying flags make well-formed objects", () => {
  const varying = [flag("x", { rules: [rule] }), flag("y", { rules: [rule] })];
  const all = (flags: readonly Item[]) => compileFlags(dataOf(flags)).evaluateAll(user, { format: "eval" });
  expect(all([])).toBe("{}");
  expect(compileFlags({}).evaluateAll(user)).toBe("{}");
  expect(all([flag("a"), flag("b")])).toBe('{"a":"a","b":"a"}');
  expect(all(varying)).toBe('{"x":"b","y":"b"}');
  expect(all([flag("a"), ...varying])).toBe('{"a":"a","x":"b","y":"b"}');
});

test("keys of every kind are members, and none is more than that", () => {
  const keys = ["__proto__", "constructor", "", "1", "é", 'quo"te', "a\nb", "\ud800", "😀"];
  const flags = Object.fromEntries(keys.map((key) => [key, flag(key)]));
  const all: Item = JSON.parse(compileFlags({ flags }).evaluateAll(user, { format: "eval" }));
  expect(Object.getOwnPropertyNames(all).sort()).toEqual(keys.sort());
  expect(Object.values(all)).toEqual(keys.map(() => "a"));
});

test("bytes are those of the text, in an array of the caller's", () => {
  const evaluator = compileFlags(dataOf([flag("f", { variations: ["é"] }), flag("g", { rules: [rule] })]));
  const text = evaluator.evaluateAll(user);
  const bytes = evaluator.evaluateAllBytes(user);
  const allocated = evaluator.evaluateAllBytes(user, { allocate: Buffer.allocUnsafe });
  evaluator.evaluateAllBytes(createContext({ kind: "user", key: "other" }));
  expect(new TextDecoder().decode(bytes)).toBe(text);
  expect(allocated).toBeInstanceOf(Buffer);
  expect(allocated.toString()).toBe(text);
  expect(text).toHaveLength(bytes.length);
});

/** What `evaluateAll` should write, from single evaluations and built as an object. */
function expectedText(
  evaluator: Evaluator,
  context: Context,
  keys: readonly string[],
  options: EvaluateAllOptions,
): string {
  const members = keys.map((key) => {
    const { value, variation, version, trackEvents, trackReason, reason, prerequisites } = evaluator.evaluate(
      key,
      context,
    );
    if (options.format === "eval") return [key, value] as const;
    const { debugEventsUntilDate } = JSON.parse(evaluator.item("flags", key)?.json ?? "{}");
    const result = {
      value,
      variation: variation ?? null,
      version,
      ...(trackEvents ? { trackEvents } : {}),
      ...(trackReason ? { trackReason } : {}),
      ...(options.withReasons || trackReason ? { reason } : {}),
      ...(debugEventsUntilDate ? { debugEventsUntilDate } : {}),
      ...(prerequisites.length > 0 ? { prerequisites } : {}),
    };
    return [key, result] as const;
  });
  const text = JSON.stringify(Object.fromEntries(members));
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

test("the text is that of an object built from single evaluations, written by JSON.stringify with escapes", () => {
  const options = fc.record({
    audience: fc.constantFrom("server" as const, "mobile" as const, "browser" as const),
    format: fc.constantFrom("evalx" as const, "eval" as const),
    withReasons: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.integer(), fc.array(options, { minLength: 1, maxLength: 4 }), (seed, forms) => {
      const random = new Random(seed);
      const evaluator = compileFlags(wildData(random, 15));
      for (const form of forms) {
        const context = createContext(wildContext(random));
        const text = evaluator.evaluateAll(context, form);
        expect(text).toBe(expectedText(evaluator, context, Object.keys(JSON.parse(text)), form));
        expect(evaluator.evaluateMany(Object.keys(JSON.parse(text)), context, form).size).toBe(
          Object.keys(JSON.parse(text)).length,
        );
      }
    }),
    { seed: 1, numRuns: 300 },
  );
});

test("many flags are asked for by key, and those that are not there are left out", () => {
  const evaluator = compileFlags(
    dataOf([flag("a"), flag("b", { rules: [rule] }), { key: "gone", version: 1, deleted: true }]),
  );
  expect([...evaluator.evaluateMany(new Set(["b", "gone", "missing", "a"]), user).keys()]).toEqual([
    "b",
    "a",
  ]);
});
