import { type FlagStoreContext, RelayError } from "@wye/relay";
import { createManualClock } from "@wye/relay/testing";
import { expect, onTestFinished, test } from "vitest";
import { consulStore } from "../src/index.js";
import { startConsulStandIn } from "./consul-stand-in.js";
import { describeConsulStore } from "./describe-consul-store.js";
import { testConsul } from "./test-consul.js";

const never = new AbortController().signal;
const context: FlagStoreContext = {
  environment: "test",
  envId: undefined,
  filter: undefined,
  logger: { debug() {}, info() {}, warn() {}, error() {} },
  clock: createManualClock(0),
};

describeConsulStore(async () => {
  const { address, close } = await startConsulStandIn();
  return testConsul(address, "reader", close);
});

test("the token is asked for every time, the data centre is named, and a refusal says why", async () => {
  const server = await startConsulStandIn();
  onTestFinished(() => server.close());
  const tokens = ["first", "second", "wrong"];
  const { address } = server;
  const store = consulStore({
    address,
    token: async () => tokens.shift() ?? "",
    datacenter: "far",
    prefix: "odd prefix?#%",
  })(context);
  await store.read(never);
  await store.read(never);
  expect(server.requests.slice(-2)).toEqual([
    "GET /v1/kv/odd%20prefix%3F%23%25/?recurse=&consistent=&dc=far first",
    "GET /v1/kv/odd%20prefix%3F%23%25/?recurse=&consistent=&dc=far second",
  ]);
  await expect(store.read(never)).rejects.toThrow("Consul answered 403: ACL not found");
});

test("wrong options are named, all of them, and so are two environments under one prefix", () => {
  const wrong = { address: "consul:8500", prefix: "/ld", cacheTtl: "10ms", url: "x" };
  expect(() => consulStore(wrong)).toThrow(RelayError);
  expect(() => consulStore(wrong)).toThrow(
    'there is no option "url"; address must be like "http://localhost:8500"; prefix must be names with a slash between them, like "flags/production"; cacheTtl must be at least "1s"',
  );
  for (const prefix of ["", "a//b", "..", "a/./b", "a/"])
    expect(() => consulStore({ prefix: () => prefix })(context)).toThrow(/prefix must be names/);
  const factory = consulStore();
  factory(context);
  expect(() => factory({ ...context, environment: "other" })).toThrow(
    /"other" and "test" would overwrite each other/,
  );
  expect(factory({ ...context, environment: "test/web", filter: "web" }).about?.dbPrefix).toBe(
    "launchdarkly/web",
  );
});
