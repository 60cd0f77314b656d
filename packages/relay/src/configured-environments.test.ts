import { describe, expect, test } from "vitest";
import { ConfiguredEnvironments, type EnvironmentsPort } from "./configured-environments.js";
import { RelayError } from "./error.js";
import type { EnvironmentChanges, EnvironmentOptions } from "./options/options.js";
import { createManualClock } from "./testing/manual-clock.js";

/** Turns of the event loop until this is through, and the most that was started in one of them. */
async function turnsOf(
  started: () => number,
  through: Promise<unknown>,
): Promise<{ turns: number; most: number }> {
  let isThrough = false;
  void through.then(() => {
    isThrough = true;
  });
  let [turns, most, before] = [0, 0, started()];
  while (!isThrough) {
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, started() - before);
    before = started();
    turns++;
  }
  return { turns, most };
}

/** A relay that only keeps what it is told. */
function createPort() {
  const served = new Map<string, EnvironmentOptions>();
  let [started, tries] = [0, 0];
  let expected: ReadonlySet<string> = new Set();
  const unserved: string[] = [];
  const lines: string[] = [];
  const refuseTaken = (name: string, { sdkKey }: Partial<EnvironmentOptions>) => {
    tries++;
    for (const [other, options] of served)
      if (other !== name && options.sdkKey === sdkKey)
        throw new RelayError("duplicate", `${other} has ${sdkKey}`);
  };
  const port: EnvironmentsPort = {
    addNow(name, options) {
      refuseTaken(name, options);
      served.set(name, options);
      started += 1 + (options.filters?.length ?? 0);
      lines.push(`add ${name} ${options.sdkKey}`);
    },
    updateNow(name, { mobileKey: _, ...changes }: EnvironmentChanges) {
      const before = served.get(name);
      if (before === undefined) throw new TypeError(`${name} is not there`);
      refuseTaken(name, changes);
      served.set(name, { ...before, ...changes });
      started += Math.max((changes.filters?.length ?? 0) - (before.filters?.length ?? 0), 0);
      lines.push(`update ${name} ${changes.sdkKey ?? "filters"}`);
      return { isAnew: false };
    },
    async remove(name) {
      served.delete(name);
      lines.push(`remove ${name}`);
    },
    unserved: {
      replace: (shortfalls) => void unserved.splice(0, unserved.length, ...shortfalls.keys()),
      expect(names) {
        expected = names;
      },
    },
  };
  const configured = new ConfiguredEnvironments({
    port,
    logger: { info() {} },
    clock: createManualClock(),
    random: () => 0.5,
    report: ({ message }) => void lines.push(message),
  });
  const apply = (changes: Record<string, Partial<EnvironmentOptions> | undefined>) =>
    configured.apply(
      new Map(
        Object.entries(changes).map(([name, options]) => [
          name,
          options === undefined ? undefined : { sdkKey: `sdk-${name}`, ...options },
        ]),
      ),
      new Map(),
    );
  return {
    apply,
    configured,
    served,
    started: () => started,
    tries: () => tries,
    expected: () => [...expected],
    unserved,
    lines,
    keyOf: (name: string) => served.get(name)?.sdkKey,
  };
}

const many = (count: number, options: Partial<EnvironmentOptions> = {}) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`, options]));
const mostInOneTurn = 10;

describe("many environments of one message", () => {
  test("are started in turns, and a few at once", async () => {
    const { apply, served, started, expected } = createPort();
    void apply({ a: {}, b: {}, c: {} });
    expect([served.size, expected()]).toEqual([3, []]);
    const { turns, most } = await turnsOf(started, apply(many(1000)));
    expect(served.size).toBe(1003);
    expect(most).toBeLessThanOrEqual(mostInOneTurn);
    expect(turns).toBeGreaterThan(1000 / mostInOneTurn - 1);
    expect(expected()).toEqual([]);
  });

  test("get a new payload filter in turns, and other keys at once", async () => {
    const { apply, served, started, keyOf } = createPort();
    await apply(many(300));
    const before = started();
    const applied = apply(newKeysWithFilter(300));
    expect([keyOf("0"), keyOf("299")]).toEqual(["new-0", "new-299"]);
    const { turns, most } = await turnsOf(() => started() - before, applied);
    expect(most).toBeLessThanOrEqual(mostInOneTurn);
    // What is there already costs nothing.
    expect(turns).toBeLessThan(60);
    expect([...served.values()].every(({ filters }) => filters?.[0] === "web")).toBe(true);
  });

  test("start fewer of them in a turn when each has payload filters, and also when each gets some", async () => {
    const { apply, started } = createPort();
    const withFilters = await turnsOf(started, apply(many(100, { filters: ["a", "b", "c"] })));
    expect(withFilters.most).toBeLessThanOrEqual(mostInOneTurn);
    expect(withFilters.turns).toBeLessThan(100);
    const before = started();
    const more = many(100, { filters: ["a", "b", "c", "d", "e"] });
    const withMore = await turnsOf(() => started() - before, apply(more));
    expect(withMore.most).toBeLessThanOrEqual(mostInOneTurn);
    expect(withMore.turns).toBeLessThan(40);
    expect(started() - before).toBe(200);
  });

  test("what is gone or other meanwhile is never started as it was", async () => {
    const { apply, served, lines, expected, keyOf } = createPort();
    const first = apply(many(500));
    expect(expected()).toContain("499");
    const second = apply({ "0": undefined, "498": undefined, "499": { sdkKey: "other" }, more: {} });
    expect([served.has("0"), keyOf("499"), expected().includes("498")]).toEqual([false, undefined, false]);
    await Promise.all([first, second]);
    expect([served.size, keyOf("499"), keyOf("more")]).toEqual([499, "other", "sdk-more"]);
    expect(lines.filter((line) => /\b49[89]\b/.test(line))).toEqual(["add 499 other"]);
  });

  test("a key goes from one that is there to one that comes, and back", async () => {
    const { apply, keyOf, lines } = createPort();
    await apply({ a: { sdkKey: "k" } });
    const first = apply({ ...many(200), a: { sdkKey: "a" }, b: { sdkKey: "k" } });
    expect(keyOf("a")).toBe("a");
    const second = apply({ a: { sdkKey: "k" }, b: { sdkKey: "b" } });
    await Promise.all([first, second]);
    expect([keyOf("a"), keyOf("b")]).toEqual(["k", "b"]);
    expect(lines.filter((line) => line.includes("cannot"))).toEqual([]);
  });

  test("that cannot be started are told, and the others come", async () => {
    const { apply, served, unserved, lines } = createPort();
    await apply({ ...many(100), twin: { sdkKey: "sdk-50" } });
    expect([served.size, unserved]).toEqual([100, ["twin"]]);
    expect(lines.filter((line) => line.includes("cannot"))).toHaveLength(1);
    // Whatever helps is not what has come with them.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    await apply({ "50": undefined });
    await expect.poll(() => served.has("twin")).toBe(true);
    expect(unserved).toEqual([]);
  });

  test("with a key of another one are tried no more often than something may help", async () => {
    const { apply, tries, lines, unserved } = createPort();
    await apply({ a: {}, new: { sdkKey: "sdk-a" }, other: {} });
    const settled = async () => {
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
      return tries();
    };
    const before = await settled();
    expect(await settled()).toBe(before);
    // One that is served waits as well.
    await apply({ other: { sdkKey: "sdk-a" } });
    const both = await settled();
    expect(await settled()).toBe(both);
    expect(unserved).toEqual(["new", "other"]);
    expect(lines.filter((line) => line.includes("cannot"))).toHaveLength(2);
    // Nothing that comes by itself is tried for those that fail.
    await apply({ another: {} });
    expect([...unserved]).toEqual(["new", "other"]);
    expect((await settled()) - both).toBeLessThan(10);
  });

  test("come no more once it is closed, and nobody waits for them", async () => {
    const { apply, configured, served } = createPort();
    const applied = apply(many(500));
    const before = served.size;
    configured.close();
    await applied;
    expect(before).toBeLessThanOrEqual(mostInOneTurn);
    expect(served.size).toBe(before);
  });
});

const newKeysWithFilter = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`${n}`, { sdkKey: `new-${n}`, filters: ["web"] }]),
  );
