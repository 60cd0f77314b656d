import { parseItem } from "@wye/flag-evaluator";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../src/stores/memory-store.js";
import { flag, keys, startRelay } from "./start-relay.js";
import { createTestSource } from "./test-source.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

const server = { headers: { authorization: keys.sdkKey } };

/** Items of a full set that cannot be read: SDKs fail at `null` in the place of a flag. */
describe("an item that is none stands in no answer, stream or store, and is told", () => {
  for (const bad of [5, [], "x", false, { version: "7" }]) {
    test(JSON.stringify(bad), async () => {
      const errors: string[] = [];
      const store = memoryStore();
      const items = { good: flag("good", 1), bad };
      const relay = await startRelay({
        data: {},
        options: { logger: { debug() {}, info() {}, warn() {}, error: (text) => errors.push(text) } },
        environments: { prod: { ...keys, store: () => store } },
        wait: false,
      });
      const upstream = relay.upstream.environment(keys.sdkKey);
      await upstream.opened();
      upstream.send("put", { path: "/", data: { flags: items, segments: items } });
      await relay.relay.ready();
      const bodyOf = async (path: string) => JSON.parse((await relay.fetch("GET", path, server)).body);
      const served = { good: flag("good", 1) };
      expect(await bodyOf("/sdk/flags")).toEqual(served);
      expect(await bodyOf("/sdk/latest-all")).toEqual({ flags: served, segments: served });
      expect((await relay.fetch("GET", "/sdk/flags/bad", server)).status).toBe(404);
      expect((await relay.fetch("GET", "/sdk/segments/bad", server)).status).toBe(404);
      const context = Buffer.from('{"key":"u"}').toString("base64url");
      expect(await bodyOf(`/sdk/evalx/contexts/${context}`)).toMatchObject({ good: { value: true } });
      for (const kind of ["flags", "segments"])
        expect(errors.filter((text) => text.includes(`${kind} "bad" is malformed at /`))).toHaveLength(1);

      const all = await relay.open("/all", server);
      expect(JSON.parse((await all.next()).data)).toEqual({
        path: "/",
        data: { flags: served, segments: served },
      });
      const flags = await relay.open("/flags", server);
      expect(JSON.parse((await flags.next()).data)).toEqual(served);
      // One more that is none, beside a change: of the two only the change is told.
      const more = { good: flag("good", 2), bad, worse: bad };
      upstream.send("put", { path: "/", data: { flags: more, segments: items } });
      const told = { path: "/good", data: flag("good", 2) };
      expect(JSON.parse((await flags.next()).data)).toEqual(told);
      expect(JSON.parse((await all.next()).data)).toEqual({ ...told, path: "/flags/good" });
      // One more alone is nothing to tell.
      upstream.send("put", { path: "/", data: { flags: { ...more, worst: bad }, segments: items } });
      await until(() => errors.some((text) => text.includes('"worst" is malformed')));
      await turn();
      // One that was there is gone.
      upstream.send("put", { path: "/", data: { flags: { good: bad }, segments: {} } });
      expect(await flags.next()).toMatchObject({ event: "put", data: "{}" });

      await relay.relay.close({ within: 10_000 });
      expect(await store.read(new AbortController().signal)).toEqual([]);
    });
  }

  test("also one of the host's own source", async () => {
    const store = memoryStore();
    const upstream = createTestSource();
    const relay = await startRelay({
      environments: { prod: { ...keys, source: upstream.source, store: () => store } },
      wait: false,
    });
    await upstream.sink.apply({ extent: "full", items: [parseItem("flags", "bad", "5")] });
    await upstream.sink.apply({ extent: "partial", items: [parseItem("flags", "worse", "[]")] });
    expect((await relay.fetch("GET", "/sdk/flags", server)).body).toBe("{}");
    await relay.relay.close({ within: 10_000 });
    expect(await store.read(new AbortController().signal)).toEqual([]);
  });
});
