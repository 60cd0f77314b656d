import { expect, test } from "vitest";
import { createManualClock } from "../src/testing/manual-clock.js";
import { keys, startRelay } from "./start-relay.js";

const path = `/sdk/goals/${keys.envId}`;

test("goals come from upstream once and are kept as long as it allows", async () => {
  const clock = createManualClock();
  const relay = await startRelay({ options: { clock } });
  const first = await relay.fetch("GET", path, {
    headers: { origin: "https://a.example", cookie: "secret" },
  });
  expect(first).toMatchObject({
    status: 200,
    body: '[{"id":"g"}]',
    headers: {
      "content-type": "application/json",
      etag: '"g1"',
      "cache-control": "public, max-age=10",
      "access-control-allow-origin": "https://a.example",
    },
  });
  expect(first.headers["x-from-cache"]).toBeUndefined();
  expect(relay.upstream.goalsRequests[0]?.headers).not.toHaveProperty("cookie");
  clock.advance(9999);
  expect(await relay.fetch("GET", path)).toMatchObject({ status: 200, headers: { "x-from-cache": "1" } });
  expect(relay.upstream.goalsRequests).toHaveLength(1);
});

test("what is stale is asked for again with its tag", async () => {
  const clock = createManualClock();
  const relay = await startRelay({ options: { clock } });
  await relay.fetch("GET", path);
  clock.advance(10_000);
  expect(await relay.fetch("GET", path)).toMatchObject({ status: 200, body: '[{"id":"g"}]' });
  expect(relay.upstream.goalsRequests[1]?.headers["if-none-match"]).toBe('"g1"');
  clock.advance(9999);
  await relay.fetch("GET", path);
  expect(relay.upstream.goalsRequests).toHaveLength(2);
});

test("a browser that has them gets 304", async () => {
  const relay = await startRelay();
  const answer = await relay.fetch("GET", path, { headers: { "if-none-match": '"g1"' } });
  expect(answer).toMatchObject({ status: 304, body: "" });
});

test("stale goals are better than none when upstream is away; without any it is 502", async () => {
  const clock = createManualClock();
  const relay = await startRelay({ options: { clock } });
  await relay.fetch("GET", path);
  await relay.upstream.close();
  clock.advance(60_000);
  expect(await relay.fetch("GET", path)).toMatchObject({ status: 200, headers: { "x-from-cache": "1" } });
  expect(await relay.fetch("GET", `${path}?x=1`)).toMatchObject({ status: 502, body: "" });
});

test("an error of upstream is passed on and not kept", async () => {
  const relay = await startRelay({
    data: { "sdk-2": {} },
    environments: { other: { sdkKey: "sdk-2", envId: "unknown-upstream" } },
  });
  for (let i = 1; i <= 2; i++) {
    expect(await relay.fetch("GET", "/sdk/goals/unknown-upstream")).toMatchObject({ status: 404 });
    expect(relay.upstream.goalsRequests).toHaveLength(i);
  }
});
