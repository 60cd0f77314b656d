import { createDatabasePlaces } from "@wye/relay";
import { expect, test } from "vitest";
import { type RedisOptions, redisStore } from "../src/index.js";
import { contextOf } from "./fixtures.js";

const node = (host: string, port = 6379) => ({ host, port });
const sentinel = (name: string, ...nodes: { host: string; port: number }[]) => ({
  sentinel: { name, nodes },
});

test.each<[RedisOptions, RedisOptions]>([
  [{ url: "redis://h:6379" }, { url: "redis://h" }],
  [{ url: "redis://h:6379" }, { url: "redis://h/" }],
  [{ url: "redis://h:6379" }, { url: "redis://h:6379/0" }],
  [{ url: "redis://h:6379" }, { url: "redis://H:6379" }],
  [{ url: "redis://h:6379" }, { url: "redis://u:p@h:6379" }],
  [{ url: "rediss://h:6379" }, { url: "redis://h:6379", tls: {} }],
  [{}, { url: "redis://localhost" }],
  [{ url: "redis://h/2" }, { url: "redis://h:6379/2" }],
  [sentinel("m", node("a"), node("b")), sentinel("m", node("b"), node("a"))],
  [sentinel("m", node("a"), node("b")), sentinel("m", node("c"), node("B"))],
  [{ cluster: [node("a"), node("b")] }, { cluster: [node("b")] }],
])("the same server is the same however it is spelled: %j and %j", (one, other) => {
  const places = createDatabasePlaces();
  const open = (environment: string, options: RedisOptions) =>
    redisStore({ prefix: "{ld}", ...options })({ ...contextOf(environment), places });
  open("a", one);
  expect(() => open("b", other)).toThrow(/"b" and "a" would overwrite each other's flags/);
});

test.each<[RedisOptions, RedisOptions]>([
  [{ url: "redis://h" }, { url: "redis://h/1" }],
  [{ url: "redis://h" }, { url: "redis://h:6380" }],
  [{ url: "redis://h" }, { url: "redis://other" }],
  [sentinel("m", node("a")), sentinel("n", node("a"))],
  [sentinel("m", node("a")), { cluster: [node("a")] }],
  [{ cluster: [node("a")] }, { cluster: [node("a", 6380)] }],
])("other servers are other places: %j and %j", async (one, other) => {
  const places = createDatabasePlaces();
  const open = (environment: string, options: RedisOptions) =>
    redisStore({ prefix: "{ld}", ...options })({ ...contextOf(environment), places });
  const stores = [open("a", one), open("b", other)];
  expect(stores).toHaveLength(2);
});

test("a place that was refused is not half taken, and one that is closed is free", async () => {
  const places = createDatabasePlaces();
  const open = (environment: string, ...hosts: string[]) =>
    redisStore({ prefix: "{ld}", cluster: hosts.map((host) => node(host)) })({
      ...contextOf(environment),
      places,
    });
  const first = open("a", "x", "y");
  expect(() => open("b", "z", "y")).toThrow(/would overwrite/);
  open("c", "z");
  await first.close();
  open("d", "x", "y");
});

test.each(["{ld}", "flags{ld}", "{{ld}", "}{ld}{}", "{ld}{"])(
  "keys that begin with %s are on one node",
  (prefix) => {
    expect(redisStore({ cluster: [node("a")], prefix })(contextOf("test")).about?.dbPrefix).toBe(prefix);
  },
);

test.each(["ld", "{ld", "ld}", "{}", "{}{ld}"])(
  "keys that begin with %s are on any node of a cluster",
  (prefix) => {
    const factory = redisStore({ cluster: [node("a")], prefix });
    expect(() => factory(contextOf("test"))).toThrow("in a cluster the prefix needs a hash tag");
  },
);
