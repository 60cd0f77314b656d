import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { fileStore } from "../src/index.js";
import { keepThreadsBusy } from "./busy-threads.js";
import { flag, keys, startRelay } from "./start-relay.js";

const headers = { authorization: keys.sdkKey, "x-launchdarkly-event-schema": "4" };
const large = JSON.stringify([{ kind: "custom", data: "x".repeat(100_000) }]);

test("a relay in a host that keeps all threads busy ends by its deadline, and tells what it could not send", async () => {
  const directory = await mkdtemp(join(tmpdir(), "busy-host-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const lines: string[] = [];
  const { relay, upstream, fetch } = await startRelay({
    environments: { prod: { ...keys, store: fileStore({ directory }) } },
    options: {
      logger: { debug() {}, info() {}, warn: (line) => lines.push(line), error: (line) => lines.push(line) },
    },
  });
  const release = keepThreadsBusy();
  expect((await fetch("POST", "/bulk", { headers, body: large })).status).toBe(202);
  expect((await fetch("POST", "/diagnostic", { headers, body: "{}" })).status).toBe(202);
  const packed = fetch("POST", "/bulk", {
    headers: { ...headers, "content-encoding": "gzip" },
    body: gzipSync(large),
  });
  const answered = packed.then(
    ({ status }) => status,
    () => undefined,
  );
  upstream.environment(keys.sdkKey).put({ flags: { a: flag("a", 7) }, segments: {} });
  await relay.close({ within: "300ms" });
  // It has ended although nothing goes on.
  expect(lines).toEqual(["[prod] events: 2 could not be delivered before their environment was closed"]);
  await release();
  expect([await answered, await upstream.takePosts()]).toEqual([503, []]);
});
