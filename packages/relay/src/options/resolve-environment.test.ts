import { describe, expect, test, vi } from "vitest";
import { isRelayError } from "../error.js";
import { createFixedSource } from "../sources/fixed-source.js";
import type { EnvironmentChanges } from "./options.js";
import { resolveChanges, resolveEnvironment } from "./resolve-environment.js";
import type { ResolvedEnvironment } from "./resolved-options.js";

const old = { kind: "sdkKey", value: "sdk-old", expires: 9, replaced: true } as const;
const listed = { kind: "sdkKey", value: "sdk-listed" } as const;
const mobile = { kind: "mobileKey", value: "mob-listed" } as const;
const refused = { kind: "sdkKey", value: "sdk-refused" } as const;
const [source, store, bigSegments] = [vi.fn(), vi.fn(), vi.fn()];
const present: ResolvedEnvironment = {
  keys: {
    sdkKey: "sdk-1",
    mobileKey: "mob-1",
    envId: "e",
    further: [old, listed, mobile],
    refused: [refused],
  },
  ...{ secureMode: true, ttlMs: 5, filters: ["web"], clientStream: "ping", about: { envName: "n" } },
  ...{ allowedOrigins: ["https://a.example"], allowedHeaders: ["X-A"], source, store, bigSegments },
};

test.each([undefined, null, [], "sdk-1"])("an environment that is to be %j is refused", (options) => {
  // What a program without types may pass.
  const says = 'environment "a" must be an object';
  expect(() => resolveEnvironment("a", options as never)).toThrow(says);
  expect(() => resolveChanges("a", options as never, present)).toThrow(says);
});

describe("what is changed of an environment, and what stays", () => {
  const { keys } = present;
  const sdk2 = { kind: "sdkKey", value: "sdk-2" } as const;
  const rows: { changes: EnvironmentChanges; becomes: Partial<ResolvedEnvironment> }[] = [
    { changes: {}, becomes: {} },
    { changes: { secureMode: false, ttl: 0 }, becomes: { secureMode: false, ttlMs: 0 } },
    {
      changes: { filters: [], clientStream: "evaluated" },
      becomes: { filters: [], clientStream: "evaluated" },
    },
    { changes: { about: { projKey: "p" } }, becomes: { about: { projKey: "p" } } },
    { changes: { about: {} }, becomes: { about: {} } },
    { changes: { allowedOrigins: [] }, becomes: { allowedOrigins: [] } },
    { changes: { allowedHeaders: ["X-B"] }, becomes: { allowedHeaders: ["X-B"] } },
    { changes: { sdkKey: "sdk-3" }, becomes: { keys: { ...keys, sdkKey: "sdk-3" } } },
    {
      changes: { sdkKey: "sdk-listed" },
      becomes: { keys: { ...keys, sdkKey: "sdk-listed", further: [old, mobile] } },
    },
    {
      changes: { sdkKey: "sdk-refused" },
      becomes: { keys: { ...keys, sdkKey: "sdk-refused", refused: [] } },
    },
    { changes: { mobileKey: "mob-2" }, becomes: { keys: { ...keys, mobileKey: "mob-2" } } },
    {
      changes: { mobileKey: "mob-listed" },
      becomes: { keys: { ...keys, mobileKey: "mob-listed", further: [old, listed] } },
    },
    {
      changes: { furtherSdkKeys: ["sdk-2"] },
      becomes: { keys: { ...keys, further: [sdk2, old, mobile], refused: [] } },
    },
    {
      changes: { furtherSdkKeys: ["sdk-old"] },
      becomes: { keys: { ...keys, further: [{ kind: "sdkKey", value: "sdk-old" }, mobile], refused: [] } },
    },
    { changes: { furtherSdkKeys: [] }, becomes: { keys: { ...keys, further: [old, mobile], refused: [] } } },
    { changes: { furtherMobileKeys: [] }, becomes: { keys: { ...keys, further: [old, listed] } } },
  ];
  test.each(rows)("$changes", ({ changes, becomes }) => {
    expect(resolveChanges("a", changes, present)).toStrictEqual({ ...present, ...becomes });
  });

  test("null takes the mobile key away", () => {
    const { mobileKey: _, ...others } = keys;
    expect(resolveChanges("a", { mobileKey: null }, present)).toStrictEqual({ ...present, keys: others });
  });
});

test("what lasts, what there is not, and what is wrong cannot be set", () => {
  const said = (changes: unknown, of = present) => {
    try {
      resolveChanges("a", changes as EnvironmentChanges, of);
    } catch (error) {
      if (isRelayError(error)) return error.problems;
    }
    return [];
  };
  const names =
    "sdkKey, mobileKey, furtherSdkKeys, furtherMobileKeys, secureMode, ttl, allowedOrigins, allowedHeaders, filters, clientStream, about";
  const lasting = "cannot be changed while the environment runs; remove the environment and add it again";
  for (const name of ["envId", "source", "store", "bigSegments"])
    expect(said({ [name]: present[name as "source"] ?? "e2" })).toEqual([
      `environment "a": ${name} ${lasting}`,
    ]);
  expect(said({ x: 1 })).toEqual([`environment "a": x is not an option; there are ${names}`]);
  expect(said(undefined)).toEqual(['environment "a" must be an object']);
  expect(said({ sdkKey: "" })).toEqual([
    expect.stringContaining('environment "a": sdkKey must not be empty'),
  ]);
  expect(said({ filters: ["a", "a"] })).toEqual([expect.stringContaining('makes "a/a" twice')]);
  const own = { ...present, filters: [], source: createFixedSource("{}").source };
  expect(said({ filters: ["a"] }, own)).toEqual([
    'environment "a": filters can be had of upstream only: what flagFile and createFixedSource have is served whole',
  ]);
  const { source } = own;
  expect(() => resolveEnvironment("a", { sdkKey: "sdk-1", filters: ["a"], source })).toThrow(
    "filters can be had of upstream only",
  );
  expect(resolveEnvironment("a", { sdkKey: "sdk-1", filters: ["a"] }).filters).toEqual(["a"]);
  expect([said({ filters: [] }, own), said({ ttl: "1s" }, own), said({ filters: ["a"] })]).toEqual([
    [],
    [],
    [],
  ]);
  expect(said({ furtherSdkKeys: ["sdk-1"] })).toEqual([
    'environment "a": furtherSdkKeys lists a key that is there already',
  ]);
});
