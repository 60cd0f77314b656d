import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createFakeUpstream, type FakeUpstreamOptions } from "./fake-upstream.js";

async function setUp(options?: FakeUpstreamOptions) {
  const upstream = await createFakeUpstream(options);
  onTestFinished(() => upstream.close());
  const ask = (path: string, init?: RequestInit) => fetch(upstream.url + path, init);
  return {
    upstream,
    ask,
    post: (body: BodyInit, headers = {}) => ask("/bulk", { method: "POST", body, headers }),
  };
}

/** The first event of a stream. */
async function firstEvent({ body }: Response): Promise<string> {
  let text = "";
  for await (const part of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes("\n\n")) break;
  }
  return text;
}

test("a stream begins with the data of its key and filter, and is refused with any other", async () => {
  const { upstream, ask } = await setUp({ environments: { "sdk-1": { flags: { a: { version: 1 } } } } });
  const headers = { authorization: "sdk-1" };
  upstream.environment("sdk-1", "web").setData({ segments: { s: { version: 2 } } });
  const put = (data: object) => `event: put\ndata: ${JSON.stringify({ path: "/", data })}\n\n`;
  expect(await firstEvent(await ask("/all", { headers }))).toBe(
    put({ flags: { a: { version: 1 } }, segments: {} }),
  );
  expect(await firstEvent(await ask("/all?filter=web", { headers }))).toBe(
    put({ flags: {}, segments: { s: { version: 2 } } }),
  );
  for (const [path, authorization] of [
    ["/all", "sdk-2"],
    ["/all?filter=app", "sdk-1"],
    ["/relay_auto_config", "sdk-1"],
  ] as const)
    expect((await ask(path, { headers: { authorization } })).status).toBe(401);
  expect(upstream.streamRequests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /all",
    "GET /all?filter=web",
    "GET /all",
    "GET /all?filter=app",
    "GET /relay_auto_config",
  ]);
});

test("an automatic configuration is the same each time it is asked for, and silent until it has something to say", async () => {
  const { upstream, ask } = await setUp();
  const headers = { authorization: "rel-1" };
  upstream.autoConfig("rel-1");
  const silent = await ask("/relay_auto_config", { headers });
  upstream.autoConfig("rel-1").put({ environments: { e: { version: 1 } } });
  const data = { environments: { e: { version: 1 } }, filters: {} };
  const put = `event: put\ndata: ${JSON.stringify({ path: "/", data })}\n\n`;
  expect(await firstEvent(silent)).toBe(`:\n${put}`);
  expect(await firstEvent(await ask("/relay_auto_config", { headers }))).toBe(put);
  await upstream.autoConfig("rel-1").opened(2);
});

test("a configuration that is only set is heard by streams that come, one that is put by those that are open too", async () => {
  const { upstream, ask } = await setUp();
  const configuration = upstream.autoConfig("rel-1");
  const open = () => ask("/relay_auto_config", { headers: { authorization: "rel-1" } });
  const put = (data: object) => `event: put\ndata: ${JSON.stringify({ path: "/", data })}\n\n`;
  const first = await open();
  configuration.setConfiguration({ filters: { f: { version: 1 } } });
  const second = await open();
  configuration.put({ environments: { e: { version: 2 } } });
  configuration.patch("filters", "f", { version: 3 });
  configuration.delete("environments", "e", 4);
  const third = await open();
  configuration.setConfiguration(undefined);
  const fourth = await open();
  expect(configuration.connections).toBe(4);
  configuration.end();
  expect(configuration.connections).toBe(0);
  const [one, two] = [
    { environments: {}, filters: { f: { version: 1 } } },
    { environments: { e: { version: 2 } }, filters: {} },
  ];
  const patches = `event: patch\ndata: {"path":"/filters/f","data":{"version":3}}\n\nevent: delete\ndata: {"path":"/environments/e","version":4}\n\n`;
  expect(await first.text()).toBe(`:\n${put(two)}${patches}`);
  expect(await second.text()).toBe(`${put(one)}${put(two)}${patches}`);
  expect(await third.text()).toBe(put(two));
  expect(await fourth.text()).toBe(":\n");
});

test("an environment is the same each time it is asked for, with its filter, and that with none is that without", async () => {
  const { upstream, ask } = await setUp({ environments: { a: {}, b: {} } });
  const names: [sdkKey: string, filter?: string][] = [
    ["a"],
    ["b"],
    ["a", "b"],
    ["b", "a"],
    ["a,b"],
    ["a,b", "c"],
    ["a", "b,c"],
  ];
  const all = names.map((name) => upstream.environment(...name));
  expect(new Set(all).size).toBe(names.length);
  for (const [at, name] of names.entries()) expect(upstream.environment(...name)).toBe(all[at]);
  expect(upstream.environment("a", "")).toBe(all[0]);
  expect(upstream.autoConfig("a")).toBe(upstream.autoConfig("a"));
  expect(upstream.autoConfig("a")).not.toBe(upstream.autoConfig("b"));
  await ask("/all?filter=b", { headers: { authorization: "a" } });
  await ask("/relay_auto_config", { headers: { authorization: "b" } });
  expect(all.map(({ connections }) => connections)).toEqual([0, 0, 1, 0, 0, 0, 0]);
  expect([upstream.autoConfig("a").connections, upstream.autoConfig("b").connections]).toEqual([0, 1]);
});

test("without options nobody is known, and requests are kept with their method, path and headers, each kind by itself", async () => {
  const { upstream, ask, post } = await setUp();
  const headers = { authorization: "sdk-1", "x-tag": "t" };
  const requests = [
    await ask("/all?filter=web", { headers }),
    await ask("/sdk/goals/env-1?a=b", { headers }),
    await post("{}", headers),
  ];
  expect(requests.map(({ status }) => status)).toEqual([401, 404, 202]);
  expect(await requests[1]?.json()).toEqual({ message: "not found" });
  expect([upstream.streamRequests, upstream.goalsRequests, await upstream.takePosts()]).toMatchObject([
    [{ method: "GET", path: "/all?filter=web", headers }],
    [{ method: "GET", path: "/sdk/goals/env-1?a=b", headers }],
    [{ method: "POST", path: "/bulk", headers, gzip: false, body: {} }],
  ]);
});

test("whoever waits for several posts gets them together, also those that are more", async () => {
  const { upstream, post } = await setUp();
  let taken: unknown;
  const waiting = upstream.takePosts(3).then((posts) => {
    taken = posts.map(({ body }) => body);
  });
  for (const body of ["[1]", "[2]"]) {
    await post(body);
    expect(taken).toBeUndefined();
  }
  await post("[3]");
  await waiting;
  expect(taken).toEqual([[1], [2], [3]]);
  for (const body of ["[4]", "[5]"]) await post(body);
  expect((await upstream.takePosts(1)).map(({ body }) => body)).toEqual([[4], [5]]);
});

test("posts are taken with what they say, once each, and answered as told", async () => {
  const { upstream, post } = await setUp();
  expect((await post("[1]")).status).toBe(202);
  expect((await post(gzipSync("no JSON"), { "content-encoding": "gzip" })).status).toBe(202);
  expect(await upstream.takePosts(2)).toMatchObject([
    { method: "POST", path: "/bulk", gzip: false, body: [1] },
    { method: "POST", path: "/bulk", gzip: true, body: "no JSON" },
  ]);
  expect(await upstream.takePosts()).toEqual([]);
  upstream.answerEvents(503);
  const waiting = upstream.takePosts(1);
  expect((await post("[2]")).status).toBe(503);
  expect(await waiting).toMatchObject([{ body: [2] }]);
  upstream.answerEvents("drop");
  await expect(post("[3]")).rejects.toThrow();
  expect(await upstream.takePosts()).toMatchObject([{ body: [3] }]);
});

test("goals are answered with a tag, which is asked for, and what is not known with 404", async () => {
  const { upstream, ask } = await setUp({ goals: { "env-1": '[{"id":"g"}]' } });
  const known = await ask("/sdk/goals/env-1");
  expect([known.status, known.headers.get("etag"), await known.text()]).toEqual([
    200,
    '"g1"',
    '[{"id":"g"}]',
  ]);
  const statusOf = async (path: string, tag = "") =>
    (await ask(path, { headers: { "if-none-match": tag } })).status;
  expect(await statusOf("/sdk/goals/env-1", '"g1"')).toBe(304);
  expect(await statusOf("/sdk/goals/env-1", '"g0"')).toBe(200);
  for (const tag of ['"g0"', '"g1"']) {
    const { headers } = await ask("/sdk/goals/env-1", { headers: { "if-none-match": tag } });
    expect([headers.get("access-control-allow-origin"), headers.get("cache-control")]).toEqual([
      "https://upstream.example",
      "public, max-age=10",
    ]);
  }
  expect(await statusOf("/sdk/goals/env-2")).toBe(404);
  expect(await statusOf("/elsewhere")).toBe(404);
  expect(upstream.goalsRequests).toHaveLength(6);
});

test("open streams end with it, and it starts again where it was", async () => {
  const { upstream, ask } = await setUp({ environments: { "sdk-1": {} } });
  const stream = await ask("/all", { headers: { authorization: "sdk-1" } });
  await upstream.close();
  await expect(stream.text()).rejects.toThrow();
  const again = await createFakeUpstream({}, Number(new URL(upstream.url).port));
  onTestFinished(() => again.close());
  expect([again.url, again.roles]).toEqual([
    upstream.url,
    { stream: upstream.url, app: upstream.url, events: upstream.url },
  ]);
});
