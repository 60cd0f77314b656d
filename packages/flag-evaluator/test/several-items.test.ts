import { describe, expect, test } from "vitest";
import {
  compileFlags,
  createContext,
  type Evaluator,
  type Item,
  parseItem,
  tombstone,
} from "../src/index.js";
import { flag } from "./flags.js";
import { Random } from "./random.js";

const user = createContext({ kind: "user", key: "u" });
const valueBy = (evaluator: Evaluator, key = "f") => evaluator.evaluate(key, user).value;

describe("several items at once", () => {
  const item = (version: number, key = "f") =>
    parseItem("flags", key, JSON.stringify(flag(key, { version, fallthrough: { variation: version % 3 } })));
  const first = compileFlags({}).apply({ extent: "full", items: [item(1), item(1, "g"), item(1, "h")] });
  const versions = (evaluator: Evaluator) =>
    evaluator.items("flags").map(({ key, version }) => `${key}${version}`);

  test("count if they are newer, of several versions the newest, in whatever order they come", () => {
    for (const items of [
      [item(2), item(4), item(3), item(1, "g")],
      [item(4), item(3), item(2), item(0, "g")],
    ]) {
      const next = first.apply({ extent: "partial", items });
      expect(versions(next)).toEqual(["f4", "g1", "h1"]);
      expect(valueBy(next)).toBe("b");
      expect(next.changedSince(first)).toEqual(["f"]);
    }
    expect(first.apply({ extent: "partial", items: [item(1), item(0, "g")] })).toBe(first);
    expect(first.apply({ extent: "partial", items: [] })).toBe(first);
  });

  test("count as if they had come one after the other, also where versions are equal", () => {
    const random = new Random(12);
    for (let run = 0; run < 200; run++) {
      const items = random.list(1, 6, (i) => {
        const [key, version] = [random.pick(["f", "g", "new"]), random.int(0, 3)];
        if (random.int(0, 3) === 0) return tombstone("flags", key, version);
        return parseItem("flags", key, JSON.stringify(flag(key, { version, salt: `${i}` })));
      });
      const one = (evaluator: Evaluator, item: Item) => evaluator.apply({ extent: "partial", items: [item] });
      const texts = (evaluator: Evaluator) => evaluator.items("flags").map(({ json }) => json);
      expect(texts(first.apply({ extent: "partial", items }))).toEqual(texts(items.reduce(one, first)));
    }
  });

  test("as a full set replace all, the last of several with one key counts, and the same again is no change", () => {
    const items = [item(5), item(0, "g"), item(1)];
    const next = first.apply({ extent: "full", items });
    expect(versions(next)).toEqual(["f1", "g0"]);
    expect(next.apply({ extent: "full", items: [item(1), item(0, "g")] })).toBe(next);
    expect(next.apply({ extent: "full", items: [item(1)] })).not.toBe(next);
    expect(next.apply({ extent: "full", items: [item(1), item(2, "g")] })).not.toBe(next);
    expect(compileFlags({}).apply({ extent: "full", items: [] }).items("flags")).toEqual([]);
  });

  test("are in their place whatever comes and goes: the response is that of a fresh set", () => {
    const random = new Random(11);
    let evaluator = compileFlags({});
    for (let version = 1; version < 200; version++) {
      const items = Array.from({ length: random.int(1, 6) }, () => {
        const key = `k${random.int(0, 12)}`;
        return random.int(0, 3) === 0 ? tombstone("flags", key, version) : item(version, key);
      });
      evaluator = evaluator.apply({ extent: "partial", items });
      const fresh = compileFlags({}).apply({ extent: "full", items: evaluator.items("flags") });
      expect(evaluator.evaluateAll(user)).toBe(fresh.evaluateAll(user));
    }
  });

  test("must be items: anything else is a caller's mistake", () => {
    const items = [{ kind: "flags", key: "f", version: 9, deleted: false, json: "{}" }];
    // The type system does not reach every caller.
    for (const extent of ["full", "partial"] as const)
      expect(() => first.apply({ extent, items: items as unknown as ReturnType<typeof item>[] })).toThrow(
        TypeError,
      );
  });
});
