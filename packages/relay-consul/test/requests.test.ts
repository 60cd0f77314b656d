import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer, type Socket } from "node:net";
import { parseItem } from "@wye/relay";
import { createManualClock, createStoreContext } from "@wye/relay/testing";
import { Agent } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../scripts/databases/listen.js";
import { never } from "../../../scripts/databases/store-items.js";
import { type ConsulOptions, consulStore } from "../src/index.js";

const context = createStoreContext();
const flag = parseItem("flags", "a", '{"version":2}');

interface Answer {
  readonly status?: number;
  readonly body?: string;
}

/** An agent that answers as the test says; with the requests so far, and the connections that are open. */
async function startAgent(answer: (req: IncomingMessage, body: string) => Answer = () => ({})) {
  const requests: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  const address = await listen(async (req, res) => {
    requests.push(req);
    sockets.add(req.socket);
    req.socket.once("close", () => sockets.delete(req.socket));
    const { status = 200, body = "[]" } = answer(req, Buffer.concat(await req.toArray()).toString());
    res.writeHead(status).end(body);
  });
  return { address, requests, sockets };
}

test.each<[string, string]>([
  ["", ""],
  ["/", ""],
  ["//", ""],
  ["/consul", "/consul"],
  ["/consul/", "/consul"],
  ["/a/consul//", "/a/consul"],
])("an address that ends with %j asks below it", async (path, base) => {
  const { address, requests } = await startAgent();
  const store = consulStore({ address: address + path, prefix: "ld/ü" })(context);
  await store.read(never);
  await store.isFilled?.(never);
  expect(requests.map(({ url }) => url)).toEqual([
    `${base}/v1/kv/ld/%C3%BC/?recurse&consistent`,
    `${base}/v1/kv/ld/%C3%BC/?keys&separator=/&consistent`,
  ]);
});

test.each<[string, Partial<ConsulOptions>, object]>([
  ["nobody", {}, {}],
  ["a token", { token: "secret" }, { "x-consul-token": "secret" }],
  ["a token of a function", { token: async () => " secret\n" }, { "x-consul-token": "secret" }],
])("%s is named in the headers, and nothing else", async (_, options, named) => {
  const { address, requests } = await startAgent();
  await consulStore({ address, ...options })(context).read(never);
  const { host, connection, ...rest } = requests[0]?.headers ?? {};
  expect({ host, connection, rest }).toEqual({
    host: new URL(address).host,
    connection: "keep-alive",
    rest: named,
  });
});

test.each([
  ["me:p%40ss@", "me:p@ss"],
  ["me@", "me:"],
  [":secret@", ":secret"],
])("who comes is told a proxy, with a half of it as well: %s", async (written, login) => {
  const { address, requests } = await startAgent();
  await consulStore({ address: address.replace("//", `//${written}`) })(context).read(never);
  expect(requests[0]?.headers.authorization).toBe(`Basic ${btoa(login)}`);
});

test("for a minute after an agent has failed no connection is used twice, and afterwards they are again", async () => {
  let status = 200;
  const { address, requests } = await startAgent(() => ({ status }));
  const clock = createManualClock();
  const store = consulStore({ address })({ ...context, clock });
  const ask = async (as: number) => {
    status = as;
    await store.read(never).catch(() => {});
    return requests.at(-1)?.headers.connection;
  };
  expect(await ask(499)).toBe("keep-alive");
  expect(await ask(500)).toBe("keep-alive");
  expect(await ask(200)).toBe("close");
  clock.advance(59_999);
  expect(await ask(200)).toBe("close");
  clock.advance(1);
  expect(await ask(503)).toBe("keep-alive");
  expect(await ask(200)).toBe("close");
});

test("once a request was answered, or given up, nobody waits for it any more", async () => {
  const { address } = await startAgent();
  const clock = createManualClock();
  const store = consulStore({ address })({ ...context, clock });
  await store.read(never);
  await store.upsert([flag], never).catch(() => {});
  expect(clock.pending).toBe(0);
  await expect(store.read(AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
  expect(clock.pending).toBe(0);
});

test("what a refusal says is told without what surrounds it, and no more of it than 200 letters", async () => {
  const { address } = await startAgent(() => ({ status: 400, body: `\n ${"x".repeat(201)} \n` }));
  await expect(consulStore({ address })(context).read(never)).rejects.toThrow(
    expect.objectContaining({ code: "store_failed", message: `Consul answered 400: ${"x".repeat(200)}` }),
  );
});

const entry = { Key: "ld/features/a", Value: btoa('{"version":1}'), ModifyIndex: 7 };
const noAnswer = "Consul gave something that is no answer of its HTTP interface";

test.each<[string, unknown]>([
  ["no list", { entry }],
  ["a text in place of an entry", ["a"]],
  ["a name in place of an entry", [{ ...entry, Key: 5 }]],
  ["a value that is no text", [{ ...entry, Value: 5 }]],
  ["no value", [{ ...entry, Value: undefined }]],
  ["no number of the change", [{ ...entry, ModifyIndex: undefined }]],
  ["a text in place of the number", [{ ...entry, ModifyIndex: "7" }]],
  ["one right entry and a wrong one", [entry, { ...entry, Key: undefined }]],
])("a list is taken only for what it is: %s", async (_, body) => {
  const { address } = await startAgent(() => ({ body: JSON.stringify(body) }));
  await expect(consulStore({ address, prefix: "ld" })(context).read(never)).rejects.toMatchObject({
    code: "store_failed",
    message: expect.stringContaining(noAnswer),
  });
});

test("what was left out of a list makes it none", async () => {
  const address = await listen((req, res) =>
    req.resume().on("end", () => {
      res.setHeader(
        "X-Consul-Results-Filtered-By-ACLs",
        req.headers["x-consul-token"] === "narrow" ? "true" : "false",
      );
      res.end("[]");
    }),
  );
  const read = (token: string) => consulStore({ address, token })(context).read(never);
  expect(await read("wide")).toBeUndefined();
  await expect(read("narrow")).rejects.toMatchObject({
    code: "store_failed",
    message: expect.stringContaining("Consul has left out what the token may not read"),
  });
});

test.each<[string, unknown]>([
  ["no list", {}],
  ["a number in it", ["ld/features/", 5]],
])("so are names: %s", async (_, body) => {
  const { address } = await startAgent(() => ({ body: JSON.stringify(body) }));
  await expect(consulStore({ address, prefix: "ld" })(context).isFilled?.(never)).rejects.toThrow(noAnswer);
});

const failing = (...reasons: readonly unknown[]) => ({
  status: 409,
  body: JSON.stringify({ Results: null, Errors: reasons }),
});

test.each<[string, Answer, string]>([
  ["no object", { body: "null" }, noAnswer],
  ["no results", { body: "{}" }, noAnswer],
  ["an entry without its frame", { body: JSON.stringify({ Results: [entry] }) }, noAnswer],
  ["nothing in the list", { body: JSON.stringify({ Results: [null] }) }, noAnswer],
  ["no JSON", { body: "{" }, "Consul gave something that is not JSON"],
  ["a conflict without reasons", { status: 409, body: "{}" }, noAnswer],
  ["a conflict that is null", { status: 409, body: "null" }, noAnswer],
  ["a reason without words", failing({ OpIndex: 0 }), noAnswer],
  ["a reason that is null", failing(null), noAnswer],
  ["another reason", failing({ What: "no space" }), "Consul answered 409: no space"],
  [
    "reasons of both kinds",
    failing({ What: 'key "a" doesn\'t exist' }, { What: "one" }, { What: "index is stale" }, { What: "two" }),
    "Consul answered 409: one; two",
  ],
  [
    "words that only begin like it",
    failing({ What: "index is stale, says a proxy" }),
    "Consul answered 409: index is stale, says a proxy",
  ],
  ["201", { status: 201, body: '{"Results":null}' }, "Consul answered 201: "],
  ["404", { status: 404, body: '{"Results":null}' }, "Consul answered 404: "],
])("a transaction is done only if its answer says so: %s", async (_, answer, message) => {
  const { address } = await startAgent(() => answer);
  const store = consulStore({ address, prefix: "ld" })(context);
  await expect(store.upsert([flag], never)).rejects.toThrow(
    expect.objectContaining({ code: "store_failed", message: expect.stringContaining(message) }),
  );
});

interface Step {
  readonly KV: { readonly Verb: string; readonly Key: string; readonly Index?: number };
}

test("an item that others write all the time is tried a hundred times, each time on what there is", async () => {
  const written: unknown[] = [];
  let losses = 0;
  const { address } = await startAgent((_, body) => {
    const [{ KV }] = JSON.parse(body) as [Step];
    if (KV.Verb === "get")
      return { body: JSON.stringify({ Results: [{ KV: { ...entry, ModifyIndex: losses } }] }) };
    written.push(KV.Index);
    return written.length > losses ? { body: '{"Results":null}' } : failing({ What: "index is stale" });
  });
  const store = consulStore({ address, prefix: "ld" })(context);
  losses = 99;
  expect(await store.upsert([flag], never)).toEqual([]);
  expect(written.splice(0)).toEqual(Array(100).fill(99));
  losses = 100;
  await expect(store.upsert([flag], never)).rejects.toThrow(
    expect.objectContaining({
      code: "store_failed",
      message: 'others write "ld/features/a" all the time',
    }),
  );
  expect(written).toEqual(Array(100).fill(100));
});

test("stores of one factory share connections, which end with the last of them, however often each is closed", async () => {
  const { address, requests, sockets } = await startAgent();
  const factory = consulStore({ address, prefix: ({ environment }) => environment });
  const open = (environment: string) => factory({ ...context, environment });
  const [first, second] = [open("a"), open("b")];
  await first.read(never);
  await first.close();
  await first.close();
  await second.read(never);
  expect(sockets.size).toBeGreaterThan(0);
  await second.close();
  await expect.poll(() => sockets.size).toBe(0);
  await expect(second.read(never)).rejects.toThrow();
  expect(requests).toHaveLength(2);
  // Whoever comes next has connections of its own, which a store that was closed before does not end.
  const third = open("c");
  await third.read(never);
  await second.close();
  await third.read(never);
  expect(sockets.size).toBeGreaterThan(0);
  await third.close();
  await expect.poll(() => sockets.size).toBe(0);
});

test.each(["http", "https"])(
  "what is asked of a silent agent by %s, given up, asked again and closed leaves no connection, whenever that is",
  async (scheme) => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => sockets.delete(socket))
        .resume();
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await once(silent, "listening");
    const address = silent.address();
    if (typeof address !== "object" || address === null) throw new Error("no port");
    const wait = async (turns: number) => {
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    };
    for (let between = 0; between < 20; between++) {
      const store = consulStore({ address: `${scheme}://127.0.0.1:${address.port}` })(context);
      const outcomes: Promise<string>[] = [];
      for (let attempt = 0; attempt < 2; attempt++) {
        const asking = new AbortController();
        outcomes.push(store.read(asking.signal).then(String, (error: Error) => error.message));
        await wait(between);
        asking.abort(new Error("given up"));
      }
      outcomes.push(store.read(never).then(String, (error: Error) => error.message));
      await store.close();
      expect((await Promise.all(outcomes)).slice(0, 2)).toEqual(["given up", "given up"]);
    }
    // Within this process both ends learn of it in a few turns; nothing waits for a time to pass.
    for (let turns = 0; turns < 1000 && sockets.size > 0; turns++) await wait(1);
    expect(sockets.size).toBe(0);
  },
);

test("a dispatcher of the host is used, and stays the host's", async () => {
  const { address, requests } = await startAgent();
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.destroy());
  const paths: (string | undefined)[] = [];
  const watched = dispatcher.compose((dispatch) => (options, handler) => {
    paths.push(options.path);
    return dispatch(options, handler);
  });
  const store = consulStore({ address, prefix: "ld", dispatcher: watched })(context);
  await store.read(never);
  await store.close();
  await store.read(never);
  expect(paths).toEqual(Array(2).fill("/v1/kv/ld/?recurse&consistent"));
  expect(requests).toHaveLength(2);
});

test("every option that there is can be given", async () => {
  const { address } = await startAgent();
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.destroy());
  const all: Required<ConsulOptions> = {
    address,
    token: "secret",
    datacenter: "far",
    prefix: "ld",
    dispatcher,
    cacheTtl: "1s",
  };
  const store = consulStore(all)(context);
  expect(store).toMatchObject({ cacheTtlMs: 1000, timeoutMs: 3_600_000, isPiecemeal: true });
  expect("cacheTtlMs" in consulStore({ address })(context)).toBe(false);
});

test("a prefix that a function gives is refused as a wrong option, and named", () => {
  expect(() => consulStore({ prefix: () => "a//b" })(context)).toThrow(
    expect.objectContaining({
      name: "RelayError",
      code: "invalid_options",
      message: 'consulStore: prefix must be names with a slash between them, like "flags/production": "a//b"',
    }),
  );
});

test("what cannot be read is told of with its place, and what is not the store's is passed over", async () => {
  const told: string[] = [];
  const odd = { ...entry, Key: "ld/segments/odd", Value: btoa("no json") };
  const notes = { ...entry, Key: "ld/notes" };
  const marker = { ...entry, Key: "ld/$inited", Value: null };
  const { address } = await startAgent(() => ({ body: JSON.stringify([entry, odd, notes, marker]) }));
  const store = consulStore({ address, prefix: "ld" })(createStoreContext({ told }));
  expect((await store.read(never))?.map(({ kind, key, version }) => [kind, key, version])).toEqual([
    ["flags", "a", 1],
  ]);
  expect(told).toEqual([expect.stringContaining('"ld/segments/odd"')]);
});
