import { describe, expect, test } from "vitest";
import { Announcements } from "./announcements.js";
import { readConfigurationEvent } from "./configuration-event.js";

const now = 1_000_000;

const environment = (envID: string, version: number, more: object = {}) => ({
  envID,
  version,
  sdkKey: { value: `sdk-${envID}` },
  mobKey: `mob-${envID}`,
  projKey: "p",
  ...more,
});
const filter = (key: string, version: number, projKey = "p") => ({ projKey, key, version });

/** What upstream has announced so far, and what each message changes. */
function setUp() {
  const announcements = new Announcements();
  const send = (name: string, body: object, at = now) =>
    announcements.apply(readConfigurationEvent(name, JSON.stringify(body)), at);
  return {
    put: (environments: object, filters: object = {}) =>
      send("put", { path: "/", data: { environments, filters } }),
    patch: (path: string, data: object, at?: number) => send("patch", { path, data }, at),
    remove: (path: string, version: number) => send("delete", { path, version }),
  };
}

type Change = ReturnType<ReturnType<typeof setUp>["put"]>;
const changed = ({ environments }: Change) =>
  Object.fromEntries(
    [...environments].map(([id, options]) => [
      id,
      options === undefined ? "gone" : [options.sdkKey, ...options.filters].join(" "),
    ]),
  );
const broken = (change: Change) => [...change.broken.keys()];

describe("a full set", () => {
  test("changes what is new, newer or gone, and nothing else", () => {
    const { put } = setUp();
    const first = put({ a: environment("a", 1), b: environment("b", 1) });
    expect([changed(first), first.isWhole, first.problems]).toEqual([{ a: "sdk-a", b: "sdk-b" }, true, []]);
    const second = put({
      a: environment("a", 1, { sdkKey: { value: "sdk-x" } }),
      c: environment("c", 1),
    });
    expect(changed(second)).toEqual({ b: "gone", c: "sdk-c" });
    expect(changed(put({ a: environment("a", 2, { sdkKey: { value: "sdk-x" } }) }))).toEqual({
      a: "sdk-x",
      c: "gone",
    });
  });

  test("is known to have come, whatever follows", () => {
    const { patch, put } = setUp();
    expect(patch("/environments/a", environment("a", 1)).isWhole).toBe(false);
    put({});
    expect(patch("/environments/a", environment("a", 1)).isWhole).toBe(true);
  });

  test("leaves as it was what cannot be read, and says so until that can be", () => {
    const { put, patch } = setUp();
    put({ a: environment("a", 1) }, { f: filter("web", 1) });
    const odd = environment("a", 2, { secureMode: "yes", sdkKey: { value: "sdk-new" } });
    const change = put({ a: odd, b: 5 }, { f: 5 });
    // A key that was replaced must not go on working.
    expect(changed(change)).toEqual({ a: "sdk-new web" });
    expect([broken(change), change.isWhole]).toEqual([["a", "b"], true]);
    expect(change.problems).toEqual([
      'environment "a": "secureMode" is not true or false',
      'environment "b": the environment is not an object',
      'filter "f": the filter is not an object',
    ]);
    expect(change.broken.get("a")).toMatchObject({ wanted: { envId: "a", sdkKey: "sdk-new" } });
    expect(broken(patch("/filters/g", filter("app", 1)))).toEqual(["a", "b"]);
    // What came late is older than what cannot be read.
    expect(broken(patch("/environments/a", environment("a", 1)))).toEqual(["a", "b"]);
    const right = patch("/environments/a", environment("a", 2));
    expect([changed(right), broken(right)]).toEqual([{ a: "sdk-a web app" }, ["b"]]);
    expect(broken(put({ a: environment("a", 2) }))).toEqual([]);
    // What was said before stays as it was said.
    expect(broken(change)).toEqual(["a", "b"]);
  });

  test("takes no keys of what is older than what is known, nor of what was never served", () => {
    const { put } = setUp();
    put({ a: environment("a", 5) });
    const odd = (version: unknown) => ({ a: environment("a", 1, { version, sdkKey: { value: "sdk-new" } }) });
    expect(changed(put({ ...odd(4), b: environment("b", 1, { version: "x" }) }))).toEqual({});
    const broken = environment("a", 4, { secureMode: "yes", sdkKey: { value: "sdk-new" } });
    expect(changed(put({ a: broken }))).toEqual({});
    expect(changed(put(odd(4.5)))).toEqual({ a: "sdk-new" });
  });
});

describe("a single message", () => {
  test("counts when it is newer than what is known, deletions too", () => {
    const { patch, remove } = setUp();
    expect(changed(patch("/environments/a", environment("a", 2)))).toEqual({ a: "sdk-a" });
    expect(changed(patch("/environments/a", environment("a", 2)))).toEqual({});
    expect(changed(remove("/environments/a", 2))).toEqual({});
    expect(changed(remove("/environments/a", 3))).toEqual({ a: "gone" });
    expect(changed(remove("/environments/a", 4))).toEqual({});
    expect(changed(patch("/environments/a", environment("a", 4)))).toEqual({});
    expect(changed(patch("/environments/a", environment("a", 5)))).toEqual({ a: "sdk-a" });
  });

  test("that deletes an older version leaves what cannot be read, and what is served in its place", () => {
    const { put, remove } = setUp();
    put({ a: environment("a", 5) });
    put({ a: environment("a", 5, { version: "x" }) });
    for (const version of [4, 5]) {
      const late = remove("/environments/a", version);
      expect([changed(late), broken(late)]).toEqual([{}, ["a"]]);
    }
    expect(changed(remove("/environments/a", 6))).toEqual({ a: "gone" });
  });

  test("that deletes what cannot be read counts when it is newer than that", () => {
    const { put, remove } = setUp();
    put({ a: environment("a", 1) });
    put({ a: environment("a", 5, { secureMode: 5 }) });
    const late = remove("/environments/a", 5);
    expect([changed(late), broken(late)]).toEqual([{}, ["a"]]);
    const newer = remove("/environments/a", 6);
    expect([changed(newer), broken(newer)]).toEqual([{ a: "gone" }, []]);
  });
});

test("filters are those of the environments of their project, wherever they come from and go to", () => {
  const { put, patch, remove } = setUp();
  const other = environment("o", 1, { projKey: "q" });
  const first = put(
    { a: environment("a", 1), o: other, none: environment("none", 1, { projKey: undefined }) },
    { f: filter("web", 1), g: filter("web", 1), h: filter("app", 1, "q") },
  );
  expect(changed(first)).toEqual({ a: "sdk-a web", o: "sdk-o app", none: "sdk-none" });
  expect(changed(patch("/filters/i", filter("tv", 1)))).toEqual({ a: "sdk-a web tv" });
  expect(changed(patch("/filters/i", filter("tv", 1, "q")))).toEqual({});
  // From one project into another.
  expect(changed(patch("/filters/i", filter("tv", 2, "q")))).toEqual({ a: "sdk-a web", o: "sdk-o app tv" });
  expect(changed(remove("/filters/i", 2))).toEqual({});
  expect(changed(remove("/filters/i", 3))).toEqual({ o: "sdk-o app" });
  // Two have this key.
  expect(changed(remove("/filters/f", 2))).toEqual({ a: "sdk-a web" });
  const environments = { a: environment("a", 1), o: other };
  expect(changed(put(environments, { g: filter("web", 1) }))).toEqual({ none: "gone", o: "sdk-o" });
});

test("a key that was named as expiring is accepted until its moment, unless it is named for another environment", () => {
  const { put, patch } = setUp();
  const expiring = (key: string, timestamp: number) => ({
    sdkKey: { value: "sdk-a2", expiring: { value: key, timestamp } },
  });
  put({ a: environment("a", 1) });
  const furtherOf = (change: Change, id = "a") => change.environments.get(id)?.furtherSdkKeys;
  const old = { key: "sdk-a", expires: now + 10 };
  const second = patch("/environments/a", environment("a", 2, expiring("sdk-a", now + 10)));
  expect(second.environments.get("a")).toMatchObject({ sdkKey: "sdk-a2", ownSdkKeys: ["sdk-a"] });
  expect(furtherOf(second)).toEqual([old]);
  const third = environment("a", 3, { sdkKey: { value: "sdk-a2" } });
  expect(furtherOf(patch("/environments/a", third, now + 9))).toEqual([old]);
  const taken = patch("/environments/b", environment("b", 1, { sdkKey: { value: "sdk-a" } }));
  expect([Object.keys(changed(taken)).sort(), furtherOf(taken)]).toEqual([["a", "b"], []]);
  expect(furtherOf(patch("/environments/a", environment("a", 4, expiring("sdk-z", now))))).toEqual([]);
});

test("keys that were accepted are so no more when the environment is gone, or its key opens something else", () => {
  const { put, patch, remove } = setUp();
  const rotated = (version: number) =>
    environment("a", version, {
      sdkKey: { value: "sdk-a2", expiring: { value: "sdk-a", timestamp: now + 10 } },
    });
  const of = (change: Change) => {
    const { sdkKey, furtherSdkKeys, ownSdkKeys } = change.environments.get("a") ?? {};
    return [sdkKey, furtherSdkKeys?.map(({ key }) => key), ownSdkKeys];
  };
  put({ a: environment("a", 1), b: environment("b", 1) });
  expect(of(patch("/environments/a", rotated(2)))).toEqual(["sdk-a2", ["sdk-a"], ["sdk-a"]]);
  remove("/environments/a", 3);
  const back = patch("/environments/a", environment("a", 4, { sdkKey: { value: "sdk-a2" } }));
  expect(of(back)).toEqual(["sdk-a2", [], []]);
  expect(of(patch("/environments/a", rotated(5)))).toEqual(["sdk-a2", ["sdk-a"], ["sdk-a"]]);
  const other = patch("/environments/a", environment("a", 6, { sdkKey: { value: "sdk-b" } }));
  expect(of(other)).toEqual(["sdk-b", [], []]);
  // It is accepted where it is named, and opens what it has always opened.
  const sdkKey = { value: "sdk-b", expiring: { value: "sdk-a", timestamp: now + 10 } };
  expect(of(patch("/environments/a", environment("a", 7, { sdkKey })))).toEqual(["sdk-b", ["sdk-a"], []]);
});

test("an environment that is gone is mistaken for no other one", () => {
  const { put, patch, remove } = setUp();
  put({ a: environment("a", 1) });
  patch("/environments/a", environment("a", 2, { sdkKey: { value: "sdk-new" } }));
  remove("/environments/a", 3);
  patch("/environments/b", environment("b", 1, { sdkKey: { value: "sdk-a" } }));
  const sdkKey = { value: "sdk-a", expiring: { value: "sdk-new", timestamp: now + 10 } };
  const { environments } = patch("/environments/b", environment("b", 2, { sdkKey }));
  expect(environments.get("b")).toMatchObject({ origin: "1", ownSdkKeys: ["sdk-new"] });
});

test("an environment whose keys turn out to open something else goes on as that", () => {
  const { put, patch } = setUp();
  const origins = ({ environments }: Change) => [...environments].map(([id, one]) => [id, one?.origin]);
  expect(origins(put({ a: environment("a", 1) }))).toEqual([["a", "1"]]);
  const guessed = patch("/environments/a", environment("a", 2, { sdkKey: { value: "sdk-new" } }));
  expect(origins(guessed)).toEqual([["a", "1"]]);
  const known = patch("/environments/b", environment("b", 1, { sdkKey: { value: "sdk-a" } }));
  expect(origins(known).sort()).toEqual([
    ["a", "2"],
    ["b", "1"],
  ]);
});
