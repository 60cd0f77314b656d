import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, createDatabasePlaces, parseItem, RelayError } from "@wye/relay";
import { createManualClock, createStoreContext } from "@wye/relay/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { startFaultProxy } from "../../../scripts/databases/fault-proxy.js";
import { listen } from "../../../scripts/databases/listen.js";
import { startSilentServer } from "../../../scripts/databases/silent-server.js";
import { never } from "../../../scripts/databases/store-items.js";
import { type ConsulOptions, consulStore } from "../src/index.js";
import { standInTokens, startConsulStandIn } from "./consul-stand-in.js";
import { describeConsulStore } from "./describe-consul-store.js";
import { testConsul } from "./test-consul.js";

const context = createStoreContext();

describeConsulStore(async () => {
  const { address, close } = await startConsulStandIn();
  return testConsul(address, standInTokens, close);
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

test("a token may come from a file, which ends with a line break", async () => {
  const server = await startConsulStandIn();
  onTestFinished(() => server.close());
  const folder = await mkdtemp(join(tmpdir(), "consul-token-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "token");
  const { address } = server;
  const store = consulStore({ address, token: () => readFile(file, "utf8") })(context);
  for (const text of ["first\n", "\ufeffsecond\r\n"]) {
    await writeFile(file, text);
    await store.read(never);
  }
  expect(server.requests.map((request) => request.split(" ").at(-1))).toEqual(["first", "second"]);
});

test.each<[() => unknown, string]>([
  [() => "", "token must give a token, and gives an empty one"],
  [() => "\n", "token must give a token, and gives an empty one"],
  [async () => "a\nb", "token must give a token, and gives one with blanks or characters"],
  [() => "ü", "token must give a token, and gives one with blanks or characters"],
  [() => undefined, "token must give text, and gives undefined"],
  [() => 5, "token must give text, and gives number"],
  [() => Buffer.from("a"), 'token must give text, and gives bytes: read files as "utf8"'],
  [() => JSON.parse("{"), "token cannot be had: "],
])(
  "a function that gives no token is told of, and nothing is asked without one: %s",
  async (token, message) => {
    const server = await startConsulStandIn();
    onTestFinished(() => server.close());
    const { address } = server;
    // Programs without types pass what they like.
    const store = consulStore({ address, token: token as () => string })(context);
    await expect(store.read(never)).rejects.toMatchObject({
      name: "RelayError",
      code: "store_failed",
      message: expect.stringContaining(message),
    });
    expect(server.requests).toEqual([]);
  },
);

test("why a token cannot be had stays the cause", async () => {
  const cause = new Error("no vault");
  const store = consulStore({ token: () => Promise.reject(cause) })(context);
  await expect(store.read(never)).rejects.toMatchObject({ message: "token cannot be had: no vault", cause });
});

test("wrong options are named, all of them, and so are two environments under one prefix", () => {
  const wrong = { address: "consul:8500", prefix: "/ld", cacheTtl: "10ms", url: "x", token: "a\nb" };
  expect(() => consulStore(wrong)).toThrow(RelayError);
  expect(() => consulStore(wrong)).toThrow(
    expect.objectContaining({
      problems: [
        expect.stringContaining('there is no option "url"'),
        expect.stringContaining("address must be an absolute address"),
        expect.stringContaining("token must not be empty"),
        'consulStore: prefix must be names with a slash between them, like "flags/production"',
        'consulStore: cacheTtl must be a time span of at least "1s"',
      ],
    }),
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

test.each<[unknown, RegExp]>([
  [null, /the options must be an object/],
  [{ prefix: 5 }, /prefix must be a string/],
  [{ token: 5 }, /token must be a string/],
  [{ datacenter: 5 }, /datacenter must be a string/],
  [{ dispatcher: {} }, /dispatcher must be an object with the methods dispatch/],
  [{ address: "http://db?token=x" }, /address must not have a query/],
  // What is given on purpose is not what is left out, empty as it is.
  [{ address: "" }, /address must be an absolute address/],
  [{ address: null }, /address must be a string/],
  [{ prefix: "" }, /prefix must be names with a slash between them/],
  [{ prefix: null }, /prefix must be a string/],
  [{ token: "" }, /token must not be empty/],
  [{ token: null }, /token must be a string/],
  [{ datacenter: null }, /datacenter must be a string/],
  [{ dispatcher: null }, /dispatcher must be an object with the methods dispatch/],
  [{ cacheTtl: 0 }, /cacheTtl must be a time span/],
  [{ cacheTtl: "" }, /cacheTtl must be a time span/],
  [{ address: "http://u:%ZZ@db" }, /address has a user or password that cannot be decoded/],
])("options that make no sense are refused: %j", (options, problem) => {
  expect(() => consulStore(options as ConsulOptions)).toThrow(RelayError);
  expect(() => consulStore(options as ConsulOptions)).toThrow(problem);
});

test("another data centre, or another agent, is another place; however an address is spelled it is the same", () => {
  const places = createDatabasePlaces();
  const open = (environment: string, options: ConsulOptions) =>
    consulStore(options)({ ...context, environment, places });
  open("a", { address: "http://h:8500" });
  for (const address of ["http://H:8500/", "http://me:x@h:8500"])
    expect(() => open("b", { address }), address).toThrow(/"b" and "a"/);
  open("b", { address: "http://h:8500", datacenter: "far" });
  open("c", { address: "http://h:8501" });
  expect(() => open("d", { address: "http://h:8500", datacenter: "far" })).toThrow(/"d" and "b"/);
});

test.each(["features", "segments"])("a prefix below the %s of another would be among its keys", (step) => {
  expect(() => consulStore({ prefix: `ld/${step}` })).toThrow(/must not go on with "features" or "segments"/);
  const filtered = { ...context, environment: `test/${step}`, filter: step };
  expect(() => consulStore()(filtered)).toThrow(/must not go on with/);
  expect(consulStore({ prefix: `${step}/ld` })(context).about?.dbPrefix).toBe(`${step}/ld`);
});

test("user and password of the address are sent, and never shown", async () => {
  const server = await startConsulStandIn();
  onTestFinished(() => server.close());
  const address = server.address.replace("//", "//me:p%40ss@");
  const store = consulStore({ address, prefix: "ld" })(context);
  await store.read(never);
  expect(server.logins.at(-1)).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`);
  expect(store.about?.dbServer).toBe(`${server.address.replace("//", "//me:xxxxx@")}/`);
});

test("an agent that can do nothing is left, and the address asked again, however many connections there are", async () => {
  const [lost, well] = [await startConsulStandIn(), await startConsulStandIn()];
  const proxy = await startFaultProxy(Number(new URL(lost.address).port));
  onTestFinished(async () => {
    await proxy.close();
    await Promise.all([lost.close(), well.close()]);
  });
  const store = consulStore({ address: `http://127.0.0.1:${proxy.port}` })(context);
  const items = Array.from({ length: 16 }, (_, index) =>
    parseItem("flags", `flag-${index}`, '{"version":1}'),
  );
  expect(await store.upsert(items, never)).toEqual([]);
  const served = lost.requests.length;
  // Consul has the same on all servers.
  await fetch(`${well.address}/v1/kv/launchdarkly/features/other`, { method: "PUT", body: '{"version":1}' });
  // Connections that there are stay where they lead to.
  proxy.target = Number(new URL(well.address).port);
  await store.read(never);
  expect(lost.requests).toHaveLength(served + 1);
  lost.isLost = true;
  await expect(store.read(never)).rejects.toThrow("Consul answered 500: No cluster leader");
  const outcomes: string[] = [];
  // Each connection is left after the failure that it may still see, whenever that is.
  while (outcomes.at(-1) !== "written" && outcomes.length <= 2 * items.length) {
    await store.upsert(items, never).then(
      () => outcomes.push("written"),
      ({ message }) => outcomes.push(message),
    );
  }
  expect(outcomes.at(-1)).toBe("written");
  lost.isLost = false;
  const before = lost.requests.length;
  expect(await store.upsert(items, never)).toHaveLength(items.length);
  expect(lost.requests).toHaveLength(before);
});

test("a request that is not answered has failed after ten seconds, whatever it is and however long a full set may take", async () => {
  const server = await startSilentServer();
  onTestFinished(() => server.close());
  const clock = createManualClock();
  const store = consulStore({ address: `http://127.0.0.1:${server.port}` })({ ...context, clock });
  const item = parseItem("flags", "a", '{"version":1}');
  for (const call of [
    () => store.read(never),
    () => store.replace([item], never),
    () => store.upsert([item], never),
    () => store.isFilled?.(never),
  ]) {
    const told: unknown[] = [];
    const outcome = call()?.catch((error: unknown) => told.push(error));
    clock.advance(9999);
    await new Promise(setImmediate);
    expect(told).toEqual([]);
    clock.advance(1);
    await outcome;
    expect(told).toEqual([new Error("no answer within 10000 ms")]);
  }
});

test("an answer that comes slowly is read to its end; one that stops has failed ten seconds later", async () => {
  const clock = createManualClock();
  const entry = { Key: "launchdarkly/features/a", Value: btoa('{"version":1}'), ModifyIndex: 1 };
  const marker = { Key: "launchdarkly/$inited", Value: null, ModifyIndex: 1 };
  const text = JSON.stringify([entry, marker]);
  const answers: ServerResponse[] = [];
  const address = await listen((_, res) => void answers.push(res.writeHead(200)));
  // What has arrived is known by the time until which is waited: it begins anew.
  const heard: (() => void)[] = [];
  const watched: Clock = {
    ...clock,
    schedule(ms, run) {
      heard.shift()?.();
      return clock.schedule(ms, run);
    },
  };
  const store = consulStore({ address })({ ...context, clock: watched });
  async function readSlowly(pieces: readonly string[]) {
    const outcome = store.read(never).then(
      (items) => items?.map(({ key }) => key),
      ({ message }: Error) => message,
    );
    await vi.waitUntil(() => answers.length > 0, { timeout: 120_000 });
    const answer = answers.shift();
    for (const piece of pieces) {
      clock.advance(9000);
      const arrived = new Promise<void>((resolve) => heard.push(resolve));
      answer?.write(piece);
      await arrived;
    }
    return { outcome, answer };
  }
  const whole = await readSlowly([...text.matchAll(/.{1,20}/g)].map(([piece]) => piece));
  whole.answer?.end();
  expect(await whole.outcome).toEqual(["a"]);
  const half = await readSlowly([text.slice(0, 20)]);
  clock.advance(10_000);
  expect(await half.outcome).toBe("no answer within 10000 ms");
});

test("a place is free once its store is closed, and a key that begins like the marker is not the marker", async () => {
  const server = await startConsulStandIn();
  onTestFinished(() => server.close());
  const factory = consulStore({ address: server.address, prefix: "ld" });
  const first = factory(context);
  expect(() => factory({ ...context, environment: "other" })).toThrow(/would overwrite/);
  await first.close();
  const second = factory({ ...context, environment: "other" });
  await fetch(`${server.address}/v1/kv/ld/$inited-by`, { method: "PUT", body: "a colleague" });
  expect(await second.isFilled?.(never)).toBe(false);
  await second.replace([], never);
  expect(await second.isFilled?.(never)).toBe(true);
  await second.close();
});
