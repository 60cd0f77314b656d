import { describe, expect, test } from "vitest";
import { environmentStatus, type StatusOfEnvironment, statusDocument } from "./status-document.js";
import { clientVersion, version } from "./version.js";

type Some = { -readonly [Name in keyof StatusOfEnvironment]?: Partial<StatusOfEnvironment[Name]> };

const valid = { state: "VALID", stateSince: 1 } as const;
const interrupted = { state: "INTERRUPTED", stateSince: 2 } as const;

/** An environment as it should be, but for what is said. */
function environment(
  name: string,
  { keys, sources, store, ...others }: Some = {},
  problem?: string,
): StatusOfEnvironment {
  return {
    name,
    keys: { sdkKey: "sdk-12345678-0123456789", further: [], ...keys },
    settings: { about: {}, ...others.settings },
    relayOptions: {
      disconnectedStatusMs: 60_000,
      bigSegments: { staleThresholdMs: 1000, staleAsDegraded: false },
      ...others.relayOptions,
    },
    sources: { status: valid, lostMs: 0, everDelivered: true, knownSdkKey: undefined, ...sources },
    store: { status: valid, about: undefined, ...store },
    bigSegments: others.bigSegments?.status && { status: others.bigSegments.status },
    problem,
  };
}

const members = (available: boolean, potentiallyStale: boolean) => ({
  status: () => ({ available, potentiallyStale, lastSynchronizedOn: 7 }),
});
const countsStale = { bigSegments: { staleThresholdMs: 1000, staleAsDegraded: true } };

describe("the relay is", () => {
  const cases: readonly [why: string, is: "healthy" | "degraded", one: Some, problem?: string][] = [
    ["all is as it should be", "healthy", {}],
    ["a failure is short", "healthy", { sources: { status: interrupted, lostMs: 59_999 } }],
    ["a failure is long", "degraded", { sources: { status: interrupted, lostMs: 60_000 } }],
    ["a good connection is long", "healthy", { sources: { lostMs: 60_000 } }],
    ["upstream refuses the key", "healthy", { sources: { status: { state: "OFF", stateSince: 3 } } }],
    ["nothing was ever delivered", "degraded", { sources: { everDelivered: false } }],
    ["something is wrong", "degraded", {}, "a key is refused"],
    ["the store fails", "healthy", { store: { status: interrupted } }],
    ["members can be read", "healthy", { bigSegments: members(true, false) }],
    ["members cannot be read", "degraded", { bigSegments: members(false, false) }],
    ["members are old", "healthy", { bigSegments: members(true, true) }],
    [
      "members are old, which counts",
      "degraded",
      { bigSegments: members(true, true), relayOptions: countsStale },
    ],
    [
      "members are not old, which would count",
      "healthy",
      { bigSegments: members(true, false), relayOptions: countsStale },
    ],
    ["there are no members to be old", "healthy", { relayOptions: countsStale }],
  ];
  test.each(cases)("where %s: %s", (_why, is, one, problem) => {
    const document = statusDocument([environment("another"), environment("one", one, problem)]);
    expect(document.status).toBe(is);
  });

  test.each([
    { configured: true, status: "healthy" },
    { configured: false, status: "degraded" },
  ])("$status where it is $configured that it knows its environments", ({ configured, status }) => {
    expect(statusDocument([], { configured, status: interrupted })).toEqual({
      environments: {},
      status,
      version,
      clientVersion,
      configurationStatus: interrupted,
    });
  });
});

test("environments stand in the order of their names, and nothing is said of a configuration that there is not", () => {
  const document = statusDocument(["b", "c", "a", "B"].map((name) => environment(name)));
  expect(Object.keys(document.environments)).toEqual(["B", "a", "b", "c"]);
  expect(Object.keys(document)).toEqual(["environments", "status", "version", "clientVersion"]);
});

test("an environment is described by all that is known of it, and by nothing else", () => {
  expect(environmentStatus(environment("plain"))).toEqual({
    sdkKey: "sdk-********-*****56789",
    status: "connected",
    connectionStatus: valid,
    dataStoreStatus: valid,
  });
  const further = [
    { kind: "mobileKey", value: "mob-99999999-0123456789", expires: 5 },
    { kind: "sdkKey", value: "sdk-88888888-0123454321" },
    { kind: "sdkKey", value: "sdk-77777777-0123412345", expires: 5 },
  ] as const;
  const full = environment(
    "full",
    {
      keys: { mobileKey: "mob-12345678-0123454444", envId: "id-1", further },
      settings: { about: { envName: "Production", envKey: "prod" } },
      sources: { status: interrupted, lostMs: 60_000, knownSdkKey: "sdk-66666666-0123466666" },
      store: { status: interrupted, about: { database: "redis", dbServer: "one" } },
      bigSegments: members(true, true),
    },
    "something",
  );
  expect(environmentStatus(full)).toEqual({
    sdkKey: "sdk-********-*****56789",
    envId: "id-1",
    envName: "Production",
    envKey: "prod",
    mobileKey: "mob-********-*****54444",
    expiringSdkKey: "sdk-********-*****12345",
    upstreamSdkKey: "sdk-********-*****66666",
    status: "disconnected",
    problem: "something",
    connectionStatus: interrupted,
    dataStoreStatus: { database: "redis", dbServer: "one", ...interrupted },
    bigSegmentStatus: { available: true, potentiallyStale: true, lastSynchronizedOn: 7 },
  });
});

test.each<[string, Some, object, string?]>([
  ["a client-side ID", { keys: { envId: "id-1" } }, { envId: "id-1" }],
  ["a mobile key", { keys: { mobileKey: "mob-1" } }, { mobileKey: "mob-*" }],
  [
    "a key that ends",
    { keys: { further: [{ kind: "sdkKey", value: "sdk-2", expires: 5 }] } },
    { expiringSdkKey: "sdk-*" },
  ],
  ["a key that does not end", { keys: { further: [{ kind: "sdkKey", value: "sdk-2" }] } }, {}],
  ["the key of before", { sources: { knownSdkKey: "sdk-3" } }, { upstreamSdkKey: "sdk-*" }],
  ["the key itself", { sources: { knownSdkKey: "sdk-12345678-0123456789" } }, {}],
  ["a problem", {}, { problem: "something" }, "something"],
  [
    "members",
    { bigSegments: members(true, false) },
    { bigSegmentStatus: { available: true, potentiallyStale: false, lastSynchronizedOn: 7 } },
  ],
])("of an environment that has only %s nothing else is told", (_, some, told, problem) => {
  expect(environmentStatus(environment("one", some, problem))).toStrictEqual({
    sdkKey: "sdk-********-*****56789",
    status: "connected",
    connectionStatus: valid,
    dataStoreStatus: valid,
    ...told,
  });
});

test("what is described once is described anew as soon as a part of it is another one, and is the same until then", () => {
  const rotated = { kind: "sdkKey", value: "sdk-77777777-0123412345", expires: 5 } as const;
  const settled = {
    keys: { sdkKey: "sdk-12345678-0123456789", further: [] },
    settings: { about: { envName: "One" } },
    sources: { status: valid, lostMs: 0, everDelivered: true },
    store: { status: valid, about: { database: "redis", dbServer: "one" } },
    bigSegments: members(true, false),
  } satisfies Some;
  const synchronised = { available: true, potentiallyStale: false, lastSynchronizedOn: 8 };
  const changes: readonly [change: Some, told: object, problem?: string][] = [
    [{ keys: { ...settled.keys, further: [rotated] } }, { expiringSdkKey: "sdk-********-*****12345" }],
    [{ settings: { about: { envName: "Two" } } }, { envName: "Two" }],
    [{}, { problem: "something" }, "something"],
    [
      { sources: { ...settled.sources, knownSdkKey: "sdk-66666666-0123466666" } },
      { upstreamSdkKey: "sdk-********-*****66666" },
    ],
    [{ sources: { ...settled.sources, status: interrupted } }, { connectionStatus: interrupted }],
    [{ sources: { ...settled.sources, everDelivered: false } }, { status: "disconnected" }],
    [
      { store: { ...settled.store, status: interrupted } },
      { dataStoreStatus: { database: "redis", dbServer: "one", ...interrupted } },
    ],
    [
      { store: { status: valid, about: { database: "redis", dbServer: "two" } } },
      { dataStoreStatus: { database: "redis", dbServer: "two", ...valid } },
    ],
    [
      { bigSegments: members(false, false) },
      { bigSegmentStatus: { available: false, potentiallyStale: false, lastSynchronizedOn: 7 } },
    ],
    [
      { bigSegments: members(true, true) },
      { bigSegmentStatus: { available: true, potentiallyStale: true, lastSynchronizedOn: 7 } },
    ],
    [{ bigSegments: { status: () => synchronised } }, { bigSegmentStatus: synchronised }],
  ];
  for (const [change, told, problem] of changes) {
    const one = environment("one", settled);
    const before = environmentStatus(one);
    expect(environmentStatus(one)).toBe(before);
    // The other parts stay the very same.
    const { name: _, problem: said, ...others } = environment("one", { ...settled, ...change }, problem);
    const changed = Object.entries(others).filter(([part]) => part in change);
    Object.assign(one, Object.fromEntries(changed), { problem: said });
    const after = environmentStatus(one);
    expect(after).toEqual({ ...before, ...told });
    expect(environmentStatus(one)).toBe(after);
  }
});

test("members are asked for as old as they may be, and a key that is asked with is told when it is another one", () => {
  const asked: number[] = [];
  const one = environment("one", {
    bigSegments: {
      status(staleThresholdMs: number) {
        asked.push(staleThresholdMs);
        return undefined;
      },
    },
    sources: { knownSdkKey: "sdk-12345678-0123456789" },
  });
  expect(environmentStatus(one)).not.toHaveProperty("bigSegmentStatus");
  expect(environmentStatus(one)).not.toHaveProperty("upstreamSdkKey");
  expect(new Set(asked)).toEqual(new Set([1000]));
});
