import { expect, test } from "vitest";
import { type AcceptedKey, credentialDigest } from "./credentials.js";
import { KeyOrigins } from "./key-origins.js";
import { newEnvironment } from "./options/read-environment.js";
import type { ResolvedEnvironment } from "./options/resolved-options.js";
import { withOwnFlags } from "./sources/own-flags.js";
import { createManualClock } from "./testing/manual-clock.js";

const settingsOf = (sdkKey: string, ...further: readonly AcceptedKey[]): ResolvedEnvironment => ({
  ...newEnvironment,
  keys: { sdkKey, further },
});

/** A relay that serves one environment, `first`, with the key `sdk-first`, and what it has warned of. */
function setUp() {
  const told: string[] = [];
  const first = { name: "first", identity: Symbol("first"), settings: settingsOf("sdk-first") };
  const served = { entries: () => [first], find: () => undefined };
  const logger = { warn: (message: string) => void told.push(message) };
  const origins = new KeyOrigins(served, { clock: createManualClock(), logger });
  origins.note(first);
  return { origins, first, told };
}

/** Beside `first`: `third`, which is served as well, and what `gone` was, with a key that was only listed for it. */
function setUpMore() {
  const [first, third, gone] = ["first", "third", "gone"].map((name) => {
    return { name, identity: Symbol(name), settings: settingsOf(`sdk-${name}`) };
  }) as [Served, Served, Served];
  const told: string[] = [];
  const origins = new KeyOrigins(
    {
      entries: () => [first, third],
      find: (digest) =>
        digest === digestOf("sdk-found")
          ? third
          : [first, third].find((one) => digest === digestOf(one.settings.keys.sdkKey)),
    },
    { clock: createManualClock(), logger: { warn: (message: string) => void told.push(message) } },
  );
  for (const one of [first, third]) origins.note(one);
  origins.gone({ ...gone, settings: settingsOf("sdk-gone", listed("sdk-listed")) });
  return { origins, first, third, gone, told };
}

type Served = Parameters<KeyOrigins["note"]>[0];

const digestOf = (sdkKey: string) => credentialDigest("sdkKey", sdkKey);
const listed = (value: string): AcceptedKey => ({ kind: "sdkKey", value });

test.each([
  { keys: ["sdk-first"], is: false },
  { keys: ["sdk-third"], is: true },
  { keys: ["sdk-gone"], is: true },
  { keys: ["sdk-new"], is: false },
  { keys: ["sdk-new", "sdk-first"], is: false },
  { keys: ["sdk-new", "sdk-gone"], is: true },
  // What is served elsewhere was listed by mistake.
  { keys: ["sdk-new", "sdk-third"], is: false },
  { keys: ["sdk-first"], told: { origin: "o" }, is: true },
  { keys: ["sdk-gone"], now: { identity: "o" }, told: { origin: "o" }, is: false },
  { keys: ["sdk-own", "sdk-gone"], now: { settings: settingsOf("sdk-own") }, is: false },
])("an environment with $now that is to have the keys $keys, of which $told is told, moves: $is", (row) => {
  const { origins, first } = setUpMore();
  const [sdkKey = "", ...further] = row.keys;
  const wanted = settingsOf(sdkKey, ...further.map(listed));
  expect(origins.isMoving({ ...first, ...row.now }, wanted, row.told ?? {})).toBe(row.is);
});

test("with a key that nobody knows a name opens what it opened before, unless another serves that now", () => {
  const { origins, first, third, gone } = setUpMore();
  const opened = (name: string) => origins.opened(name, settingsOf("sdk-new"), {}).identity;
  expect([opened("first"), opened("gone")]).toEqual([first.identity, gone.identity]);
  origins.note({ ...gone, identity: third.identity });
  expect([first.identity, third.identity, gone.identity]).not.toContain(opened("gone"));
});

test("keys of both kinds are noted as those of who has them", () => {
  const { origins, third } = setUpMore();
  const further = { kind: "mobileKey", value: "mob-2" } as const;
  origins.note({
    ...third,
    settings: { ...newEnvironment, keys: { sdkKey: "s", mobileKey: "m", further: [further] } },
  });
  const owns = (identity: symbol | string) =>
    (
      [
        ["sdkKey", "s"],
        ["mobileKey", "m"],
        ["mobileKey", "mob-2"],
      ] as const
    ).map(([kind, key]) => origins.isOwn(identity, kind, key));
  expect([owns(third.identity), owns("o")]).toEqual([Array(3).fill(true), Array(3).fill(false)]);
});

test("an environment with flags of its own never moves, and its keys tell of no other", () => {
  const { origins, first } = setUpMore();
  const source = withOwnFlags(() => ({ close() {} }));
  const own = { ...first, settings: { ...settingsOf("sdk-of-own"), source } };
  expect(origins.isMoving(own, settingsOf("sdk-gone"), { origin: "o" })).toBe(false);
  origins.note({ ...own, identity: Symbol("own") });
  expect(origins.isMoving(first, settingsOf("sdk-of-own"), {})).toBe(false);
});

test("a key that was only listed elsewhere is refused beside what is new under a name, unless that is told", () => {
  const { origins, first, third, told } = setUpMore();
  const wanted = settingsOf("sdk-gone", listed("sdk-listed"), listed("sdk-first"));
  // What the keys of `gone` opened is something else than what is named here.
  expect(origins.opened("third", wanted, { origin: "o" })).toMatchObject({
    identity: "o",
    isAnew: true,
    settings: { keys: { further: [listed("sdk-listed")], refused: [listed("sdk-first")] } },
  });
  expect(told.map((line) => /(?:opens|is refused) .* (?:on|now)/.exec(line)?.[0])).toEqual([
    "opens these flags from now on",
    "is refused from now on",
  ]);
  expect(origins.kept(third, settingsOf("sdk-third", listed("sdk-listed")), {}).keys.further).toHaveLength(1);
  origins.note({ ...first, settings: settingsOf("sdk-first", listed("sdk-too")) });
  expect(origins.opened("third", settingsOf("sdk-gone", listed("sdk-too")), {})).toMatchObject({
    isAnew: true,
    settings: { keys: { further: [], refused: [listed("sdk-too")] } },
  });
});

test("of keys that go on to be listed those are refused that open something else and are not said to be own", () => {
  const { origins, first, told } = setUpMore();
  const keysOf = (
    further: readonly AcceptedKey[],
    refused: readonly AcceptedKey[],
    own?: readonly string[],
  ) => {
    const wanted = { ...newEnvironment, keys: { sdkKey: "sdk-first", further, refused } };
    const { keys } = origins.kept(first, wanted, { ownSdkKeys: own });
    return [keys.further, keys.refused];
  };
  const [third, fresh, mine] = [listed("sdk-third"), listed("sdk-new"), listed("sdk-first")];
  expect(keysOf([third, fresh], [])).toEqual([[fresh], [third]]);
  expect(keysOf([third, fresh], [], ["sdk-third"])).toEqual([[third, fresh], []]);
  expect(keysOf([{ ...third, replaced: true }, fresh], [])).toEqual([[fresh], []]);
  // What was refused before counts again unless another has it.
  const found = listed("sdk-found");
  expect(keysOf([], [third, fresh, found, mine])).toEqual([
    [fresh, mine],
    [third, found],
  ]);
  expect(told).toEqual([expect.stringMatching(/^\[first\] .* is refused from now on/)]);
});

test.each([
  { kind: "sdkKey", ownSdkKeys: undefined, isRefused: true },
  { kind: "sdkKey", ownSdkKeys: ["sdk-other"], isRefused: true },
  { kind: "sdkKey", ownSdkKeys: ["sdk-first"], isRefused: false },
  // What a mobile key opens is what it is listed for, whatever it looks like.
  { kind: "mobileKey", ownSdkKeys: undefined, isRefused: false },
] as const)(
  "the SDK key of another environment that is listed as $kind, of which $ownSdkKeys are said to be own, is refused: $isRefused",
  ({ kind, ownSdkKeys, isRefused }) => {
    const { origins, told } = setUp();
    const key = { kind, value: "sdk-first" };
    const { settings } = origins.opened("second", settingsOf("sdk-second", key), { origin: "o", ownSdkKeys });
    expect(settings.keys.further).toEqual(isRefused ? [] : [key]);
    expect(settings.keys.refused).toEqual(isRefused ? [key] : []);
    expect(told.length).toBe(isRefused ? 1 : 0);
  },
);

test("a name that is opened again with its key opens the same, and another name with that key something else", () => {
  const { origins, first } = setUp();
  expect(origins.opened("first", settingsOf("sdk-first"), {})).toMatchObject({
    identity: first.identity,
    isAnew: false,
  });
  expect(origins.opened("second", settingsOf("sdk-first"), {}).identity).not.toBe(first.identity);
});

test("a key is refused as long as there is an environment for which it is listed", () => {
  const { origins } = setUp();
  const key: AcceptedKey = { kind: "sdkKey", value: "sdk-first" };
  const digest = credentialDigest("sdkKey", "sdk-first");
  const wanted = settingsOf("sdk-second", key);
  const second = { name: "second", ...origins.opened("second", wanted, {}) };
  expect([origins.refuses(digest), origins.problemOf("second")]).toEqual([false, undefined]);
  origins.note(second);
  expect([origins.refuses(digest), origins.problemOf("second")]).toEqual([
    true,
    expect.stringContaining("is listed, and refused"),
  ]);
  expect(origins.problemOf("first")).toBeUndefined();
  origins.gone(second);
  expect([origins.refuses(digest), origins.problemOf("second")]).toEqual([false, undefined]);
});

test("an environment with flags of its own may list whatever keys it likes", () => {
  const { origins, told } = setUp();
  const key: AcceptedKey = { kind: "sdkKey", value: "sdk-first" };
  const source = withOwnFlags(() => ({ close() {} }));
  const wanted = { ...settingsOf("sdk-second", key), source };
  for (const more of [{}, { origin: "o" }]) {
    const { identity, isAnew, settings } = origins.opened("second", wanted, more);
    expect([typeof identity, isAnew, settings]).toEqual(["symbol", false, wanted]);
  }
  expect(origins.opened("first", { ...wanted, ...settingsOf("sdk-first") }, {}).identity).not.toBe(
    origins.opened("first", settingsOf("sdk-first"), {}).identity,
  );
  expect(told).toEqual([]);
});
