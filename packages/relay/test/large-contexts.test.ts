import { expect, test } from "vitest";
import { flag, keys, startRelay } from "./start-relay.js";

test("streams of large contexts are bounded: beyond 16 MiB they get 503, small ones do not, and what ends makes room", async () => {
  const relay = await startRelay();
  const report = (length: number) => ({
    method: "REPORT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key: "u", custom: { x: "x".repeat(length) } }),
  });
  const page = `/eval/${keys.envId}`;
  const open = await Promise.all(Array.from({ length: 17 }, () => relay.open(page, report(1_000_000))));
  const [refused, ...others] = open.filter(({ status }) => status === 503);
  expect(refused).toBeDefined();
  expect(others).toEqual([]);
  await refused?.ended;
  const small = await relay.open(page, report(100));
  expect((await small.next()).event).toBe("put");
  // Evaluations keep nothing.
  const evaluated = await relay.fetch("REPORT", `/sdk/evalx/${keys.envId}/context`, report(1_000_000));
  expect(evaluated).toMatchObject({ status: 200 });
  const streams = open.filter(({ status }) => status === 200);
  for (const stream of streams) expect((await stream.next()).event).toBe("put");
  streams[0]?.close();
  let again = await relay.open(page, report(1_000_000));
  while (again.status === 503) again = await relay.open(page, report(1_000_000));
  expect((await again.next()).event).toBe("put");
  relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2));
  for (const stream of [again, small, ...streams.slice(1)]) expect((await stream.next()).event).toBe("patch");
});
