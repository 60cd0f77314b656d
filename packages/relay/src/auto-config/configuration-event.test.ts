import { describe, expect, test } from "vitest";
import { type ConfigurationEvent, readConfigurationEvent } from "./configuration-event.js";

const environment = (envID: string, more: object = {}) => ({
  envID,
  sdkKey: { value: `sdk-${envID}` },
  version: 1,
  ...more,
});
const filter = { projKey: "p", key: "web", version: 1 };

const read = (name: string, body: unknown): ConfigurationEvent =>
  readConfigurationEvent(name, JSON.stringify(body));

/** The IDs that a full set has, and those that it has of what cannot be used. */
function idsIn(event: ConfigurationEvent) {
  if (event.kind !== "put") throw new Error(`no full set: ${event.kind}`);
  const { environments, filters } = event;
  return [environments, filters].map(({ items, broken }) => [[...items.keys()], [...broken.keys()]]);
}

describe("a full set", () => {
  test.each([
    ["nothing", {}, [[], []], [[], []]],
    ["null", { environments: null, filters: null }, [[], []], [[], []]],
    [
      "environments and filters",
      { environments: { a: environment("a"), b: environment("b") }, filters: { f: filter } },
      [["a", "b"], []],
      [["f"], []],
    ],
    [
      "what cannot be used",
      {
        environments: {
          a: environment("a"),
          b: environment("a"),
          c: 5,
          d: environment("d", { version: "x" }),
        },
        filters: { f: filter, g: null },
      },
      [["a"], ["b", "c", "d"]],
      [["f"], ["g"]],
    ],
  ])("may have %s", (_, data, environments, filters) => {
    expect(idsIn(read("put", { path: "/", data }))).toEqual([environments, filters]);
  });

  test("says of what cannot be used what it was and why", () => {
    const event = read("put", { path: "/", data: { environments: { b: environment("a") } } });
    if (event.kind !== "put") throw new Error("no full set");
    expect(event.environments.broken.get("b")).toMatchObject({
      given: environment("a"),
      error: { code: "malformed_data", message: '"envID" is "a", not "b"' },
    });
  });
});

test.each<[name: string, body: unknown, event: object]>([
  ["patch", { path: "/environments/a", data: environment("a") }, { kind: "environment", id: "a" }],
  ["patch", { path: "/environments/a/b", data: environment("a/b") }, { kind: "environment", id: "a/b" }],
  ["patch", { path: "/environments/a\nb", data: environment("a\nb") }, { kind: "environment", id: "a\nb" }],
  ["patch", { path: "/filters/f", data: filter }, { kind: "filter", id: "f", item: filter }],
  ["delete", { path: "/environments/a", version: 3 }, { kind: "no-environment", id: "a", version: 3 }],
  ["delete", { path: "/filters/f" }, { kind: "no-filter", id: "f", version: 0 }],
  ["reconnect", {}, { kind: "reconnect" }],
  ["other", {}, { kind: "passed-over", reason: 'there is no event "other"' }],
  ["put", { path: "/a" }, { kind: "passed-over", reason: 'put: there is no path "/a"' }],
  ["patch", { path: "/" }, { kind: "passed-over", reason: 'patch: there is no path "/"' }],
  ["patch", { path: "/filters/" }, { kind: "passed-over", reason: 'patch: there is no path "/filters/"' }],
  ["delete", { path: "/others/a" }, { kind: "passed-over", reason: 'delete: there is no path "/others/a"' }],
  [
    "patch",
    { path: "/environments/a", data: environment("b") },
    { kind: "passed-over", reason: 'patch: "envID" is "b", not "a"' },
  ],
])("%s of %j", (name, body, event) => {
  expect(read(name, body)).toMatchObject(event);
});

test.each<[name: string, text: string, problem: string]>([
  ["put", "{", "the data is not JSON"],
  ["put", "[]", "put is not an object"],
  ["put", '{"path":5}', '"path" is not text'],
  ["put", '{"path":"/"}', 'put: "data" is not an object'],
  ["put", '{"path":"/","data":{"environments":[]}}', 'put: "environments" is not an object'],
  ["put", '{"path":"/","data":{"filters":5}}', 'put: "filters" is not an object'],
  ["patch", '{"path":"/environments/a"}', "the environment is not an object"],
  ["patch", '{"path":"/filters/a"}', "the filter is not an object"],
  ["delete", '{"path":"/filters/a","version":1.5}', '"version" is not a whole number'],
])("%s %s is malformed", (name, text, message) => {
  expect(() => readConfigurationEvent(name, text)).toThrow(
    expect.objectContaining({ code: "malformed_data", message }),
  );
});

test("what is no JSON says why", () => {
  expect(() => readConfigurationEvent("put", "{")).toThrow(
    expect.objectContaining({ cause: expect.any(SyntaxError) }),
  );
});
