import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  clauseOperators,
  compileFlags,
  createContext,
  type Evaluator,
  type ItemKind,
  parseItem,
} from "../src/index.js";
import { dataOf, flag, flagWithClauses, type Item, segment } from "./flags.js";
import { Random } from "./random.js";
import { wildContext, wildData } from "./wild-data.js";

/** Of the random rounds: some at every change. */
const rounds = process.env.WYE_ALL_ROUNDS ? 200 : 15;

const user = createContext({ kind: "user", key: "u" });
const valueBy = (evaluator: Evaluator, key = "f") => evaluator.evaluate(key, user).value;

test("an item that is newer takes the place of the older, one that is not changes nothing", () => {
  const first = compileFlags(dataOf([flag("f", { version: 5 })]));
  const newer = first.upsert("flags", "f", flag("f", { version: 6, fallthrough: { variation: 1 } }));
  expect([valueBy(first), valueBy(newer)]).toEqual(["a", "b"]);
  expect(newer.upsert("flags", "f", flag("f", { version: 6, fallthrough: { variation: 2 } }))).toBe(newer);
  expect(newer.upsert("flags", "f", flag("f", { version: 1 }))).toBe(newer);
  expect(newer.delete("flags", "f", 6)).toBe(newer);
});

test("a deleted item is gone, is remembered, and returns only with a newer version", () => {
  const first = compileFlags(dataOf([flag("f", { version: 5 }), flag("g")]));
  const without = first.delete("flags", "f", 7);
  expect(JSON.parse(without.evaluateAll(user, { format: "eval" }))).toEqual({ g: "a" });
  expect(without.evaluate("f", user).reason.errorKind).toBe("FLAG_NOT_FOUND");
  expect(without.item("flags", "f")).toMatchObject({ key: "f", version: 7, deleted: true });
  expect(without.upsert("flags", "f", flag("f", { version: 7 }))).toBe(without);
  expect(valueBy(without.upsert("flags", "f", flag("f", { version: 8 })))).toBe("a");
  expect(valueBy(first)).toBe("a");
});

test("deleting what was never there is remembered too", () => {
  const evaluator = compileFlags({}).delete("segments", "s", 3);
  expect(evaluator.item("segments", "s")).toMatchObject({ version: 3, deleted: true });
  expect(evaluator.upsert("segments", "s", segment("s", { version: 3 }))).toBe(evaluator);
});

test("updates of segments and of prerequisites reach the flags that refer to them", () => {
  const flags = [
    flagWithClauses([{ op: "segmentMatch", values: ["s"] }]),
    flag("g", { prerequisites: [{ key: "flag", variation: 1 }] }),
  ];
  const first = compileFlags(dataOf(flags));
  const second = first.upsert("segments", "s", segment("s", { included: ["u"] }));
  const third = second.upsert("segments", "s", segment("s", { version: 2 }));
  const fourth = second.delete("flags", "flag", 9);
  const both = (evaluator: Evaluator) => [valueBy(evaluator, "flag"), valueBy(evaluator, "g")];
  expect([first, second, third, fourth].map(both)).toEqual([
    ["a", "c"],
    ["b", "a"],
    ["a", "c"],
    [null, "c"],
  ]);
});

test("a clause that comes with an update is answered as if it had been there from the start, whatever it asks", () => {
  const values = [
    1,
    2,
    3,
    "1.0.0",
    "2.0.0",
    "3.0.0",
    "2024-01-01T00:00:00Z",
    "2026-01-01T00:00:00Z",
    "a",
    "ab",
  ];
  const contexts = values.map((attr) => createContext({ kind: "user", key: "u", attr }));
  const given = (evaluator: Evaluator) => contexts.map((one) => evaluator.evaluateAll(one));
  for (const [op, negate] of clauseOperators.flatMap((op) => [[op, false] as const, [op, true] as const])) {
    const flags = values.map((value, n) =>
      flag(`f${n}`, {
        rules: [{ clauses: [{ attribute: "attr", op, values: [value], negate }], variation: 1 }],
      }),
    );
    let grown = compileFlags({});
    for (const [n, item] of flags.entries()) {
      grown = grown.upsert("flags", `f${n}`, item);
      expect(given(grown)).toEqual(given(compileFlags(dataOf(flags.slice(0, n + 1)))));
    }
  }
});

test("keys that an update takes out of a list are out, and those that it puts in are in", () => {
  const first = compileFlags(dataOf([flag("f", { targets: [{ variation: 1, values: ["u", "v"] }] })]));
  const second = first.upsert(
    "flags",
    "f",
    flag("f", {
      version: 2,
      targets: [
        { variation: 2, values: ["v"] },
        { variation: 1, values: ["w"] },
      ],
    }),
  );
  const third = second.upsert(
    "flags",
    "f",
    flag("f", { version: 3, targets: [{ variation: 1, values: ["u"] }] }),
  );
  const variations = (evaluator: Evaluator) =>
    ["u", "v", "w"].map((key) => evaluator.evaluate("f", createContext({ kind: "user", key })).variation);
  expect([first, second, third].map(variations)).toEqual([
    [1, 1, 0],
    [0, 2, 1],
    [1, 0, 0],
  ]);
});

test("a whole data set replaces everything, whatever the versions", () => {
  const first = compileFlags(dataOf([flag("f", { version: 9 }), flag("g")], [segment("s")]));
  const second = first.replace(dataOf([flag("f", { version: 2, fallthrough: { variation: 1 } })]));
  expect(JSON.parse(second.evaluateAll(user, { format: "eval" }))).toEqual({ f: "b" });
  expect([second.items("segments"), second.item("flags", "g")]).toEqual([[], undefined]);
  expect(JSON.parse(first.evaluateAll(user, { format: "eval" }))).toEqual({ f: "a", g: "a" });
});

test("items are kept as they came, with members that mean nothing here", () => {
  const text = '{ "key":"f", "version":3,"on":true, "future": {"x":[1e2, 12345678901234567890]} }';
  const item = { key: "s", version: 1, other: { ключ: null } };
  const evaluator = compileFlags({ flags: { f: text, none: null }, segments: { s: item } });
  expect(evaluator.item("flags", "f")).toMatchObject({ key: "f", version: 3, deleted: false, json: text });
  expect(evaluator.items("segments").map(({ json }) => json)).toEqual([JSON.stringify(item)]);
  expect(evaluator.items("flags").map(({ key }) => key)).toEqual(["f"]);
});

test("later changes to the objects that were given do not matter", () => {
  const item = { ...flag("f"), variations: [{ list: [1] }] };
  const evaluator = compileFlags(dataOf([item]));
  item.variations[0]?.list.push(2);
  expect(valueBy(evaluator)).toEqual({ list: [1] });
  expect(evaluator.item("flags", "f")?.json).toContain('"list":[1]}');
});

test("an evaluator knows which flags may differ from another", () => {
  const flags = [
    flag("a"),
    flag("b", { prerequisites: [{ key: "a", variation: 0 }] }),
    flag("c", { rules: [{ clauses: [{ op: "segmentMatch", values: ["outer"] }], variation: 1 }] }),
    flag("d", { prerequisites: [{ key: "c", variation: 0 }] }),
    flag("e"),
  ];
  const segments = [
    segment("outer", { rules: [{ clauses: [{ op: "segmentMatch", values: ["inner"] }] }] }),
    segment("inner"),
    segment("unused"),
  ];
  const first = compileFlags(dataOf(flags, segments));
  expect(first.affectedBy("flags", "a")).toEqual(["a", "b"]);
  expect(first.affectedBy("segments", "inner")).toEqual(["c", "d"]);
  expect(first.affectedBy("segments", "unused")).toEqual([]);
  expect(first.affectedBy("flags", "unknown")).toEqual(["unknown"]);
  expect(first.changedSince(first)).toEqual([]);
  expect(first.upsert("segments", "inner", segment("inner", { version: 2 })).changedSince(first)).toEqual([
    "c",
    "d",
  ]);
  expect(first.delete("flags", "a", 2).changedSince(first)).toEqual(["a", "b"]);
  expect(first.replace(dataOf([flags[4] as Item, flag("new")], segments)).changedSince(first)).toEqual([
    "a",
    "b",
    "c",
    "d",
    "new",
  ]);
  expect(compileFlags(dataOf(flags, segments)).changedSince(first)).toEqual([]);
});

const wrong = [
  { name: "text that is not JSON", item: "{", path: "", message: /not JSON/ },
  { name: "JSON that is no object", item: "[1]", path: "", message: /expected an object, got an array/ },
  {
    name: "a member of the wrong type",
    item: flag("f", { on: "yes" }),
    path: "/on",
    message: /expected true or false, got a string/,
  },
  {
    name: "a version of the wrong type",
    item: flag("f", { version: "1" }),
    path: "/version",
    message: /expected a number/,
  },
  {
    name: "a list that is none",
    item: flag("f", { rules: {} }),
    path: "/rules",
    message: /expected an array, got an object/,
  },
  {
    name: "an element of the wrong type",
    item: flag("f", { rules: [{ clauses: [1] }] }),
    path: "/rules/0/clauses/0",
    message: /expected an object, got a number/,
  },
  {
    name: "a key of the wrong type",
    item: flag("f", { targets: [{ values: ["x", 1] }] }),
    path: "/targets/0/values/1",
    message: /expected a string, got a number/,
  },
  {
    name: "an object that is none",
    item: flag("f", { fallthrough: 1 }),
    path: "/fallthrough",
    message: /expected an object/,
  },
  {
    name: "a member within, of the wrong type",
    item: flag("f", { rules: [{}, { rollout: { variations: [{ weight: "1" }] } }] }),
    path: "/rules/1/rollout/variations/0/weight",
    message: /expected a number/,
  },
  {
    name: "a number beyond all",
    item: '{"key":"f","version":1,"variations":[1e999]}',
    path: "",
    message: /beyond 64-bit/,
  },
  {
    name: "too many levels",
    item: `{"key":"f","x":${"[".repeat(5000)}${"]".repeat(5000)}}`,
    path: "",
    message: /levels deep/,
  },
  {
    name: "too many levels in an object",
    item: { key: "f", x: JSON.parse("[".repeat(5000) + "]".repeat(5000)) },
    path: "",
    message: /levels deep/,
  },
];

for (const { name, item, path, message } of wrong) {
  test(`a flag that cannot be read is listed and malformed: ${name}`, () => {
    const evaluator = compileFlags({ flags: { f: item, g: flag("g") } });
    expect(evaluator.problems).toEqual([
      { kind: "flags", key: "f", path, message: expect.stringMatching(message) },
    ]);
    expect(evaluator.evaluate("f", user).reason).toEqual({ kind: "ERROR", errorKind: "MALFORMED_FLAG" });
    expect(JSON.parse(evaluator.evaluateAll(user)).f).toMatchObject({ value: null, variation: null });
    expect(valueBy(evaluator, "g")).toBe("a");
  });
}

test("null is the same as nothing, in every member", () => {
  const names = [
    "on",
    "prerequisites",
    "targets",
    "contextTargets",
    "rules",
    "fallthrough",
    "offVariation",
    "variations",
    "clientSide",
    "clientSideAvailability",
    "salt",
    "trackEvents",
    "trackEventsFallthrough",
    "debugEventsUntilDate",
    "version",
  ];
  const nothing = compileFlags({ flags: { f: { key: "f" } } });
  const nulls = compileFlags({
    flags: { f: { key: "f", ...Object.fromEntries(names.map((name) => [name, null])) } },
  });
  expect(nulls.problems).toEqual([]);
  expect(nulls.evaluateAll(user, { withReasons: true })).toBe(
    nothing.evaluateAll(user, { withReasons: true }),
  );
});

test("a problem goes with the version that had it", () => {
  const first = compileFlags({
    flags: { f: flag("f", { on: 1 }) },
    segments: { s: segment("s", { included: 1 }) },
  });
  const second = first
    .upsert("flags", "f", flag("f", { version: 2 }))
    .upsert("segments", "s", segment("s", { version: 2 }));
  expect([first.problems.length, second.problems.length, valueBy(second)]).toEqual([2, 0, "a"]);
});

/** All that can be seen of an evaluator. */
function everything(evaluator: Evaluator, contexts: readonly object[]): unknown {
  return {
    results: contexts.map((context) => evaluator.evaluateAll(createContext(context), { withReasons: true })),
    needs: contexts.map(
      (context) =>
        new Set(evaluator.bigSegmentsFor(createContext(context)).map(({ contextKey }) => contextKey)),
    ),
    flags: new Map(evaluator.items("flags").map(({ key, version, deleted }) => [key, { version, deleted }])),
    segments: new Map(
      evaluator.items("segments").map(({ key, version, deleted }) => [key, { version, deleted }]),
    ),
  };
}

interface Change {
  readonly kind: ItemKind;
  readonly key: string;
  readonly item: Item;
}

/** Changes of a few items, each version of an item with contents of its own. */
function wildChanges(random: Random, count: number): Change[] {
  const sets = Array.from({ length: 4 }, () => wildData(random, 6));
  const versions = new Map<string, number>();
  return Array.from({ length: count }, () => {
    const kind = random.pick(["flags", "flags", "segments"] as const);
    const place = random.int(0, 5);
    const items = Object.values(random.pick(sets)[kind]);
    const key = `${kind} ${place}`;
    const version = (versions.get(key) ?? 0) + random.int(1, 2);
    versions.set(key, version);
    const names = Object.keys(sets[0]?.[kind] ?? {});
    const name = names[place % names.length] ?? "";
    const item = random.chance(0.2)
      ? { key: name, version, deleted: true }
      : { ...items[place % items.length], key: name, version };
    return { kind, key: name, item };
  });
}

const apply = (evaluator: Evaluator, changes: readonly Change[]) =>
  changes.reduce((current, { kind, key, item }) => current.upsert(kind, key, item), evaluator);

test("updates one by one give the same as compiling what they lead to from scratch", {
  timeout: 300_000,
}, () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 40 }), (seed, count) => {
      const random = new Random(seed);
      const start = wildData(random, 6);
      const changes = wildChanges(random, count);
      const contexts = Array.from({ length: 5 }, () => wildContext(random));
      const updated = apply(compileFlags(start), changes);
      const texts = (kind: ItemKind) =>
        Object.fromEntries(updated.items(kind).map(({ key, json }) => [key, json]));
      const scratch = compileFlags({ flags: texts("flags"), segments: texts("segments") });
      const replaced = compileFlags(wildData(random, 3)).replace({
        flags: texts("flags"),
        segments: texts("segments"),
      });
      expect(everything(updated, contexts)).toEqual(everything(scratch, contexts));
      expect(everything(replaced, contexts)).toEqual(everything(scratch, contexts));
    }),
    { seed: 2, numRuns: rounds },
  );
});

test("the order in which versions arrive does not matter", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 2, max: 30 }), (seed, count) => {
      const random = new Random(seed);
      const changes = wildChanges(random, count);
      const shuffled = changes
        .map((change) => ({ change, order: random.next() }))
        .sort((a, b) => a.order - b.order);
      const contexts = Array.from({ length: 4 }, () => wildContext(random));
      const inOrder = apply(compileFlags({}), changes);
      const outOfOrder = apply(
        compileFlags({}),
        shuffled.map(({ change }) => change),
      );
      expect(everything(outOfOrder, contexts)).toEqual(everything(inOrder, contexts));
    }),
    { seed: 3, numRuns: rounds },
  );
});

test("evaluators of the past go on giving what they gave, while others are made from them", () => {
  const random = new Random(4);
  const contexts = Array.from({ length: 5 }, () => wildContext(random));
  const evaluators = [compileFlags(wildData(random, 6))];
  const given = [everything(evaluators[0] as Evaluator, contexts)];
  for (const change of wildChanges(random, 60)) {
    const next = apply(random.pick(evaluators), [change]);
    evaluators.push(next);
    given.push(everything(next, contexts));
  }
  expect(evaluators.map((evaluator) => everything(evaluator, contexts))).toEqual(given);
});

test("a flag that is updated over and over is what its last version says, also when all was compiled anew meanwhile", () => {
  let evaluator = compileFlags(dataOf([flag("g")]));
  const first = evaluator;
  for (let version = 1; version <= 300; version++) {
    const values = Array.from({ length: 200 }, (_, i) => `user-${version}-${i}`);
    evaluator = evaluator.upsert("flags", "f", flag("f", { version, targets: [{ variation: 1, values }] }));
  }
  const variation = (key: string) => evaluator.evaluate("f", createContext({ kind: "user", key })).variation;
  expect([variation("user-300-199"), variation("user-299-199")]).toEqual([1, 0]);
  expect(valueBy(first, "g")).toBe("a");
  expect(evaluator.changedSince(first)).toEqual(["f"]);
});

describe("the text of what is no object cannot break what it is put into, and the problem stays", () => {
  const cases: readonly [json: unknown, message: string][] = [
    ["", "it is not JSON"],
    ["{", "it is not JSON"],
    ['{"version":1},"x":{}', "it is not JSON"],
    ["[7]", "expected an object, got an array"],
    ["7", "expected an object, got a number"],
    ["null", "expected an object, got null"],
    [undefined, "expected an object, got nothing"],
  ];
  for (const [json, message] of cases) {
    test(JSON.stringify(json) ?? "undefined", () => {
      // What a program without types may pass.
      const item = parseItem("flags", "a", json as string);
      expect(item).toMatchObject({ kind: "flags", key: "a", version: 0, deleted: false, json: "null" });
      // It is read once more by an evaluator that does not share what the first one has read.
      for (let n = 0; n < 2; n++) {
        const { problems } = compileFlags({}).apply({ extent: "full", items: [item] });
        expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })]);
      }
    });
  }
});

describe("items are what their text says", () => {
  const cases = [
    { name: "version and deletion", json: '{"version":7.9,"deleted":true}', version: 7, deleted: true },
    { name: "no version", json: "{}", version: 0, deleted: false },
    { name: "the last of two versions", json: '{"version":1,"version":2}', version: 2, deleted: false },
    { name: "a version that is too large", json: '{"version":1e999}', version: 0, deleted: false },
    { name: "a version of another type", json: '{"version":"7"}', version: 0, deleted: false },
    {
      name: "nested too deep to be used",
      json: `{"version":3,"x":${"[".repeat(600)}${"]".repeat(600)}}`,
      version: 3,
      deleted: false,
    },
  ];
  for (const { name, json, version, deleted } of cases) {
    test(name, () =>
      expect(parseItem("flags", "a", json)).toMatchObject({
        kind: "flags",
        key: "a",
        version,
        deleted,
        json,
      }),
    );
  }

  test("one that cannot be used still takes the place of an older version, and is malformed", () => {
    const before = compileFlags({ flags: { a: { version: 2, on: true } } });
    const after = before.apply({
      extent: "partial",
      items: [parseItem("flags", "a", `{"version":3,"x":${"[".repeat(600)}${"]".repeat(600)}}`)],
    });
    expect(after.item("flags", "a")?.version).toBe(3);
    expect(after.problems).toMatchObject([{ kind: "flags", key: "a" }]);
  });
});
