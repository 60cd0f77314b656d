import { expect, test } from "vitest";
import type { Environment } from "./environment.js";
import { EnvironmentGroup } from "./environment-group.js";
import { createMetrics } from "./metrics.js";
import { resolveEnvironment } from "./options/resolve-environment.js";
import { resolveOptions } from "./options/resolve-options.js";

const settingsOf = (sdkKey: string, ...filters: string[]) => resolveEnvironment("prod", { sdkKey, filters });

/** A group whose environments only note what is done with them; one with a filter that is called "bad" does not start. */
function setUp(sdkKey: string, ...filters: string[]) {
  const noted: string[] = [];
  const start = ({
    name,
    filter,
    settings,
  }: {
    name: string;
    filter?: string | undefined;
    settings: object;
  }) => {
    if (filter === "bad") throw new Error("no store");
    noted.push(`${name} starts`);
    const note = (what: string) => () => void noted.push(`${name} ${what}`);
    // Of an environment only what a group asks of it is there.
    return {
      name,
      started: settings,
      meter: { close: note("is not counted") },
      stepAside: (isLeaving: boolean) => note(isLeaving ? "steps aside" : "stays")(),
      change: note("changes"),
      useSdkKey: (key: string) => note(`uses ${key}`)(),
      close: async () => note("is closed")(),
    } as unknown as Environment;
  };
  const group = new EnvironmentGroup(
    "prod",
    settingsOf(sdkKey, ...filters),
    { options: resolveOptions({}), metrics: createMetrics(), start },
    {
      demandFit: () => {},
      keysChanged: () => {},
      problem: () => undefined,
      isOwnKey: () => true,
      identity: Symbol("prod"),
      isStoreStale: false,
    },
  );
  const change = (settings: ReturnType<typeof settingsOf>) =>
    group.change(settings, { demandFit: () => {}, changed: () => void noted.push("is other") });
  const names = () => group.variants().map(({ name }) => name);
  return { group, change, names, noted: () => noted.splice(0) };
}

test("what changes of a group reaches those that stay; a key is used by them only when it is another one", () => {
  const { group, change, names, noted } = setUp("sdk-1", "web", "app");
  expect(noted()).toEqual(["prod starts", "prod/web starts", "prod/app starts"]);
  const first = change(settingsOf("sdk-1", "app", "tv"));
  expect(noted()).toEqual(["prod/tv starts", "is other", "prod changes", "prod/app changes"]);
  expect(first.added.map(({ name }) => name)).toEqual(["prod/tv"]);
  expect(first.gone.map(({ name }) => name)).toEqual(["prod/web"]);
  expect(names()).toEqual(["prod", "prod/app", "prod/tv"]);
  const second = change(settingsOf("sdk-2", "app"));
  expect(noted()).toEqual([
    ...["is other", "prod changes", "prod uses sdk-2", "prod/app changes", "prod/app uses sdk-2"],
  ]);
  expect([second.added, second.gone.map(({ name }) => name)]).toEqual([[], ["prod/tv"]]);
  expect([group.settings.keys.sdkKey, group.ring.keys.sdkKey]).toEqual(["sdk-2", "sdk-2"]);
  expect([group.variant("app")?.name, group.variant("tv")]).toEqual(["prod/app", undefined]);
});

test("where one filter does not start nothing changes, and those that had started are closed", () => {
  const { group, change, names, noted } = setUp("sdk-1", "web");
  noted();
  expect(() => change(settingsOf("sdk-2", "tv", "bad"))).toThrow("no store");
  expect(noted()).toEqual(["prod/tv starts", "prod/tv is not counted", "prod/tv is closed"]);
  expect(names()).toEqual(["prod", "prod/web"]);
  expect([group.settings.keys.sdkKey, group.ring.keys.sdkKey]).toEqual(["sdk-1", "sdk-1"]);
});

test("a group makes way for another one, and stays when that cannot be made", () => {
  const { group, noted } = setUp("sdk-1", "web");
  noted();
  const aside = ["prod steps aside", "prod/web steps aside"];
  const made = group.makingWay(() => noted());
  expect([made, noted()]).toEqual([aside, []]);
  const fail = () => {
    throw new Error("no way");
  };
  expect(() => group.makingWay(fail)).toThrow("no way");
  expect(noted()).toEqual([...aside, "prod stays", "prod/web stays"]);
});

test("what has started for other settings is closed when it does not fit any more, and nothing changes", () => {
  const { group, names, noted } = setUp("sdk-1");
  noted();
  const demandFit = () => {
    throw new Error("no place");
  };
  const changed = () => void expect.unreachable();
  expect(() => group.change(settingsOf("sdk-2", "tv"), { demandFit, changed })).toThrow("no place");
  expect(noted()).toEqual(["prod/tv starts", "prod/tv is not counted", "prod/tv is closed"]);
  expect([names(), group.settings.keys.sdkKey]).toEqual([["prod"], "sdk-1"]);
});

test("what is ended while it is being changed is not changed", () => {
  const { group, noted } = setUp("sdk-1", "web");
  noted();
  const changed = () => void Object.assign(group.variant("web") as Environment, { closed: true });
  group.change(settingsOf("sdk-2", "web"), { demandFit: () => {}, changed });
  expect(noted()).toEqual(["prod changes", "prod uses sdk-2"]);
});
