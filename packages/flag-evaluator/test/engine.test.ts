import { readFileSync } from "node:fs";
import { createContext as createRealm, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { built } from "../../../scripts/built.js";
import { Arena } from "../src/evaluate/arena.js";
import { compileFlags, createContext, type Evaluator } from "../src/index.js";
import { Random } from "./random.js";
import { realisticContext, realisticData } from "./realistic-data.js";
import { wildContext, wildData } from "./wild-data.js";

/** What flags give when they are not evaluated together. */
function oneByOne(evaluator: Evaluator, fields: object): object {
  const keys = evaluator.items("flags").map(({ key }) => key);
  const texts = evaluator.evaluateMany(keys, createContext(fields), { withReasons: true });
  return Object.fromEntries([...texts].map(([key, text]) => [key, JSON.parse(text)]));
}

function together(evaluator: Evaluator, fields: object): object {
  return JSON.parse(evaluator.evaluateAll(createContext(fields), { withReasons: true }));
}

/** A rollout of halves, by that attribute. */
const halves = (bucketBy: string, rest: object = {}) => ({
  rollout: {
    variations: [
      { variation: 0, weight: 50_000 },
      { variation: 1, weight: 50_000 },
    ],
    bucketBy,
    ...rest,
  },
});

function flagsOf(count: number, make: (n: number) => object) {
  const flag = (n: number) => ({
    key: `f${n}`,
    version: 1,
    on: true,
    variations: ["a", "b"],
    salt: "s",
    ...make(n),
  });
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, flag(n)]));
}

test("prefixes and values of all lengths are hashed as they are one by one", () => {
  const evaluator = compileFlags({
    flags: flagsOf(140, (n) => ({
      salt: "é".repeat(n % 3) + "x".repeat(n),
      fallthrough: halves(n % 2 ? "key" : "é"),
    })),
  });
  for (let length = 1; length < 140; length++) {
    const fields = {
      kind: "user",
      key: "k".repeat(length),
      é: length % 5 === 0 ? length : "ü".repeat(length % 60),
    };
    expect(together(evaluator, fields)).toEqual(oneByOne(evaluator, fields));
  }
});

test("more attributes than there is room for, values of no use and secondary keys are dealt out as they are one by one", () => {
  const evaluator = compileFlags({
    flags: flagsOf(60, (n) => ({
      fallthrough: halves(`a${n % 30}`, n % 7 === 0 ? { contextKind: "org" } : {}),
    })),
  });
  const random = new Random(3);
  const value = () => random.pick(["x".repeat(random.int(1, 150)), 7, 1.5, null, true, [], 2 ** 60]);
  for (let i = 0; i < 100; i++) {
    const attributes = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`a${n}`, value()]));
    const user = { kind: "user", key: `u${i}`, ...attributes };
    const old = { key: `u${i}`, secondary: `s${i}`, custom: attributes };
    const several = { kind: "multi", user: { key: "u", ...attributes }, org: { key: "o", ...attributes } };
    for (const fields of [user, old, several]) {
      expect(together(evaluator, fields)).toEqual(oneByOne(evaluator, fields));
    }
  }
});

test("flags and segments that come, change and go are evaluated together as they are one by one", () => {
  const random = new Random(11);
  let evaluator = compileFlags(wildData(random, 20));
  for (let version = 1000; version < 1120; version++) {
    const kind = random.pick(["flags", "segments"] as const);
    const [key = "", item = {}] = random.pick(Object.entries(wildData(random, 25)[kind]));
    evaluator = random.chance(0.2)
      ? evaluator.delete(kind, key, version)
      : evaluator.upsert(kind, key, { ...item, version });
    for (let i = 0; i < 3; i++) {
      const fields = wildContext(random);
      expect(together(evaluator, fields)).toEqual(oneByOne(evaluator, fields));
    }
  }
});

test("evaluators of one set take turns, whatever they leave out and however results are written", () => {
  const random = new Random(5);
  const data = realisticData(random, 120);
  const before = compileFlags(data);
  const [key = "", flag = {}] = Object.entries(data.flags)[60] ?? [];
  const after = before.upsert("flags", key, { ...flag, version: 10_000, on: false });
  const audiences = ["server", "mobile", "browser"] as const;
  for (let i = 0; i < 60; i++) {
    const evaluator = random.pick([before, after]);
    const options = {
      audience: random.pick(audiences),
      format: random.pick(["evalx", "eval"] as const),
      withReasons: random.chance(0.5),
    };
    const context = createContext(realisticContext(random));
    const all = JSON.parse(evaluator.evaluateAll(context, options));
    const some = evaluator.evaluateMany(Object.keys(data.flags), context, options);
    expect(all).toEqual(Object.fromEntries([...some].map(([name, text]) => [name, JSON.parse(text)])));
  }
});

test("prerequisites in long chains, in circles and of flags that are left out are as they are one by one", () => {
  const chain = (n: number) => (n === 0 ? [] : [{ key: `f${n - 1}`, variation: 0 }]);
  const circle = (n: number) => [{ key: `f${(n + 1) % 20}`, variation: 0 }];
  const shapes = [
    flagsOf(200, (n) => ({ prerequisites: chain(n), fallthrough: n % 3 ? halves("key") : { variation: 0 } })),
    flagsOf(20, (n) => ({ prerequisites: circle(n), fallthrough: { variation: 0 } })),
    flagsOf(300, (n) => ({ prerequisites: chain(n), fallthrough: { variation: 0 } })),
    flagsOf(20, (n) => ({
      prerequisites: [{ key: "gone", variation: 0 }],
      fallthrough: halves("key"),
      offVariation: n % 2,
    })),
  ];
  for (const flags of shapes) {
    const evaluator = compileFlags({ flags });
    for (const key of ["a", "b", "c"]) {
      const fields = { kind: "user", key };
      expect(together(evaluator, fields)).toEqual(oneByOne(evaluator, fields));
    }
  }
});

test("memory grows between one context and the next, also where there is no clause, test or segment", () => {
  const evaluator = compileFlags({
    flags: flagsOf(40, (n) => ({
      variations: ["x".repeat(30_000), "y".repeat(30_000 + n)],
      fallthrough: halves("key"),
    })),
  });
  for (let n = 0; n < 20; n++) {
    const fields = { kind: "user", key: `u${n}` };
    expect(together(evaluator, fields)).toEqual(oneByOne(evaluator, fields));
  }
});

test("memory of WebAssembly is made for many flags, once for all versions of them, and not for few", () => {
  const { Memory } = WebAssembly;
  let made = 0;
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super(descriptor);
      made++;
    }
  };
  try {
    const counts = [2, 20].map((count) => {
      made = 0;
      const flags = flagsOf(count, () => ({ fallthrough: halves("key") }));
      const evaluator = compileFlags({ flags });
      const others = [evaluator, evaluator.upsert("flags", "f0", { key: "f0", version: 2 })];
      for (const one of others) one.evaluateAll(createContext({ kind: "user", key: "k" }));
      return made;
    });
    expect(counts).toEqual([0, 1]);
  } finally {
    WebAssembly.Memory = Memory;
  }
});

test("a clause that asks a list too much is malformed, whatever others have asked of that list", () => {
  const asking = (values: readonly string[], negate = false) => ({
    rules: [{ variation: 0, clauses: [{ attribute: "tags", op: "contains", values, negate }] }],
    fallthrough: { variation: 1 },
  });
  const many = Array.from({ length: 30 }, (_, n) => `t${n}`);
  const flags = flagsOf(50, (n) => {
    if (n < 30) return asking([`t${n}`]);
    return asking(n % 2 ? ["hit", ...many] : n % 3 ? ["hit"] : many, n % 5 === 0);
  });
  const fields = { kind: "user", key: "u", tags: ["hit", ...Array(40_000).fill("q")] };
  const evaluator = compileFlags({ flags });
  expect(together(evaluator, fields)).toEqual(oneByOne(evaluator, fields));
  expect(evaluator.evaluate("f31", createContext(fields)).reason.errorKind).toBe("MALFORMED_FLAG");
});

test("an allocate that evaluates, or gives something of another size, is told so and harms nobody", () => {
  const variations = ["a".repeat(3000), "b"];
  const evaluator = compileFlags({
    flags: flagsOf(10, () => ({
      variations,
      targets: [{ variation: 1, values: ["bob"] }],
      fallthrough: { variation: 0 },
    })),
  });
  const [alice, bob] = ["alice", "bob"].map((key) => createContext({ kind: "user", key }));
  if (alice === undefined || bob === undefined) return expect.unreachable();
  const expected = evaluator.evaluateAll(alice);
  const evaluates = (size: number) => {
    evaluator.evaluateAll(alice);
    return new Uint8Array(size);
  };
  expect(() => evaluator.evaluateAllBytes(bob, { allocate: evaluates })).toThrow(
    new TypeError("allocate evaluates flags itself, in the middle of an evaluation"),
  );
  // A caller's mistakes are not in the types.
  for (const wrong of [
    (size: number) => new Uint8Array(size - 1),
    (size: number) => new Uint8Array(size + 1),
  ])
    expect(() => evaluator.evaluateAllBytes(bob, { allocate: wrong })).toThrow(/allocate gives an array/);
  const nothing = (() => undefined) as unknown as () => Uint8Array<ArrayBuffer>;
  expect(() => evaluator.evaluateAllBytes(bob, { allocate: nothing })).toThrow(/allocate gives an array/);
  expect(evaluator.evaluateAll(alice)).toBe(expected);
});

test("an arena has an end, before addresses have a sign", () => {
  const arena = new Arena(0);
  expect(() => arena.allocate(2 ** 29 + 1)).toThrow(RangeError);
  expect(arena.allocate(16)).toBe(0);
});

test("where memory can grow no further, results are the same, and the engine is done with", () => {
  const { Memory } = WebAssembly;
  let asked = 0;
  for (const enough of [0, 1, 3]) {
    WebAssembly.Memory = class extends Memory {
      override grow(pages: number): number {
        if (asked++ < enough) return super.grow(pages);
        throw new RangeError("Maximum memory size exceeded");
      }
    };
    try {
      asked = 0;
      const data = wildData(new Random(enough), 30);
      const flags = flagsOf(40, (n) => ({
        variations: ["x".repeat(30_000), "y".repeat(30_000 + n)],
        fallthrough: halves("key"),
      }));
      const evaluator = compileFlags({ ...data, flags: { ...data.flags, ...flags } });
      for (let n = 0; n < 20; n++) {
        const fields = { kind: "user", key: `u${n}` };
        expect(together(evaluator, fields)).toEqual(oneByOne(evaluator, fields));
      }
      expect(asked).toBe(enough + 1);
    } finally {
      WebAssembly.Memory = Memory;
    }
  }
});

const dist = () => built(new URL("..", import.meta.url), "index.js");
const realms = {
  "there is no WebAssembly": { WebAssembly: undefined },
  "WebAssembly is forbidden": {
    WebAssembly: {
      Module: class {
        constructor() {
          throw new Error("refused to compile");
        }
      },
    },
  },
  "there is no memory for it": {
    WebAssembly: {
      Module: WebAssembly.Module,
      Instance: WebAssembly.Instance,
      Memory: class {
        constructor() {
          throw new RangeError("could not allocate memory");
        }
      },
    },
  },
};

for (const [name, globals] of Object.entries(realms)) {
  test(`where ${name}, results are the same`, async () => {
    const { outputFiles } = await build({
      stdin: { contents: readFileSync(dist(), "utf8") },
      write: false,
      bundle: true,
      format: "iife",
      globalName: "flags",
    });
    const random = new Random(9);
    const data = realisticData(random, 60);
    const contexts = Array.from({ length: 20 }, () => realisticContext(random));
    const realm = createRealm({ TextEncoder, TextDecoder, atob, data, contexts, ...globals });
    runInContext(outputFiles[0]?.text ?? "", realm);
    const texts = runInContext(
      "const evaluator = flags.compileFlags(data); contexts.map((one) => evaluator.evaluateAll(flags.createContext(one)))",
      realm,
    );
    const evaluator = compileFlags(data);
    const expected = contexts.map((one) => evaluator.evaluateAll(createContext(one)));
    expect([...texts]).toEqual(expected);
  });
}

test("contexts with secondary keys are dealt out each by its own, whatever came before", () => {
  const data = { flags: flagsOf(30, (n) => ({ salt: `s${n}`, fallthrough: halves(n % 2 ? "key" : "é") })) };
  const evaluator = compileFlags(data);
  for (let i = 0; i < 10; i++) {
    const fields = { key: `u${i}`, secondary: `s${i}`, custom: { é: i } };
    expect(together(evaluator, fields)).toEqual(together(compileFlags(data), fields));
    expect(oneByOne(evaluator, fields)).toEqual(oneByOne(compileFlags(data), fields));
  }
});
