import { expect, test } from "vitest";
import type { AnnouncedOptions } from "../auto-config/announced-change.js";
import type { Change } from "../change.js";
import type { ConfiguredEnvironments } from "../configured-environments.js";
import { RelayError } from "../error.js";
import type { ResolvedOffline, ResolvedOptions } from "../options/resolved-options.js";
import type { SourceFactory } from "../sources/source.js";
import { createManualClock } from "../testing/manual-clock.js";
import type { OfflineChange, OfflineSourceFactory } from "./offline-source.js";
import { startOffline } from "./start-offline.js";

const options: AnnouncedOptions = {
  sdkKey: "sdk-1",
  furtherSdkKeys: [],
  secureMode: false,
  ttl: 0,
  about: {},
  filters: [],
};
const change = (state: string): Change => ({ extent: "full", items: [], selector: { state, version: 1 } });

/** A file that the test reads, and what becomes of it. */
function setUp() {
  const clock = createManualClock();
  const said: string[] = [];
  const served = new Map<string, SourceFactory>();
  let applied = Promise.resolve();
  let sink: Parameters<OfflineSourceFactory>[0]["sink"] | undefined;
  const environments = {
    get size() {
      return served.size;
    },
    async apply(
      wanted: ReadonlyMap<string, { readonly source: SourceFactory } | undefined>,
      broken: ReadonlyMap<string, unknown>,
    ) {
      for (const name of broken.keys()) said.push(`broken ${name}`);
      for (const [name, one] of wanted)
        if (one === undefined) served.delete(name);
        else served.set(name, one.source);
      await applied;
    },
    close: () => void said.push("close environments"),
  };
  const configuration = startOffline({
    // No more of these is used.
    settings: { file: "flags.yaml", defaults: {} } as unknown as ResolvedOffline,
    options: {
      clock,
      initTimeoutMs: 10_000,
      logger: { debug() {}, info: (line: string) => void said.push(line), warn() {}, error() {} },
    } as unknown as ResolvedOptions,
    environments: environments as unknown as ConfiguredEnvironments,
    report: ({ code, message }) => void said.push(`report ${code}: ${message}`),
    startSource(context) {
      sink = context.sink;
      return { close: () => void said.push("close source") };
    },
  });
  if (sink === undefined) throw new Error("the source was not started");
  const send = sink;
  const apply = (more: Partial<OfflineChange>) =>
    send.apply({ environments: new Map(), flags: new Map(), broken: new Map(), problems: [], ...more });
  const isSettled = async () => {
    let is = false;
    void configuration.settled.then(() => {
      is = true;
    });
    await new Promise(setImmediate);
    return is;
  };
  /** What the source of an environment delivers at once. */
  const delivered = (name: string) => {
    const states: (string | undefined)[] = [];
    const sinkOfOne = { apply: async ({ selector }: Change) => void states.push(selector?.state) };
    served.get(name)?.({ sink: sinkOfOne } as never);
    return states;
  };
  const applyLater = (later: Promise<void>) => {
    applied = later;
  };
  return { applyLater, clock, said, served, sink: send, configuration, apply, isSettled, delivered };
}

test("what is in the file is served with its flags, and told of when it is news", async () => {
  const { apply, said, configuration, delivered, clock, isSettled } = setUp();
  expect([configuration.configured, await isSettled()]).toEqual([false, false]);
  await apply({ environments: new Map([["a", options]]), flags: new Map([["a", change("one")]]) });
  expect([configuration.configured, configuration.status.state, await isSettled(), clock.pending]).toEqual([
    true,
    "VALID",
    true,
    0,
  ]);
  expect(delivered("a")).toEqual(["one"]);
  await apply({});
  await apply({ flags: new Map([["a", change("two")]]), problems: ["no number"] });
  expect(delivered("a")).toEqual(["two"]);
  expect(said).toEqual([
    "[offline] flags.yaml: environments: 1",
    "report malformed_data: flags.yaml: no number",
    "[offline] flags.yaml: read anew, environments: 1",
  ]);
});

test("an environment that is gone and comes again has nothing of its former flags", async () => {
  const { apply, delivered } = setUp();
  await apply({ environments: new Map([["a", options]]), flags: new Map([["a", change("one")]]) });
  await apply({ environments: new Map([["a", undefined]]) });
  await apply({ environments: new Map([["a", options]]) });
  expect(delivered("a")).toEqual([]);
});

test("a file that cannot be used is reported, and nobody waits for it, nor beyond the time", async () => {
  const { sink, said, configuration, isSettled, clock } = setUp();
  sink.interrupted("INVALID_DATA", "flags.yaml is empty");
  expect([said, configuration.configured, await isSettled(), clock.pending]).toEqual([
    ["report malformed_data: flags.yaml is empty"],
    false,
    true,
    0,
  ]);
  expect(configuration.status).toMatchObject({ state: "INITIALIZING", lastError: { kind: "INVALID_DATA" } });
  const late = setUp();
  late.clock.advance(9999);
  expect(await late.isSettled()).toBe(false);
  late.clock.advance(1);
  expect([await late.isSettled(), late.said]).toEqual([true, []]);
});

test("what is read while it is closed is told to nobody, and nobody waits", async () => {
  const { apply, configuration, said, isSettled, clock } = setUp();
  const applied = apply({ environments: new Map([["a", options]]) });
  configuration.close();
  await applied;
  expect([said, await isSettled(), clock.pending, configuration.status.state]).toEqual([
    ["close environments", "close source"],
    true,
    0,
    "OFF",
  ]);
});

test("flags that cannot be served are the matter of who has read them, and nobody waits", async () => {
  const { apply, said, served, isSettled } = setUp();
  await apply({ environments: new Map([["a", options]]) });
  const apart = new Error("no memory");
  served.get("a")?.({ sink: { apply: () => Promise.reject(apart) } } as never);
  await expect(apply({ flags: new Map([["a", change("one")]]) })).rejects.toBe(apart);
  expect([await isSettled(), said.at(-1)]).toEqual([
    true,
    "[offline] flags.yaml: read anew, environments: 1",
  ]);
});

test("a file without environments is news when it is read first, and what is broken in it is handed on", async () => {
  const { apply, said } = setUp();
  const broken = new Map([["a", { wanted: {}, error: new RelayError("malformed_data", "no number") }]]);
  await apply({ broken });
  await apply({ broken });
  expect(said).toEqual(["broken a", "[offline] flags.yaml: environments: 0", "broken a"]);
});

test.each(["the environments are", "the flags are"])("nothing is told before %s there", async (what) => {
  const { apply, applyLater, said, served, isSettled } = setUp();
  await apply({ environments: new Map([["a", options]]) });
  said.splice(0);
  let arrive = () => {};
  const later = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  if (what === "the environments are") applyLater(later);
  else served.get("a")?.({ sink: { apply: () => later } } as never);
  const read = apply({ environments: new Map([["b", options]]), flags: new Map([["a", change("one")]]) });
  await isSettled();
  expect(said).toEqual([]);
  arrive();
  await read;
  expect(said).toEqual(["[offline] flags.yaml: read anew, environments: 2"]);
});
