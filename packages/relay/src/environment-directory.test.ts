import { expect, test } from "vitest";
import { systemClock } from "./clock.js";
import { credentialDigest } from "./credentials.js";
import { type DirectoryEntry, EnvironmentDirectory, leadingTo } from "./environment-directory.js";
import { KeyRing } from "./key-ring.js";
import { newEnvironment } from "./options/read-environment.js";
import type { ResolvedEnvironment } from "./options/resolved-options.js";
import { createManualClock } from "./testing/manual-clock.js";

const settingsOf = (sdkKey: string, ...filters: readonly string[]): ResolvedEnvironment => ({
  ...newEnvironment,
  keys: { ...newEnvironment.keys, sdkKey },
  filters,
});

const entryOf = (name: string, settings: ResolvedEnvironment) => ({
  name,
  settings,
  ring: new KeyRing(systemClock, settings.keys, () => {}),
});

test("one that comes is not compared with each that is there", () => {
  const directory = new EnvironmentDirectory<DirectoryEntry>(systemClock);
  let looks = 0;
  for (let n = 0; n < 100; n++) {
    const { settings, ...rest } = entryOf(`${n}`, settingsOf(`sdk-${n}`, "web"));
    const entry = Object.defineProperty({ ...rest, settings }, "settings", {
      get() {
        looks++;
        return settings;
      },
    });
    directory.refuseTaken(entry.name, settings);
    directory.add(entry);
  }
  expect(looks).toBeLessThan(1000);
});

test("names with payload filters are taken as long as they lead to one", () => {
  const directory = new EnvironmentDirectory<{
    -readonly [Name in keyof DirectoryEntry]: DirectoryEntry[Name];
  }>(systemClock);
  const refusal = (name: string, ...filters: readonly string[]) => {
    try {
      directory.refuseTaken(name, settingsOf(`sdk-${name}`, ...filters));
    } catch (error) {
      return String(error);
    }
    return undefined;
  };
  const entry = entryOf("a", settingsOf("sdk-a", "web", "app"));
  directory.add(entry);
  expect(refusal("a/web")).toContain('there is an environment "a/web"');
  expect(refusal("a")).toContain('there is an environment "a"');
  expect(refusal("b", "web")).toBeUndefined();
  const before = leadingTo(entry);
  entry.settings = settingsOf("sdk-a", "app");
  directory.forget(entry, before);
  directory.index(entry);
  expect([refusal("a/web"), refusal("a/app") === undefined]).toEqual([undefined, false]);
  directory.delete(entry);
  expect([refusal("a"), refusal("a/app")]).toEqual([undefined, undefined]);
});

test("a key that has expired is free, and stays with the one that takes it, whatever becomes of the first", () => {
  const clock = createManualClock();
  const directory = new EnvironmentDirectory<DirectoryEntry>(clock);
  const withKeys = (name: string, keys: Partial<ResolvedEnvironment["keys"]>): DirectoryEntry => {
    const settings = { ...newEnvironment, keys: { ...newEnvironment.keys, ...keys } };
    return { name, settings, ring: new KeyRing(clock, settings.keys, () => {}) };
  };
  const expires = clock.now() + 1000;
  const first = withKeys("first", {
    sdkKey: "sdk-1",
    mobileKey: "mob-1",
    envId: "id-1",
    further: [{ kind: "sdkKey", value: "old", expires }],
  });
  const second = withKeys("second", { sdkKey: "old" });
  directory.add(first);
  const refuse = () => directory.refuseTaken(second.name, second.settings);
  expect(refuse).toThrow('environment "first" has the same sdkKey');
  expect(() => directory.refuseOthers("first", second.settings)).not.toThrow();
  for (const [kind, value] of [
    ["mobileKey", "mob-1"],
    ["envId", "id-1"],
  ] as const) {
    const other = withKeys("other", { sdkKey: "sdk-2", [kind]: value });
    expect(() => directory.refuseTaken("other", other.settings)).toThrow(
      `environment "first" has the same ${kind}`,
    );
  }
  const found = () => directory.find(credentialDigest("sdkKey", "old"))?.name;
  clock.advance(999);
  expect(found()).toBe("first");
  expect(refuse).toThrow('environment "first" has the same sdkKey');
  clock.advance(1);
  expect([found(), refuse()]).toEqual([undefined, undefined]);
  directory.add(second);
  directory.index(first);
  expect(found()).toBe("second");
  directory.delete(first);
  expect([found(), directory.get("first"), directory.names()]).toEqual(["second", undefined, ["second"]]);
  expect(directory.find(credentialDigest("sdkKey", "sdk-1"))).toBeUndefined();
});

test("a name with a payload filter that leads to another one by now stays with that", () => {
  const directory = new EnvironmentDirectory<DirectoryEntry>(systemClock);
  const [first, second] = [entryOf("a", settingsOf("sdk-a", "web")), entryOf("a/web", settingsOf("sdk-b"))];
  directory.add(first);
  directory.add(second);
  directory.delete(first);
  expect(() => directory.refuseTaken("a", first.settings)).toThrow('there is an environment "a/web"');
});

test("a key of another one may be listed by one that comes when it has expired there", () => {
  const clock = createManualClock(1000);
  const directory = new EnvironmentDirectory<DirectoryEntry>(clock);
  directory.add(entryOf("a", settingsOf("sdk-a")));
  const listing = (expires: number) => {
    const settings = settingsOf("sdk-b");
    const further = [{ kind: "sdkKey", value: "sdk-a", expires } as const];
    return () => directory.refuseTaken("b", { ...settings, keys: { ...settings.keys, further } });
  };
  expect(listing(1001)).toThrow('environment "a" has the same sdkKey');
  expect(listing(1000)).not.toThrow();
});
