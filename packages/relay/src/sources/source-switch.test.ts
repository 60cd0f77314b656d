import { expect, test } from "vitest";
import { silentLogger } from "../logger.js";
import { resolveOptions } from "../options/resolve-options.js";
import { createManualClock } from "../testing/manual-clock.js";
import type { SourceSink } from "./source.js";
import { SourceSwitch } from "./source-switch.js";

const change = { extent: "full", items: [] } as const;

/** A switch whose sources are played by the test, and that serves changes when the test says so. */
function setUp({
  accepted,
  onStart = () => {},
}: {
  accepted?: readonly string[];
  onStart?: (sources: SourceSwitch) => void;
} = {}) {
  const clock = createManualClock();
  const started: string[] = [];
  const told: string[] = [];
  const errors: string[] = [];
  const say = (message: string) => void told.push(message);
  const sinks = new Map<string, SourceSink>();
  const closed: string[] = [];
  const serving: (() => void)[] = [];
  let answers = 0;
  const sources: SourceSwitch = new SourceSwitch({
    factory({ sdkKey, sink }) {
      sinks.set(sdkKey, sink);
      started.push(sdkKey);
      onStart(sources);
      return { close: () => void closed.push(sdkKey) };
    },
    context: {
      label: "a",
      filter: undefined,
      upstream: resolveOptions({}).upstream,
      logger: { ...silentLogger, warn: say, error: say },
      clock,
      random: () => 0,
    },
    serve: () => new Promise<void>((resolve) => serving.push(resolve)),
    isAccepted: (sdkKey) => accepted?.includes(sdkKey) ?? true,
    answered: () => void answers++,
    countError: (kind) => void errors.push(kind),
  });
  const deliver = (sdkKey: string) => sinks.get(sdkKey)?.apply(change) ?? expect.unreachable(sdkKey);
  const sinkOf = (sdkKey: string) => sinks.get(sdkKey) ?? expect.unreachable(sdkKey);
  /** Delivers, and waits until that is served. */
  const serve = async (sdkKey: string) => {
    const delivered = deliver(sdkKey);
    serving.at(-1)?.();
    await delivered;
  };
  const refuse = (sdkKey: string) => sinkOf(sdkKey).refused("ERROR_RESPONSE", "401");
  const seen = { started, closed, told, errors };
  return { sources, deliver, serve, refuse, sinkOf, clock, closed, serving, seen, answers: () => answers };
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

test("before a key is used none is known, and none refused", () => {
  const { sources, seen } = setUp();
  expect([sources.knownSdkKey, sources.refused, sources.everDelivered]).toEqual([undefined, false, false]);
  sources.use("a");
  expect([sources.knownSdkKey, sources.refused, seen.started]).toEqual([undefined, false, ["a"]]);
});

test("a key that is used again is the newest one, without another source", async () => {
  const { sources, serve, seen } = setUp();
  sources.use("a");
  sources.use("b");
  sources.use("a");
  expect(seen).toMatchObject({ started: ["a", "b"], closed: [] });
  await serve("b");
  expect([sources.knownSdkKey, seen.closed]).toEqual(["b", []]);
  await serve("a");
  expect([sources.knownSdkKey, seen.closed]).toEqual(["a", ["b"]]);
});

test("a key whose flags are served ends all others when it is used again", async () => {
  const { sources, serve, seen } = setUp();
  sources.use("a");
  await serve("a");
  sources.use("b");
  sources.use("c");
  expect(seen.closed).toEqual([]);
  sources.use("a");
  expect([sources.knownSdkKey, seen.closed, seen.started]).toEqual(["a", ["b", "c"], ["a", "b", "c"]]);
});

test("a key that was refused is tried anew when it is used again, and the others go on", async () => {
  const { sources, serve, refuse, seen, clock } = setUp();
  sources.use("a");
  await serve("a");
  sources.use("b");
  refuse("b");
  expect([sources.refused, sources.knownSdkKey, sources.status.state]).toEqual([false, "a", "VALID"]);
  sources.use("b");
  expect(seen).toEqual({
    started: ["a", "b", "b"],
    closed: ["b"],
    told: ["upstream refuses the SDK key: 401", "starting the source again in 10000 ms"],
    errors: ["ERROR_RESPONSE"],
  });
  expect(sources.knownSdkKey).toBe("a");
  // The one that was refused before is not started again beside it.
  clock.advance(10_000);
  expect(seen.started).toEqual(["a", "b", "b"]);
  await serve("b");
  expect([sources.knownSdkKey, seen.closed]).toEqual(["b", ["b", "a"]]);
});

test("a key is not known before what it has opened is served", async () => {
  const { sources, deliver, serving } = setUp();
  sources.use("a");
  const delivered = deliver("a");
  expect([sources.knownSdkKey, sources.everDelivered]).toEqual([undefined, false]);
  serving[0]?.();
  await delivered;
  expect([sources.knownSdkKey, sources.everDelivered]).toEqual(["a", true]);
});

test("what fails beside served flags is a warning, and no interruption", async () => {
  const { sources, serve, sinkOf, seen, answers } = setUp();
  sources.use("a");
  await serve("a");
  sources.use("b");
  sinkOf("b").interrupted("NETWORK_ERROR", "reset");
  expect(sources.status).toMatchObject({ state: "VALID", lastError: { kind: "NETWORK_ERROR" } });
  expect([seen.told, seen.errors, answers()]).toEqual([["the new SDK key: reset"], ["NETWORK_ERROR"], 2]);
  sinkOf("a").interrupted("UNKNOWN", "ended");
  expect([sources.status.state, seen.told.length, answers()]).toEqual(["INTERRUPTED", 1, 3]);
});

test.each([
  { accepted: ["a", "b", "c"], closed: [], name: "all keys are accepted" },
  { accepted: ["b"], closed: [], name: "only the one that waits is" },
  { accepted: [], closed: ["b"], name: "none is: the newest, and the one that is served, go on" },
])("when $name, sources that nobody waits for are closed", async ({ accepted, closed }) => {
  const { sources, serve, seen } = setUp({ accepted });
  sources.use("a");
  await serve("a");
  sources.use("b");
  sources.use("c");
  sources.closeUnaccepted();
  expect(seen.closed).toEqual(closed);
});

test.each([
  { name: "is tried again when it is the newest", newer: [], tries: 2 },
  { name: "is not tried again when another one is newer", newer: ["b"], tries: 1 },
])("a served key that is refused and not accepted $name", async ({ newer, tries }) => {
  const { sources, serve, refuse, clock, seen } = setUp({ accepted: [] });
  sources.use("a");
  await serve("a");
  for (const key of newer) sources.use(key);
  refuse("a");
  expect([sources.refused, sources.status.state]).toEqual(
    tries === 2 ? [true, "OFF"] : [false, "INTERRUPTED"],
  );
  clock.advance(10_000);
  expect(seen.started.filter((key) => key === "a")).toHaveLength(tries);
});

test("what a source says after it was closed is not heard", async () => {
  const { sources, serve, refuse, sinkOf, seen, answers } = setUp();
  sources.use("a");
  await serve("a");
  sources.use("b");
  await serve("b");
  const before = answers();
  sinkOf("a").interrupted("NETWORK_ERROR", "reset");
  refuse("a");
  await serve("a");
  expect([seen.told, seen.errors, answers()]).toEqual([[], [], before]);
  expect([sources.status.state, sources.knownSdkKey]).toEqual(["VALID", "b"]);
});

test.each([
  { what: "by the end", onStart: (sources: SourceSwitch) => sources.close(), running: "OFF", closed: ["a"] },
  {
    what: "by nothing",
    onStart: () => {},
    running: "INITIALIZING",
    closed: [],
  },
])("a source that is followed $what while it starts is closed: $closed", ({ onStart, running, closed }) => {
  const { sources, seen } = setUp({ onStart });
  sources.use("a");
  expect([sources.status.state, seen.started, seen.closed]).toEqual([running, ["a"], closed]);
});

test("what was refused is asked for again with another key, and is said to be until there is an answer", async () => {
  const { sources, refuse, serve, sinkOf } = setUp();
  sources.use("a");
  refuse("a");
  expect(sources.status.state).toBe("OFF");
  sources.use("b");
  expect([sources.status.state, sources.refused]).toEqual(["INITIALIZING", false]);
  await serve("b");
  refuse("b");
  expect(sources.status.state).toBe("OFF");
  sources.use("c");
  expect([sources.status.state, sources.refused]).toEqual(["INTERRUPTED", false]);
  sinkOf("c").refused("ERROR_RESPONSE", "401");
  expect([sources.status.state, sources.refused]).toEqual(["OFF", true]);
});

test("a factory that throws is a mistake with the first key, and a failure that may pass with any other", () => {
  const failingWith = (sdkKey: string) => {
    const running = setUp({
      onStart: () => {
        if (running.seen.started.at(-1) === sdkKey) throw new Error("no source");
      },
    });
    return running;
  };
  const first = failingWith("a");
  expect(() => first.sources.use("a")).toThrow("no source");
  expect([first.seen.errors, first.clock.pending]).toEqual([[], 0]);
  const second = failingWith("b");
  second.sources.use("a");
  second.sources.use("b");
  expect([second.seen.started, second.seen.errors, second.clock.pending]).toEqual([
    ["a", "b"],
    ["UNKNOWN"],
    1,
  ]);
});
