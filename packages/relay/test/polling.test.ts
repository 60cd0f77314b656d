import { parseItem } from "@wye/flag-evaluator";
import { describe, expect, test } from "vitest";
import { createFixedSource } from "../src/sources/fixed-source.js";
import type { SourceFactory } from "../src/sources/source.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { flag, keys, startRelay } from "./start-relay.js";

const start = 1_700_000_000_000;
const headers = { authorization: keys.sdkKey };
const data = { [keys.sdkKey]: { flags: { a: flag("a", 3) }, segments: { s: { key: "s", version: 2 } } } };

const paths = [
  { path: "/sdk/flags", body: { a: flag("a", 3) } },
  { path: "/sdk/flags/a", body: flag("a", 3) },
  { path: "/sdk/segments/s", body: { key: "s", version: 2 } },
  {
    path: "/sdk/latest-all",
    body: { flags: { a: flag("a", 3) }, segments: { s: { key: "s", version: 2 } } },
  },
];

describe.each(paths)("GET $path", ({ path, body }) => {
  test("gives JSON with a tag; without a TTL nothing says when it expires", async () => {
    const relay = await startRelay({ data });
    const answer = await relay.fetch("GET", path, { headers });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "content-type": "application/json", etag: expect.stringMatching(/^relay-/) },
    });
    expect(JSON.parse(answer.body)).toEqual(body);
    expect(answer.headers).not.toHaveProperty("expires");
    expect(answer.headers).not.toHaveProperty("vary");
  });

  test("with a TTL it expires then, also as 304", async () => {
    const clock = createManualClock(start);
    const relay = await startRelay({
      data,
      environments: { prod: { ...keys, ttl: "5m" } },
      options: { clock },
    });
    const caching = { vary: "Authorization", expires: new Date(start + 300_000).toUTCString() };
    const { headers: first } = await relay.fetch("GET", path, { headers });
    expect(first).toMatchObject(caching);
    clock.advance(60_000);
    const again = await relay.fetch("GET", path, {
      headers: { ...headers, "if-none-match": String(first.etag) },
    });
    expect(again).toMatchObject({
      status: 304,
      body: "",
      headers: { vary: "Authorization", expires: new Date(start + 360_000).toUTCString() },
    });
  });

  test("its tag gives 304 until something changes, any other 200", async () => {
    const relay = await startRelay({ data });
    const { headers: first } = await relay.fetch("GET", path, { headers });
    const asking = { ...headers, "if-none-match": String(first.etag) };
    expect(await relay.fetch("GET", path, { headers: asking })).toMatchObject({ status: 304, body: "" });
    expect(
      await relay.fetch("GET", path, { headers: { ...headers, "if-none-match": "relay-other" } }),
    ).toMatchObject({ status: 200 });
    const upstream = relay.upstream.environment(keys.sdkKey);
    upstream.patch("flags", flag("a", 4));
    upstream.patch("segments", { key: "s", version: 3 });
    while ((await relay.fetch("GET", path, { headers: asking })).status !== 200)
      await new Promise(setImmediate);
    expect((await relay.fetch("GET", path, { headers: asking })).headers.etag).not.toBe(first.etag);
  });
});

test("a full set changes the tags, whatever its versions: a flag that was deleted and made anew is another one", async () => {
  const relay = await startRelay({ data });
  const upstream = relay.upstream.environment(keys.sdkKey);
  const get = (path: string, tag = "") =>
    relay.fetch("GET", path, { headers: { ...headers, "if-none-match": tag } });
  const gone = () => get("/sdk/flags/a").then(({ status }) => status === 404);
  const tags = await Promise.all(paths.map(async ({ path }) => String((await get(path)).headers.etag)));
  upstream.put({ flags: {}, segments: {} });
  while (!(await gone())) await new Promise(setImmediate);
  const made = (item: object) => ({ ...item, description: "made anew" });
  upstream.put({
    flags: { a: made(flag("a", 3)) },
    segments: { s: made({ key: "s", version: 2 }) },
  });
  while (await gone()) await new Promise(setImmediate);
  for (const [n, { path }] of paths.entries()) {
    const answer = await get(path, tags[n]);
    expect(answer, path).toMatchObject({ status: 200, body: expect.stringContaining("made anew") });
    expect(await get(path, String(answer.headers.etag))).toMatchObject({ status: 304 });
  }
});

test("a relay that has begun anew gives the same tags for the same flags, and others for others with the same versions", async () => {
  const tagsOf = async (description: string) => {
    const made = { [keys.sdkKey]: { flags: { a: { ...flag("a", 3), description } }, segments: {} } };
    const relay = await startRelay({ data: made });
    const asked = ["/sdk/flags", "/sdk/flags/a", "/sdk/latest-all"];
    return Promise.all(asked.map(async (path) => (await relay.fetch("GET", path, { headers })).headers.etag));
  };
  const first = await tagsOf("first");
  expect(await tagsOf("first")).toEqual(first);
  const second = await tagsOf("second");
  expect(second.filter((tag) => first.includes(tag))).toEqual([]);
});

test("what is deleted or unknown is 404, and missing among all", async () => {
  const relay = await startRelay({ data });
  const upstream = relay.upstream.environment(keys.sdkKey);
  upstream.delete("segments", "s", 9);
  upstream.delete("flags", "a", 9);
  while ((await relay.fetch("GET", "/sdk/flags", { headers })).body !== "{}") await new Promise(setImmediate);
  for (const path of ["/sdk/flags/a", "/sdk/segments/s", "/sdk/flags/none", "/sdk/segments/a"])
    expect(await relay.fetch("GET", path, { headers }), path).toMatchObject({ status: 404, body: "" });
  const all = await relay.fetch("GET", "/sdk/latest-all", { headers });
  expect(JSON.parse(all.body)).toEqual({ flags: {}, segments: {} });
});

test("items of a source that are no JSON leave every document and stream whole", async () => {
  const good = '{"key":"good","version":1,"on":false,"variations":[1],"offVariation":0}';
  const relay = await startRelay({
    environments: {
      prod: {
        ...keys,
        source({ sink }) {
          const bad = ["", '{"version":1', '{"version":1},"evil":{"version":1}', "5"];
          const items = bad.map((json, n) => parseItem("flags", `bad${n}`, json));
          void sink.apply({ extent: "full", items: [parseItem("flags", "good", good), ...items] });
          return { close() {} };
        },
      },
    },
  });
  const polled = JSON.parse((await relay.fetch("GET", "/sdk/flags", { headers })).body);
  expect(polled).toEqual({ good: JSON.parse(good) });
  const all = JSON.parse((await relay.fetch("GET", "/sdk/latest-all", { headers })).body);
  expect(all.flags).toEqual(polled);
  const stream = await relay.open("/all", { headers });
  expect(JSON.parse((await stream.next()).data).data.flags).toEqual(polled);
});

describe("flags of the host's own", () => {
  const pretty = (version: number, on: boolean) =>
    JSON.stringify({ flags: { a: { ...flag("a", version), on } }, segments: {} }, null, 2).replaceAll(
      "\n",
      "\r\n",
    );

  test("may be printed on many lines: streams carry them whole, at the start and as changes", async () => {
    const own = createFixedSource(pretty(1, true));
    const relay = await startRelay({ environments: { prod: { ...keys, source: own.source } } });
    const stream = await relay.open("/all", { headers });
    expect(JSON.parse((await stream.next()).data).data.flags.a).toEqual(flag("a", 1));
    await own.replace(pretty(2, true));
    expect(JSON.parse((await stream.next()).data)).toMatchObject({ path: "/flags/a", data: { version: 2 } });
  });

  test("items on many lines as well, whoever made them", async () => {
    const json = JSON.stringify(flag("a", 1), null, 2);
    const source: SourceFactory = ({ sink }) => {
      void sink.apply({ extent: "full", items: [parseItem("flags", "a", json)] });
      return { close() {} };
    };
    const relay = await startRelay({ environments: { prod: { ...keys, source } } });
    const stream = await relay.open("/all", { headers });
    expect(JSON.parse((await stream.next()).data).data.flags.a).toEqual(flag("a", 1));
    expect(JSON.parse((await relay.fetch("GET", "/sdk/flags", { headers })).body).a).toEqual(flag("a", 1));
  });

  for (const path of ["/sdk/flags", "/sdk/flags/a", "/sdk/latest-all"]) {
    test(`${path}: what was replaced without a new version has another tag`, async () => {
      const own = createFixedSource(pretty(1, true));
      const relay = await startRelay({ environments: { prod: { ...keys, source: own.source } } });
      const first = await relay.fetch("GET", path, { headers });
      const conditional = { headers: { ...headers, "if-none-match": String(first.headers.etag) } };
      expect(await relay.fetch("GET", path, conditional)).toMatchObject({ status: 304 });
      await own.replace(pretty(1, false));
      const second = await relay.fetch("GET", path, conditional);
      expect(second.status).toBe(200);
      expect(second.body).toContain('"on":false'.replace(":", ": "));
    });

    test(`${path}: so has what another relay begins with`, async () => {
      const tags = await Promise.all(
        [true, false].map(async (on) => {
          const own = createFixedSource(pretty(1, on));
          const relay = await startRelay({ environments: { prod: { ...keys, source: own.source } } });
          return (await relay.fetch("GET", path, { headers })).headers.etag;
        }),
      );
      expect(tags[0]).toMatch(/^relay-/);
      expect(tags[0]).not.toBe(tags[1]);
    });
  }
});
