import { describe, expect, test } from "vitest";
import { readConfigurationEvent } from "./configuration-event.js";
import { readAnnouncedEnvironment, readAnnouncedFilter, readAnnouncedKeys } from "./read-announced.js";
import { readableOptions } from "./readable-options.js";

const whole = {
  version: 7,
  envID: "id-1",
  sdkKey: { value: "sdk-1", expiring: { value: "sdk-0", timestamp: 5 } },
  mobKey: "mob-1",
  secureMode: true,
  defaultTtl: 3,
  envKey: "prod",
  envName: "Production",
  projKey: "shop",
  projName: "Shop",
};

test("an environment is read with all that is said of it", () => {
  expect(readAnnouncedEnvironment(whole)).toEqual({
    version: 7,
    envId: "id-1",
    sdkKey: "sdk-1",
    expiring: { key: "sdk-0", expires: 5 },
    mobileKey: "mob-1",
    secureMode: true,
    ttlMs: 180_000,
    about: { envKey: "prod", envName: "Production", projKey: "shop", projName: "Shop" },
  });
});

test.each([{}, Object.fromEntries(Object.keys(whole).map((name) => [name, null]))])(
  "what is left out, or null, is nothing: %j",
  (given) => {
    expect(readAnnouncedEnvironment(given)).toEqual({
      version: 0,
      envId: "",
      sdkKey: "",
      expiring: undefined,
      mobileKey: "",
      secureMode: false,
      ttlMs: 0,
      about: {},
    });
    expect(readAnnouncedFilter(given)).toEqual({ version: 0, projKey: "", key: "" });
  },
);

test("an expiring key without a moment has expired, a moment without a key says nothing, and no time to live is below zero", () => {
  const read = (change: object) => readAnnouncedEnvironment({ ...whole, ...change });
  expect(read({ sdkKey: { expiring: { value: "sdk-0" } } }).expiring).toEqual({ key: "sdk-0", expires: 0 });
  expect(read({ sdkKey: { expiring: { timestamp: 5 } } }).expiring).toBeUndefined();
  expect(read({ defaultTtl: -1 }).ttlMs).toBe(0);
});

describe("what cannot be read says why", () => {
  type Case = readonly [name: string, value: unknown, message: string];
  const text = (name: string): Case => [name, 5, `"${name}" is not text`];
  const number = (name: string) =>
    ["7", 0.5, 2 ** 53].map((value): Case => [name, value, `"${name}" is not a whole number`]);
  test.each<Case>([
    ...["envID", "mobKey", "envKey", "envName", "projKey", "projName"].map(text),
    ...["version", "defaultTtl"].flatMap(number),
    ["secureMode", "yes", '"secureMode" is not true or false'],
    ["sdkKey", "sdk-1", "sdkKey is not an object"],
    ["sdkKey", ["sdk-1"], "sdkKey is not an object"],
    ["sdkKey", { value: 5 }, '"value" is not text'],
    ["sdkKey", { expiring: "sdk-0" }, "sdkKey.expiring is not an object"],
    ["sdkKey", { expiring: { value: "a", timestamp: "5" } }, '"timestamp" is not a whole number'],
  ])("an environment with %s: %j", (name, value, message) => {
    const read = () => readAnnouncedEnvironment({ ...whole, [name]: value });
    expect(read).toThrow(expect.objectContaining({ code: "malformed_data", message }));
  });

  test.each([
    [null, "the filter is not an object"],
    [[], "the filter is not an object"],
    [{ version: "1" }, '"version" is not a whole number'],
    [{ projKey: 1 }, '"projKey" is not text'],
    [{ key: {} }, '"key" is not text'],
  ])("the filter %j", (value, message) => {
    expect(() => readAnnouncedFilter(value)).toThrow(message);
  });

  test.each([undefined, 5, "a", []])("an environment that is %j", (value) => {
    expect(() => readAnnouncedEnvironment(value)).toThrow("the environment is not an object");
  });
});

describe("the keys of an environment that cannot be used are read as far as", () => {
  const none = { sdkKey: "", expiring: undefined, mobileKey: "" };
  const keys = { sdkKey: "sdk-1", expiring: { key: "sdk-0", expires: 5 }, mobileKey: "mob-1" };
  test.each([
    ["it is this one", { ...whole, version: "x" }, keys],
    ["it does not say which it is", { ...whole, envID: null }, keys],
    ["it is another one", { ...whole, envID: "id-2" }, none],
    ["the SDK key can be read", { ...whole, sdkKey: 5 }, { ...none, mobileKey: "mob-1" }],
    [
      "the expiring one can be read",
      { ...whole, sdkKey: { value: "a", expiring: 5 } },
      { ...none, mobileKey: "mob-1" },
    ],
    ["the mobile key can be read", { ...whole, mobKey: 5 }, { ...keys, mobileKey: "" }],
    ["it is an object", [whole], none],
    ["there is anything", undefined, none],
  ])("%s", (_, given, expected) => {
    expect(readAnnouncedKeys("id-1", given)).toEqual(expected);
  });
});

test.each([
  {
    given: { ...whole, version: "x" },
    options: {
      envId: "here",
      sdkKey: "sdk-1",
      mobileKey: "mob-1",
      furtherSdkKeys: [{ key: "sdk-0", expires: 5 }],
      about: { envKey: "prod", envName: "Production", projKey: "shop", projName: "Shop" },
    },
  },
  {
    given: {
      sdkKey: { value: "", expiring: { value: "sdk-0", timestamp: "5" } },
      mobKey: 5,
      envName: "",
      envKey: 7,
      projKey: "p",
      other: "x",
    },
    options: { envId: "here", furtherSdkKeys: [{ key: "sdk-0" }], about: { projKey: "p" } },
  },
  {
    given: { sdkKey: { value: "sdk-1", expiring: { value: "", timestamp: 5 } } },
    options: { envId: "here", sdkKey: "sdk-1", furtherSdkKeys: [], about: {} },
  },
  { given: { sdkKey: "sdk-1" }, options: { envId: "here", furtherSdkKeys: [], about: {} } },
  { given: null, options: { envId: "here", furtherSdkKeys: [], about: {} } },
])("of what cannot be used is readable who it is: %j", ({ given, options }) => {
  expect(readableOptions("here", given)).toEqual(options);
});

describe("a message of the stream", () => {
  const item = { ...whole, envID: "a/b\nc" };
  const read = (name: string, body: unknown) => readConfigurationEvent(name, JSON.stringify(body));

  test("is taken for what its name and path say", () => {
    const environment = readAnnouncedEnvironment(item);
    const filter = { version: 1, projKey: "p", key: "k" };
    expect(readConfigurationEvent("reconnect", "anything")).toEqual({ kind: "reconnect" });
    expect(read("patch", { path: "/environments/a/b\nc", data: item })).toEqual({
      kind: "environment",
      id: "a/b\nc",
      item: environment,
    });
    expect(read("patch", { path: "/filters/f", data: filter })).toEqual({
      kind: "filter",
      id: "f",
      item: filter,
    });
    expect(read("delete", { path: "/environments/e", version: 3 })).toEqual({
      kind: "no-environment",
      id: "e",
      version: 3,
    });
    expect(read("delete", { path: "/filters/f" })).toEqual({ kind: "no-filter", id: "f", version: 0 });
    const data = { environments: { "a/b\nc": item }, filters: { f: filter } };
    expect(read("put", { path: "/", data })).toEqual({
      kind: "put",
      environments: { items: new Map([["a/b\nc", environment]]), broken: new Map() },
      filters: { items: new Map([["f", filter]]), broken: new Map() },
    });
  });

  test.each([
    ["message", {}, 'there is no event "message"'],
    ["put", { path: "/environments" }, 'put: there is no path "/environments"'],
    ["put", {}, 'put: there is no path ""'],
    ["patch", { path: "/" }, 'patch: there is no path "/"'],
    ["patch", { path: "/environments/" }, 'patch: there is no path "/environments/"'],
    ["patch", { path: "x/environments/a" }, 'patch: there is no path "x/environments/a"'],
    ["delete", { path: "/segments/a" }, 'delete: there is no path "/segments/a"'],
    ["patch", { path: "/environments/a", data: item }, 'patch: "envID" is "a/b\\nc", not "a"'],
  ])("%s of %j is passed over", (name, body, reason) => {
    expect(read(name, body)).toEqual({ kind: "passed-over", reason });
  });

  test.each([
    ["put", [], "put is not an object"],
    ["patch", 5, "patch is not an object"],
    ["delete", { path: 5 }, '"path" is not text'],
    ["delete", { path: "/filters/f", version: "1" }, '"version" is not a whole number'],
    ["put", { path: "/" }, 'put: "data" is not an object'],
    ["put", { path: "/", data: { environments: [] } }, 'put: "environments" is not an object'],
    ["put", { path: "/", data: { filters: 5 } }, 'put: "filters" is not an object'],
    ["patch", { path: "/environments/a" }, "the environment is not an object"],
    ["patch", { path: "/filters/a" }, "the filter is not an object"],
  ])("%s of %j cannot be used", (name, body, message) => {
    expect(() => read(name, body)).toThrow(expect.objectContaining({ code: "malformed_data", message }));
  });

  test("that is not JSON cannot be used", () => {
    expect(() => readConfigurationEvent("put", "{")).toThrow("the data is not JSON");
  });

  test.each([{}, { environments: null, filters: null }])("may leave out lists: %j", (data) => {
    expect(read("put", { path: "/", data })).toMatchObject({
      kind: "put",
      environments: { items: new Map() },
    });
  });

  test("with a broken item has the others, and what is wrong with that one", () => {
    const other = { ...item, envID: "other" };
    const data = { environments: { "a/b\nc": item, x: other, y: 5 }, filters: { f: [] } };
    const event = read("put", { path: "/", data });
    if (event.kind !== "put") throw new Error("it is none");
    expect([...event.environments.items.keys()]).toEqual(["a/b\nc"]);
    const { environments, filters } = event;
    const told = [...environments.broken, ...filters.broken].map(([id, { given, error }]) => [
      id,
      given,
      error.message,
    ]);
    expect(told).toEqual([
      ["x", other, '"envID" is "other", not "x"'],
      ["y", 5, "the environment is not an object"],
      ["f", [], "the filter is not an object"],
    ]);
  });
});
