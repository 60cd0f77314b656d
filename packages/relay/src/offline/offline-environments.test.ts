import { parseItem } from "@wye/flag-evaluator";
import { describe, expect, test } from "vitest";
import { readAnnouncedEnvironment } from "../auto-config/read-announced.js";
import type { EnvironmentWithFlags } from "./environments-of-flag-file.js";
import { OfflineEnvironments } from "./offline-environments.js";
import type { OfflineChange } from "./offline-source.js";
import type { Archive } from "./read-archive.js";

const now = 1_000_000;

const flags = (version: number) => JSON.stringify({ flags: { a: { key: "a", version } } });

/** An environment of an archive. */
function archived(id: string, data = flags(1), more: object = {}) {
  const given = { envID: id, version: 1, sdkKey: { value: `sdk-${id}` }, ...more };
  return { given, announced: readAnnouncedEnvironment(given), data };
}

const archive = (environments: Record<string, ReturnType<typeof archived> | object>): Archive => ({
  environments: new Map(Object.entries(environments)) as Archive["environments"],
});

/** What a reading changes: the keys of environments, the versions of flags, and what is wrong. */
function said({ environments, flags, broken, problems }: OfflineChange) {
  return {
    keys: Object.fromEntries(
      [...environments].map(([name, options]) => [
        name,
        options && [options.sdkKey, ...options.furtherSdkKeys.map(({ key }) => key)].join(" "),
      ]),
    ),
    flags: Object.fromEntries(
      [...flags].map(([name, { items }]) => [name, items.map((item) => item.version)]),
    ),
    broken: [...broken.keys()],
    problems,
  };
}

const nothing = { keys: {}, flags: {}, broken: [], problems: [] };

describe("an archive", () => {
  test("changes what is new, another one or gone, flags and settings each by themselves", () => {
    const known = new OfflineEnvironments();
    const take = (environments: Parameters<typeof archive>[0]) =>
      said(known.takeArchive(archive(environments), now));
    expect(take({ a: archived("a"), b: archived("b") })).toEqual({
      ...nothing,
      keys: { a: "sdk-a", b: "sdk-b" },
      flags: { a: [1], b: [1] },
    });
    expect(take({ a: archived("a"), b: archived("b") })).toEqual(nothing);
    expect(take({ a: archived("a", flags(2)), b: archived("b") })).toEqual({ ...nothing, flags: { a: [2] } });
    const renamed = { sdkKey: { value: "sdk-new" } };
    expect(take({ a: archived("a", flags(2)), b: archived("b", flags(1), renamed) })).toEqual({
      ...nothing,
      keys: { b: "sdk-new" },
    });
    expect(take({ a: archived("a", flags(2)) })).toEqual({ ...nothing, keys: { b: undefined } });
    expect(take({ a: archived("a", flags(2)), b: archived("b") })).toMatchObject({
      keys: { b: "sdk-b" },
      flags: { b: [1] },
    });
  });

  test("with flags that cannot be used changes keys only, and is told of each time", () => {
    const known = new OfflineEnvironments();
    const take = (environments: Parameters<typeof archive>[0]) =>
      said(known.takeArchive(archive(environments), now));
    take({ a: archived("a") });
    const problems = [expect.stringContaining('environment "a": ')];
    const odd = archived("a", "[]", { sdkKey: { value: "sdk-new" } });
    expect(take({ a: odd })).toEqual({ keys: { a: "sdk-new" }, flags: {}, broken: ["a"], problems });
    expect(take({ a: odd })).toEqual({ keys: {}, flags: {}, broken: ["a"], problems });
    expect(take({ a: archived("a", flags(1), { sdkKey: { value: "sdk-new" } }) })).toEqual(nothing);
    // What was never there does not come.
    expect(take({ b: archived("b", "[]") })).toMatchObject({ keys: { a: undefined }, broken: ["b"] });
  });

  test("with metadata that cannot be read changes keys only, until they can be read", () => {
    const known = new OfflineEnvironments();
    const take = (environments: Parameters<typeof archive>[0]) =>
      said(known.takeArchive(archive(environments), now));
    take({ a: archived("a") });
    const broken = { given: { envID: "a", sdkKey: { value: "sdk-new" } }, problem: "no number" };
    const problems = ['environment "a": no number'];
    expect(take({ a: broken, b: broken })).toEqual({
      keys: { a: "sdk-new" },
      flags: {},
      broken: ["a", "b"],
      problems: [...problems, 'environment "b": no number'],
    });
    // As it was before, which is not what was read last.
    expect(take({ a: archived("a") })).toEqual({ ...nothing, keys: { a: "sdk-a" } });
  });

  test("that names a key of another environment as expiring has it refused, and each of its mistakes told", () => {
    const known = new OfflineEnvironments();
    const rotated = (version: number, value: string, expiring: string) => ({
      version,
      sdkKey: { value, expiring: { value: expiring, timestamp: now + 10 } },
    });
    const b1 = archived("b", flags(1), rotated(1, "sdk-b2", "sdk-b"));
    known.takeArchive(archive({ a: archived("a"), b: b1 }), now);
    const b2 = archived("b", "[]", rotated(2, "sdk-b2", "sdk-a"));
    const change = known.takeArchive(archive({ a: archived("a"), b: b2 }), now);
    const theirs = 'its expiring SDK key is one of the environment "a"';
    expect(said(change)).toEqual({
      keys: { b: "sdk-b2 sdk-b" },
      flags: {},
      broken: ["b"],
      problems: [expect.stringContaining('environment "b": '), `environment "b": ${theirs}`],
    });
    expect(change.broken.get("b")).toEqual({
      wanted: expect.objectContaining({
        sdkKey: "sdk-b2",
        furtherSdkKeys: [expect.objectContaining({ key: "sdk-a" })],
      }),
      error: expect.objectContaining({ message: theirs }),
    });
  });

  test("has a mistake told however many expire rightly before it", () => {
    const known = new OfflineEnvironments();
    const take = (environments: Parameters<typeof archive>[0]) =>
      said(known.takeArchive(archive(environments), now));
    const rotated = (id: string, expiring: string) =>
      archived(id, flags(1), {
        version: 2,
        sdkKey: { value: `sdk-${id}2`, expiring: { value: expiring, timestamp: now + 10 } },
      });
    take({ own: archived("own"), a: archived("a"), b: archived("b") });
    const all = {
      new: rotated("new", "sdk-nobody"),
      own: rotated("own", "sdk-own"),
      a: archived("a"),
      b: rotated("b", "sdk-a"),
    };
    expect(take(all)).toMatchObject({
      keys: { new: "sdk-new2 sdk-nobody", own: "sdk-own2 sdk-own", b: "sdk-b2" },
      problems: ['environment "b": its expiring SDK key is one of the environment "a"'],
    });
  });

  test("that names by mistake a key which another environment remembers leaves it there, until that one is gone", () => {
    const known = new OfflineEnvironments();
    const take = (environments: Parameters<typeof archive>[0]) =>
      said(known.takeArchive(archive(environments), now));
    const rotated = (value: string, expiring?: string) => ({
      sdkKey: { value, ...(expiring && { expiring: { value: expiring, timestamp: now + 10 } }) },
    });
    take({ a: archived("a"), b: archived("b") });
    take({ a: archived("a", flags(1), rotated("sdk-a2", "sdk-a")), b: archived("b") });
    const a = archived("a", flags(1), rotated("sdk-a2"));
    const b = archived("b", flags(1), rotated("sdk-b2", "sdk-a"));
    expect(take({ a, b })).toMatchObject({
      keys: { a: "sdk-a2 sdk-a", b: "sdk-b2" },
      problems: ['environment "b": its expiring SDK key is one of the environment "a"'],
    });
    const only = archived("b", flags(1), rotated("sdk-b3", "sdk-a"));
    expect(take({ b: only })).toMatchObject({ keys: { a: undefined, b: "sdk-b3 sdk-a" }, problems: [] });
  });

  test("with metadata that cannot be read leaves nothing of what a file of flags had under the name", () => {
    const known = new OfflineEnvironments();
    const options = {
      sdkKey: "sdk-1",
      furtherSdkKeys: [],
      secureMode: false,
      ttl: 0,
      about: {},
      filters: [],
    };
    known.takeFlagFile(new Map([["x", { options, change: { extent: "full", items: [] } }]]));
    const broken = { given: { envID: "x", sdkKey: { value: "sdk-1" } }, problem: "no number" };
    expect(said(known.takeArchive(archive({ x: broken }), now))).toStrictEqual({
      keys: { x: undefined },
      flags: {},
      broken: ["x"],
      problems: ['environment "x": no number'],
    });
  });

  test("that names a key as expiring has it accepted until its moment, and remembered for nobody else", () => {
    const known = new OfflineEnvironments();
    const take = (environments: Parameters<typeof archive>[0], at = now) =>
      said(known.takeArchive(archive(environments), at)).keys;
    take({ a: archived("a") });
    const rotated = {
      version: 2,
      sdkKey: { value: "sdk-a2", expiring: { value: "sdk-a", timestamp: now + 10 } },
    };
    expect(take({ a: archived("a", flags(1), rotated) })).toEqual({ a: "sdk-a2 sdk-a" });
    const later = archived("a", flags(1), { version: 3, sdkKey: { value: "sdk-a2" } });
    expect(take({ a: later }, now + 9)).toEqual({ a: "sdk-a2 sdk-a" });
    expect(take({ a: later, b: archived("b", flags(1), { sdkKey: { value: "sdk-a" } }) })).toEqual({
      a: "sdk-a2",
      b: "sdk-a",
    });
  });
});

describe("a file of flags", () => {
  const one = (version: number, text: string, sdkKey = "sdk-1"): EnvironmentWithFlags => ({
    options: { sdkKey, furtherSdkKeys: [], secureMode: false, ttl: 0, about: {}, filters: [] },
    change: {
      extent: "full",
      items: [parseItem("flags", "a", JSON.stringify({ key: "a", version, text }))],
      selector: { state: `${version} ${text}`, version: 1 },
    },
  });

  test("changes what is another one, and raises the versions of what has changed", () => {
    const known = new OfflineEnvironments();
    const take = (environments: Record<string, EnvironmentWithFlags>) =>
      said(known.takeFlagFile(new Map(Object.entries(environments))));
    expect(take({ x: one(1, "first") })).toEqual({ ...nothing, keys: { x: "sdk-1" }, flags: { x: [1] } });
    expect(take({ x: one(1, "first") })).toEqual(nothing);
    expect(take({ x: one(1, "second") })).toEqual({ ...nothing, flags: { x: [2] } });
    expect(take({ x: one(1, "third", "sdk-2") })).toEqual({
      ...nothing,
      keys: { x: "sdk-2" },
      flags: { x: [3] },
    });
    expect(take({ y: one(1, "first") })).toEqual({
      ...nothing,
      keys: { x: undefined, y: "sdk-1" },
      flags: { y: [1] },
    });
  });
});
