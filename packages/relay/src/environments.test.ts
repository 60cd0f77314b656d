import { expect, onTestFinished, test } from "vitest";
import { silentLogger } from "./logger.js";
import { createRelay, type Relay } from "./relay.js";
import type { SourceSink } from "./sources/source.js";
import { createManualClock, type ManualClock } from "./testing/manual-clock.js";

interface Running {
  readonly relay: Relay;
  readonly clock: ManualClock;
  /** What was logged as information. */
  readonly said: string[];
  readonly source: (context: { readonly sink: SourceSink }) => { close(): void };
  /** The source that was made as the so manyth delivers. */
  deliver(index: number): Promise<void> | undefined;
}

/** A relay whose sources deliver when the test says so, on a clock that stands still. */
function setUp(furtherSdkKeys: readonly { readonly key: string; readonly expires: number }[] = []): Running {
  const clock = createManualClock();
  const said: string[] = [];
  const sinks: SourceSink[] = [];
  const source = ({ sink }: { readonly sink: SourceSink }) => {
    sinks.push(sink);
    return { close() {} };
  };
  const relay = createRelay({
    environments: { a: { sdkKey: "sdk-a", furtherSdkKeys, source } },
    ...{ clock, random: () => 0, events: false },
    logger: { ...silentLogger, info: (line) => void said.push(line) },
  });
  onTestFinished(() => relay.close({ within: 0 }));
  return {
    relay,
    clock,
    said,
    source,
    deliver: (index) => sinks[index]?.apply({ extent: "full", items: [] }),
  };
}

test("whoever waits until all are ready waits for those as well that come meanwhile", async () => {
  const { relay, source, deliver } = setUp();
  let isReady = false;
  const ready = relay.ready().then(() => {
    isReady = true;
  });
  await new Promise(setImmediate);
  void relay.environments.add("b", { sdkKey: "sdk-b", source });
  await deliver(0);
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  expect(isReady).toBe(false);
  await deliver(1);
  await ready;
});

test("a relay that is closed waits for no key to expire", async () => {
  const { relay, clock } = setUp([{ key: "sdk-old", expires: createManualClock().now() + 3_600_000 }]);
  await relay.close({ within: 0 });
  expect(clock.pending).toBe(0);
});

test("whoever lists keys is told for how many minutes others are accepted, begun ones included, and nobody else is", async () => {
  const { relay, said } = setUp();
  relay.environments.rotateKey("a", { sdkKey: "sdk-new" }, { overlap: "61s" });
  said.length = 0;
  void relay.environments.update("a", { ttl: "1m" });
  void relay.environments.update("a", { furtherMobileKeys: ["mob-2"] });
  expect(said).toEqual([]);
  void relay.environments.update("a", { furtherSdkKeys: ["sdk-further"] });
  expect(said).toEqual([expect.stringContaining("is accepted for another 2 min")]);
});

test("the name of a payload filter that is gone is free", async () => {
  const { relay, source } = setUp();
  void relay.environments.update("a", { filters: ["web"] });
  const add = () => relay.environments.add("a/web", { sdkKey: "sdk-b", source });
  await expect(add()).rejects.toMatchObject({ code: "duplicate" });
  void relay.environments.update("a", { filters: [] });
  void add();
  expect(relay.environments.names()).toEqual(["a", "a/web"]);
});
