import {
  type Change,
  type Item,
  parseItem,
  RelayError,
  type SourceContext,
  type SourceFactory,
  type SourceSink,
  systemClock,
  UpstreamConnections,
} from "@wye/relay";
import { describe, expect, test } from "vitest";
import { createLine } from "../../../test/line-to-worker.js";
import { ItemSet } from "./item-set.js";
import { createSharedSource } from "./shared-source.js";
import { SourceHub } from "./source-hub.js";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const upstream = {
  stream: "http://stream",
  app: "http://app",
  polling: "http://polling",
  events: "http://events",
  dispatcher: new UpstreamConnections(1),
  readTimeoutMs: 1,
  requestTimeoutMs: 1,
  maxEventBytes: 1,
};
const item = (key: string, version: number): Item =>
  parseItem("flags", key, JSON.stringify({ key, version, on: true }));
const full = (...items: readonly Item[]): Change => ({ extent: "full", items, selector: undefined });
const partial = (...items: readonly Item[]): Change => ({ extent: "partial", items, selector: undefined });

/** A hub whose sources are in the hands of the test. */
function createHub() {
  const sources: { context: SourceContext; closed: boolean }[] = [];
  const start: SourceFactory = (context) => {
    const source = { context, closed: false };
    sources.push(source);
    return {
      close() {
        source.closed = true;
      },
    };
  };
  const lines: string[] = [];
  const logger = { ...silent, warn: (line: string) => void lines.push(line) };
  const hub = new SourceHub({ start, dispatcher: upstream.dispatcher, logger, clock: systemClock });
  const open = () => sources.filter(({ closed }) => !closed);
  return { hub, sources, lines, open, sink: (): SourceSink => sources.at(-1)?.context.sink as SourceSink };
}

/** A worker of a hub, with what it has been told. */
function createWorker(hub: SourceHub) {
  const line = createLine();
  const detach = hub.attach(line.hub);
  const start = createSharedSource(line.worker);
  const state = new ItemSet();
  const told: string[] = [];
  let fails: string | undefined;
  const sink: SourceSink = {
    async apply(change) {
      if (fails !== undefined) throw new RelayError("malformed_data", fails);
      state.take(change);
      told.push(`${change.extent} ${change.items.map(({ key, version }) => `${key}@${version}`).join(" ")}`);
    },
    interrupted: (kind, message) => void told.push(`interrupted ${kind} ${message}`),
    refused: (kind, message) => void told.push(`refused ${kind} ${message}`),
  };
  const carry = async () => {
    let moved = true;
    while (moved) {
      moved = [line.fromWorker(), line.toWorker()].includes(true);
      await new Promise(setImmediate);
    }
  };
  return {
    ...line,
    detach,
    state,
    told,
    carry,
    failWith(message: string | undefined) {
      fails = message;
    },
    open(sdkKey = "sdk", filter?: string, label = "a", stream = upstream.stream) {
      const context = { label, sdkKey, filter, sink, upstream: { ...upstream, stream } };
      return start({ ...context, logger: silent, clock: systemClock, random: Math.random });
    },
  };
}

describe("workers", () => {
  test("share one connection for each address, key and filter, which ends with the last of them", async () => {
    const { hub, open, sources } = createHub();
    const workers = [createWorker(hub), createWorker(hub)];
    const [first] = workers.map((worker) => [worker.open(), worker.open("sdk", "web"), worker.open("other")]);
    for (const { carry } of workers) await carry();
    expect(sources.map(({ context: { sdkKey, filter } }) => [sdkKey, filter])).toEqual([
      ["sdk", undefined],
      ["sdk", "web"],
      ["other", undefined],
    ]);
    first?.[2]?.close();
    await workers[0]?.carry();
    expect(open()).toHaveLength(3);
    workers[1]?.detach();
    // Nobody hears what a worker has still said that is gone.
    workers[1]?.open("late");
    await workers[1]?.carry();
    expect(open().map(({ context: { sdkKey, filter } }) => [sdkKey, filter])).toEqual([
      ["sdk", undefined],
      ["sdk", "web"],
    ]);
    workers[0]?.open("sdk", undefined, "a", "http://elsewhere");
    await workers[0]?.carry();
    expect(open().map(({ context }) => context.upstream.stream)).toEqual([
      ...["http://stream", "http://stream"],
      "http://elsewhere",
    ]);
  });

  test("have one log of each connection, with the name that the environment has now", async () => {
    const { hub, sources, lines } = createHub();
    const worker = createWorker(hub);
    const before = worker.open("sdk", undefined, "old");
    worker.open("sdk", "web", "old/web");
    await worker.carry();
    for (const { context } of sources) context.logger.warn("upstream stream: aborted");
    worker.open("sdk", undefined, "new\nname");
    before.close();
    await worker.carry();
    sources[0]?.context.logger.warn("upstream stream: aborted");
    expect(lines).toEqual([
      "[old] upstream stream: aborted",
      "[old/web] upstream stream: aborted",
      "[new\\x0aname] upstream stream: aborted",
    ]);
  });

  test("have the same flags, also those that come later, and the state of the connection", async () => {
    const { hub, sink } = createHub();
    const early = createWorker(hub);
    early.open();
    await early.carry();
    const applied = sink().apply(full(item("a", 1), item("b", 1)));
    await early.carry();
    await applied;
    sink().interrupted("NETWORK_ERROR", "gone");
    const late = createWorker(hub);
    late.open();
    for (const { carry } of [early, late]) await carry();
    expect(early.told).toEqual(["full a@1 b@1", "interrupted NETWORK_ERROR gone"]);
    expect(late.told).toEqual(early.told);
  });

  test("that are busy are sent in one change what has come meanwhile, and hold up nobody", async () => {
    const { hub, sink } = createHub();
    const [quick, slow] = [createWorker(hub), createWorker(hub)];
    for (const worker of [quick, slow]) {
      worker.open();
      await worker.carry();
    }
    const changes = [full(item("a", 1)), partial(item("a", 2)), partial(item("b", 1)), partial(item("a", 3))];
    for (const change of changes) {
      const applied = sink().apply(change);
      await quick.carry();
      await applied;
    }
    expect(quick.told).toEqual(["full a@1", "partial a@2", "partial b@1", "partial a@3"]);
    expect(slow.told).toEqual([]);
    await slow.carry();
    expect(slow.told).toEqual(["full a@1", "partial a@3 b@1"]);
  });

  test("that cannot use a change make the connection begin again, and nobody gets that change later", async () => {
    const { hub, sink } = createHub();
    const worker = createWorker(hub);
    worker.open();
    await worker.carry();
    worker.failWith("flag a is none");
    const applied = sink().apply(full(item("a", 1)));
    await Promise.all([
      expect(applied).rejects.toMatchObject({ code: "malformed_data", message: "flag a is none" }),
      worker.carry(),
    ]);
    const late = createWorker(hub);
    late.open();
    await late.carry();
    expect(late.told).toEqual([]);
    worker.failWith(undefined);
    const again = sink().apply(full(item("a", 2)));
    for (const { carry } of [worker, late]) await carry();
    await again;
    expect([worker.told, late.told]).toEqual([["full a@2"], ["full a@2"]]);
  });

  test("whose key is refused all hear it, and the next who asks is a new connection", async () => {
    const { hub, sink, sources } = createHub();
    const workers = [createWorker(hub), createWorker(hub)];
    for (const worker of workers) {
      worker.open();
      await worker.carry();
    }
    sink().refused("ERROR_RESPONSE", "no such key");
    for (const worker of workers) {
      await worker.carry();
      expect(worker.told).toEqual(["refused ERROR_RESPONSE no such key"]);
    }
    workers[0]?.open();
    await workers[0]?.carry();
    expect(sources).toHaveLength(2);
  });

  test("that end in the middle of a change are not waited for", async () => {
    const { hub, sink, open } = createHub();
    const worker = createWorker(hub);
    worker.open();
    await worker.carry();
    const applied = [sink().apply(full(item("a", 1))), sink().apply(partial(item("a", 2)))];
    worker.detach();
    await expect(Promise.all(applied)).resolves.toHaveLength(2);
    expect(open()).toEqual([]);
  });

  test("that have closed are sent nothing that has waited, and hear nothing of what was on its way", async () => {
    const { hub, sink } = createHub();
    const worker = createWorker(hub);
    const source = worker.open();
    await worker.carry();
    const applied = [sink().apply(full(item("a", 1))), sink().apply(partial(item("a", 2)))];
    source.close();
    worker.worker.send({ type: "taken", source: 1 });
    worker.toWorker();
    worker.fromWorker();
    expect([worker.toWorker(), worker.told]).toEqual([false, []]);
    await expect(Promise.all(applied)).resolves.toHaveLength(2);
  });

  test("whose key was refused end no connection of those who have asked anew when they go", async () => {
    const { hub, sink, sources, open } = createHub();
    const workers = [createWorker(hub), createWorker(hub), createWorker(hub)];
    const [first, second, third] = workers;
    const refused = [first?.open(), second?.open()];
    for (const { carry } of workers) await carry();
    sink().refused("ERROR_RESPONSE", "no such key");
    first?.open();
    await first?.carry();
    for (const source of refused) source?.close();
    third?.open();
    for (const { carry } of workers) await carry();
    expect([sources.length, open().length]).toEqual([2, 1]);
  });

  test("whose key is refused at once leave no connection to those who come later", async () => {
    const started: string[] = [];
    const start: SourceFactory = ({ label, sink }) => {
      started.push(label);
      sink.refused("ERROR_RESPONSE", "no such key");
      return { close() {} };
    };
    const logger = { ...silent };
    const hub = new SourceHub({ start, dispatcher: upstream.dispatcher, logger, clock: systemClock });
    for (const label of ["a", "b"]) {
      const worker = createWorker(hub);
      worker.open("sdk", undefined, label);
      await worker.carry();
    }
    expect(started).toEqual(["a", "b"]);
  });
});

test.each(Array.from({ length: 60 }, (_, index) => index + 1))(
  "whatever comes in whichever order, all workers end with the flags of upstream (seed %i)",
  async (seed) => {
    const random = createRandom(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const { hub, sink, sources } = createHub();
    const model = new Map<string, number>();
    const workers = [createWorker(hub)];
    workers[0]?.open();
    await workers[0]?.carry();
    const applied: Promise<void>[] = [];
    const upstreamSends = (change: Change) => {
      if (change.extent === "full") model.clear();
      for (const { key, version } of change.items)
        if (change.extent === "full" || version > (model.get(key) ?? 0)) model.set(key, version);
      applied.push(sink().apply(change));
    };
    upstreamSends(full(item("a", 1)));
    for (let step = 0; step < 150; step++) {
      const worker = workers[pick(workers.length)];
      const key = "abcdef"[pick(6)] ?? "a";
      const turn = pick(10);
      if (turn === 0) upstreamSends(full(...["a", key].map((one, at) => item(one, pick(9) + at))));
      else if (turn < 4) upstreamSends(partial(item(key, pick(20) + 1)));
      else if (turn === 4 && workers.length < 5) {
        const next = createWorker(hub);
        next.open();
        workers.push(next);
      } else if (turn === 5 && workers.length > 1) {
        // While one has asked the connection lasts, and with it what has come.
        for (const one of workers) one.fromWorker();
        const [gone] = workers.splice(pick(workers.length), 1);
        gone?.detach();
      } else if (turn < 8) worker?.toWorker(1 + pick(2));
      else worker?.fromWorker(1 + pick(2));
      await Promise.resolve();
    }
    for (const { carry } of workers) await carry();
    await Promise.all(applied);
    expect(sources).toHaveLength(1);
    const expected = [...model].sort();
    for (const { state } of workers)
      expect(
        state
          .change()
          .items.map(({ key, version }) => [key, version])
          .sort(),
      ).toEqual(expected);
  },
);

/** Numbers from 0 to below 1 that a seed decides. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
