import { expect, test } from "vitest";
import { silentLogger } from "../logger.js";
import { resolveOptions } from "../options/resolve-options.js";
import { createManualClock } from "../testing/manual-clock.js";
import type { SourceSink } from "./source.js";
import { SourceSwitch } from "./source-switch.js";

const change = { extent: "full", items: [] } as const;

/** A switch whose sources are played by the test, and that serves changes when the test says so. */
function setUp() {
  const clock = createManualClock();
  const sinks = new Map<string, SourceSink>();
  const closed: string[] = [];
  const serving: (() => void)[] = [];
  let answers = 0;
  const sources = new SourceSwitch({
    factory({ sdkKey, sink }) {
      sinks.set(sdkKey, sink);
      return { close: () => void closed.push(sdkKey) };
    },
    context: {
      label: "a",
      filter: undefined,
      upstream: resolveOptions({}).upstream,
      logger: silentLogger,
      clock,
      random: () => 0,
    },
    serve: () => new Promise<void>((resolve) => serving.push(resolve)),
    isAccepted: () => true,
    answered: () => void answers++,
    countError() {},
  });
  const deliver = (sdkKey: string) => sinks.get(sdkKey)?.apply(change) ?? expect.unreachable(sdkKey);
  const sinkOf = (sdkKey: string) => sinks.get(sdkKey) ?? expect.unreachable(sdkKey);
  return { sources, deliver, sinkOf, clock, closed, serving, answers: () => answers };
}

test("what a source has delivered before it was retired changes nothing when it is served at last", async () => {
  const { sources, deliver, closed, serving, answers } = setUp();
  sources.use("a");
  const late = deliver("a");
  sources.use("b");
  const first = deliver("b");
  serving[1]?.();
  await first;
  sources.use("c");
  expect([sources.knownSdkKey, closed, answers()]).toEqual(["b", ["a"], 1]);
  serving[0]?.();
  await late;
  expect([sources.knownSdkKey, closed, answers()]).toEqual(["b", ["a"], 1]);
});

test("nothing that is served after the end counts", async () => {
  const { sources, deliver, closed, serving, answers } = setUp();
  sources.use("a");
  const late = deliver("a");
  sources.close();
  serving[0]?.();
  await late;
  expect(closed).toEqual(["a"]);
  expect([sources.everDelivered, sources.status.state, answers()]).toEqual([false, "OFF", 0]);
});

test("a key is refused as long as that is the last that upstream has said of it", async () => {
  const { sources, deliver, sinkOf, clock, serving } = setUp();
  sources.use("a");
  const refuse = () => {
    sinkOf("a").refused("ERROR_RESPONSE", "401");
    expect([sources.refused, sources.status.state]).toEqual([true, "OFF"]);
    clock.advance(600_000);
    expect(sources.refused).toBe(true);
  };
  refuse();
  sinkOf("a").interrupted("NETWORK_ERROR", "reset");
  expect([sources.refused, sources.status.state]).toEqual([false, "INITIALIZING"]);
  refuse();
  const delivered = deliver("a");
  serving[0]?.();
  await delivered;
  expect([sources.refused, sources.status.state, sources.knownSdkKey]).toEqual([false, "VALID", "a"]);
  refuse();
  sinkOf("a").interrupted("NETWORK_ERROR", "reset");
  expect([sources.refused, sources.status.state]).toEqual([false, "INTERRUPTED"]);
});
