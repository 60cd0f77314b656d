import { describe, expect, test } from "vitest";
import { type AcceptedKey, credentialDigest, type EnvironmentKeys } from "./credentials.js";
import { KeyRing } from "./key-ring.js";
import { createManualClock } from "./testing/manual-clock.js";

const start = 1_700_000_000_000;
const further = (value: string, afterMs?: number): AcceptedKey => ({
  kind: "sdkKey",
  value,
  ...(afterMs === undefined ? {} : { expires: start + afterMs }),
});

/** A ring of these keys beside `sdk-own`, which counts how often it tells of a change. */
function setUp(...keys: readonly AcceptedKey[]) {
  const clock = createManualClock(start);
  let changes = 0;
  const all = (listed: readonly AcceptedKey[], own: Partial<EnvironmentKeys> = {}): EnvironmentKeys => ({
    sdkKey: "sdk-own",
    ...own,
    further: listed,
  });
  const ring = new KeyRing(clock, all(keys), () => changes++);
  return {
    clock,
    ring,
    all,
    changes: () => changes,
    listed: () => ring.keys.further.map(({ value }) => value),
    accepted: (...values: readonly string[]) => values.filter((value) => ring.acceptsSdkKey(value)),
  };
}

test("keys lead here by their kind, each once, and others do not", () => {
  const { ring, all } = setUp();
  ring.replace(
    all([further("sdk-b"), { kind: "mobileKey", value: "mob-b" }], { mobileKey: "mob", envId: "id" }),
  );
  const digests = [
    credentialDigest("sdkKey", "sdk-own"),
    credentialDigest("mobileKey", "mob"),
    credentialDigest("envId", "id"),
    credentialDigest("sdkKey", "sdk-b"),
    credentialDigest("mobileKey", "mob-b"),
  ];
  expect(ring.digests()).toEqual(digests);
  expect(digests.every((digest) => ring.accepts(digest))).toBe(true);
  for (const other of [credentialDigest("mobileKey", "sdk-own"), credentialDigest("sdkKey", "mob"), "id"])
    expect(ring.accepts(other)).toBe(false);
  expect([ring.acceptsSdkKey("sdk-b"), ring.acceptsSdkKey("mob-b")]).toEqual([true, false]);
});

test("a key is accepted up to the moment before it expires, whether somebody watches or not", () => {
  const { clock, accepted, listed } = setUp(further("a", 1000), further("b", 1001), further("c"));
  clock.advance(999);
  expect(accepted("a", "b", "c", "sdk-own")).toEqual(["a", "b", "c", "sdk-own"]);
  clock.advance(1);
  expect(accepted("a", "b", "c", "sdk-own")).toEqual(["b", "c", "sdk-own"]);
  expect([listed(), clock.pending]).toEqual([["a", "b", "c"], 0]);
});

test("what has expired before is not there, nor what expires at the same moment", () => {
  const { ring, listed, all } = setUp(further("a", -1), further("b", 0), further("c", 1));
  expect(listed()).toEqual(["c"]);
  ring.replace(all([further("d", 0), further("e", 1)]));
  expect(listed()).toEqual(["e"]);
});

test("a present key that is also listed as one that expires does not", () => {
  const { clock, ring, accepted } = setUp(further("sdk-own", 1000));
  clock.advance(1000);
  expect(accepted("sdk-own")).toEqual(["sdk-own"]);
  ring.watch();
  clock.advance(1000);
  expect(accepted("sdk-own")).toEqual(["sdk-own"]);
  expect(ring.digests()).toEqual([credentialDigest("sdkKey", "sdk-own")]);
});

describe("who watches", () => {
  test("hears once of each moment at which keys expire, when they have gone, and of nothing else", () => {
    const { clock, ring, changes, listed } = setUp(
      further("a", 1000),
      further("b", 1000),
      further("c", 150_000),
      further("d"),
    );
    ring.watch();
    clock.advance(999);
    expect([changes(), listed()]).toEqual([0, ["a", "b", "c", "d"]]);
    clock.advance(1);
    expect([changes(), listed()]).toEqual([1, ["c", "d"]]);
    // It is looked whether the clock has jumped, which it has not.
    for (let minutes = 0; minutes < 2; minutes++) clock.advance(60_000);
    expect([changes(), clock.pending]).toEqual([1, 1]);
    clock.advance(29_000);
    expect([changes(), listed(), clock.pending]).toEqual([2, ["d"], 0]);
  });

  test("notices within a minute that the clock has jumped", () => {
    const { clock, ring, changes, listed } = setUp(further("a", 3_600_000));
    ring.watch();
    clock.advance(1);
    clock.jump(3_600_000);
    clock.advance(59_998);
    expect(changes()).toBe(0);
    clock.advance(1);
    expect([changes(), listed(), clock.pending]).toEqual([1, [], 0]);
  });

  test("waits once, however often it begins, and for nothing where nothing expires", () => {
    const { clock, ring, all } = setUp(further("a", 1000));
    for (let times = 0; times < 3; times++) ring.watch();
    expect(clock.pending).toBe(1);
    ring.replace(all([further("b")]));
    expect(clock.pending).toBe(0);
    ring.replace(all([further("c", 5000)]));
    expect(clock.pending).toBe(1);
  });

  test("looks at once for what has expired before it began", () => {
    const clock = createManualClock(start);
    const waits: number[] = [];
    const schedule = (ms: number, run: () => void) => {
      waits.push(ms);
      return clock.schedule(ms, run);
    };
    const keys = { sdkKey: "sdk-own", further: [further("a", 1000)] };
    const ring = new KeyRing({ ...clock, schedule }, keys, () => {});
    clock.advance(5000);
    ring.watch();
    expect(waits).toEqual([0]);
  });

  test("hears nothing when others take the place of keys", () => {
    const { ring, all, changes } = setUp(further("a", 1000), further("b"));
    ring.replace(all([]));
    expect(changes()).toBe(0);
  });

  test("hears nothing after the end, at which keys stay as they are", () => {
    const { clock, ring, changes, accepted } = setUp(further("a", 1000), further("b"));
    ring.watch();
    ring.close();
    expect(clock.pending).toBe(0);
    clock.advance(500);
    expect([changes(), accepted("a", "b", "sdk-own")]).toEqual([0, ["a", "b", "sdk-own"]]);
  });

  test("hears nothing after the keys were revoked, of which none is accepted", () => {
    const { clock, ring, changes, accepted } = setUp(further("a", 1000), further("b"));
    ring.watch();
    ring.revoke();
    clock.advance(1000);
    expect([changes(), clock.pending, accepted("a", "b", "sdk-own"), ring.digests()]).toEqual([0, 0, [], []]);
  });
});
