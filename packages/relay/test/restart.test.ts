import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fileStore } from "../src/index.js";
import { flag, keys, startRelay } from "./start-relay.js";

const authorization = { headers: { authorization: keys.sdkKey } };

test("with a file store a relay that starts anew serves the last flags at once, without upstream", async () => {
  const directory = await mkdtemp(join(tmpdir(), "relay-restart-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const store = fileStore({ directory });
  const environments = { prod: { ...keys, store } };
  const first = await startRelay({ environments });
  first.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2));
  while (!(await first.fetch("GET", "/sdk/flags/a", authorization)).body.includes('"version":2'))
    await first.relay.ready();
  await first.relay.close();
  await first.stop();

  const again = await startRelay({
    environments,
    // Nobody listens there.
    reach: ({ roles }) => ({ ...roles, stream: "http://127.0.0.1:9" }),
    options: { initTimeout: "10m" },
  });
  const answer = await again.fetch("GET", "/sdk/flags/a", authorization);
  expect(answer).toMatchObject({ status: 200 });
  expect(JSON.parse(answer.body)).toEqual(flag("a", 2));
  const stream = await again.open("/all", authorization);
  expect((await stream.next()).data).toContain('"version":2');
  expect(again.relay.status().environments.prod).toMatchObject({ status: "disconnected" });
});
