import {
  type AnnouncedChange,
  type AnnouncedOptions,
  type AnnouncementSink,
  type OfflineChange,
  type OfflineContext,
  parseItem,
  RelayError,
  systemClock,
} from "@wye/relay";
import { expect, test } from "vitest";
import { AnnouncementHub } from "./announcement-hub.js";
import type { Channel, FromWorker, ToWorker } from "./messages.js";
import { createSharedAnnouncements, createSharedContents } from "./shared-announcements.js";

const options = (sdkKey: string): AnnouncedOptions => ({
  sdkKey,
  envId: "id",
  furtherSdkKeys: [],
  secureMode: false,
  ttl: 0,
  about: {},
  filters: [],
});

const change = (
  environments: Record<string, AnnouncedOptions | undefined>,
  rest: Partial<AnnouncedChange> = {},
): AnnouncedChange => ({
  environments: new Map(Object.entries(environments)),
  broken: new Map(),
  problems: [],
  isWhole: true,
  ...rest,
});

/** A hub whose upstream is in the hands of the test. */
function createHub() {
  const sinks: AnnouncementSink[] = [];
  const files: OfflineContext[] = [];
  let closed = 0;
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const hub = new AnnouncementHub({
    contents(context) {
      files.push(context);
      return { close: () => void closed++ };
    },
    announcements({ sink }) {
      sinks.push(sink);
      return { close: () => void closed++ };
    },
    dispatcher: { request: () => Promise.reject(new Error("nobody asks")) } as never,
    logger: silent,
    clock: systemClock,
  });
  return { hub, sinks, files, sink: () => sinks[0] as AnnouncementSink, closed: () => closed };
}

/** The line to a worker; what each side says arrives when the test carries it over, as copies. */
function createLine({ hub }: ReturnType<typeof createHub>) {
  const [toWorker, fromWorker]: [ToWorker[], FromWorker[]] = [[], []];
  const takers = {
    hub: new Set<(message: FromWorker) => void>(),
    worker: new Set<(message: ToWorker) => void>(),
  };
  const listen =
    <Message>(set: Set<(message: Message) => void>) =>
    (take: (message: Message) => void) => {
      set.add(take);
      return () => set.delete(take);
    };
  const detach = hub.attach({ send: (message) => void toWorker.push(message), listen: listen(takers.hub) });
  const channel: Channel<FromWorker, ToWorker> = {
    send: (message) => void fromWorker.push(message),
    listen: listen(takers.worker),
  };
  const carry = async () => {
    while (toWorker.length + fromWorker.length > 0) {
      for (const message of fromWorker.splice(0))
        for (const take of [...takers.hub]) take(structuredClone(message));
      for (const message of toWorker.splice(0))
        for (const take of [...takers.worker]) take(structuredClone(message));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { channel, carry, detach, takers };
}

const outside = { logger: { debug() {}, info() {}, warn() {}, error() {} }, clock: systemClock };

/** A worker with automatic configuration. */
function createWorker(given: ReturnType<typeof createHub>) {
  const line = createLine(given);
  const told: string[] = [];
  const environments = new Map<string, string>();
  const shortfalls: unknown[] = [];
  const source = createSharedAnnouncements(line.channel)({
    key: "rel-1",
    upstream: { stream: "https://s.example" } as never,
    ...outside,
    random: Math.random,
    sink: {
      apply(got) {
        for (const [name, given] of got.environments) {
          environments.delete(name);
          if (given !== undefined) environments.set(name, given.sdkKey);
        }
        shortfalls.push(...got.broken.values());
        told.push(`${[...got.environments.keys()]} ${got.isWhole}${got.problems.map((one) => ` ${one}`)}`);
      },
      interrupted: (kind, message) => void told.push(`${kind} ${message}`),
      refused: (message) => void told.push(`refused ${message}`),
    },
  });
  return { ...line, told, environments, shortfalls, source };
}

/** A worker whose environments and flags come out of a file. */
function createReader(given: ReturnType<typeof createHub>) {
  const line = createLine(given);
  const told: string[] = [];
  const known = new Map<string, string>();
  createSharedContents(line.channel)({
    file: "flags.json",
    checkMs: 100,
    maxBytes: 1000,
    keys: { sdkKey: "k" },
    ...outside,
    sink: {
      async apply({ environments, flags }) {
        for (const [name, { items }] of flags) known.set(name, items.map(({ json }) => json).join());
        for (const [name, one] of environments) if (one === undefined) known.delete(name);
        told.push(`${[...environments.keys()]} flags ${[...flags.keys()]}`);
        if (flags.has("unusable")) throw new Error("cannot be used");
      },
      interrupted: (kind, message) => void told.push(`${kind} ${message}`),
    },
  });
  return { ...line, told, known };
}

/** A reading of a file. */
const reading = (
  environments: Record<string, AnnouncedOptions | undefined>,
  flags: Record<string, number>,
): OfflineChange => {
  const itemsOf = (version: number) => [parseItem("flags", "a", JSON.stringify({ key: "a", version }))];
  const changes = Object.entries(flags).map(
    ([name, version]) => [name, { extent: "full", items: itemsOf(version) }] as const,
  );
  return { ...change(environments), flags: new Map(changes) };
};

test("workers hear what is announced, of one source; one that comes later has all of it, in the order of announcement", async () => {
  const given = createHub();
  const first = createWorker(given);
  await first.carry();
  given.sink().apply(change({ a: options("a"), b: options("b"), c: options("c") }));
  await first.carry();
  given.sink().apply(change({ a: options("a2"), b: undefined }));
  await first.carry();
  const second = createWorker(given);
  await second.carry();
  expect(given.sinks).toHaveLength(1);
  expect([...second.environments]).toEqual([...first.environments]);
  expect([...second.environments]).toEqual([
    ["c", "c"],
    ["a", "a2"],
  ]);
  expect([first.told, second.told]).toEqual([["a,b,c true", "a,b true"], ["c,a true"]]);
});

test("a worker that is busy is told once what came meanwhile, and a trouble only if it lasts", async () => {
  const given = createHub();
  const worker = createWorker(given);
  await worker.carry();
  given.sink().apply(change({ a: options("a") }, { isWhole: false }));
  given.sink().interrupted("NETWORK_ERROR", "gone");
  given.sink().apply(change({ b: options("b") }, { problems: ["x is broken"] }));
  given.sink().apply(change({ b: undefined, c: options("c") }, { problems: ["x is broken"] }));
  given.sink().refused("no such key");
  await worker.carry();
  expect(worker.told).toEqual(["a false", "c,b true x is broken", "refused no such key"]);
  const late = createWorker(given);
  await late.carry();
  expect(late.told).toEqual(["a,c true", "refused no such key"]);
});

test("a message that changes nothing tells that upstream is back", async () => {
  const given = createHub();
  const worker = createWorker(given);
  await worker.carry();
  given.sink().interrupted("NETWORK_ERROR", "gone");
  await worker.carry();
  given.sink().apply(change({}));
  await worker.carry();
  expect(worker.told).toEqual(["NETWORK_ERROR gone", " true"]);
});

test("what cannot be used is the same object as long as it is the same", async () => {
  const given = createHub();
  const worker = createWorker(given);
  await worker.carry();
  const broken = (envId: string, problem: string) =>
    new Map([["a", { wanted: { envId }, error: new RelayError("malformed_data", problem) }]]);
  for (const [envId, problem] of [
    ["a", "no version"],
    ["a", "no version"],
    ["a", "no key"],
    ["b", "no key"],
  ] as const) {
    given.sink().apply(change({}, { broken: broken(envId, problem) }));
    await worker.carry();
  }
  const [first, second, third, fourth] = worker.shortfalls;
  expect(first).toMatchObject({ wanted: { envId: "a" }, error: { problems: ["no version"] } });
  expect([second === first, third === first, fourth === third]).toEqual([true, false, false]);
});

test("a worker has heard what a file has only when it was taken", async () => {
  const sent: FromWorker["type"][] = [];
  const takers: ((message: ToWorker) => void)[] = [];
  let taken = () => {};
  createSharedContents({
    send: ({ type }) => void sent.push(type),
    listen(take) {
      takers.push(take);
      return () => {};
    },
  })({
    ...{ ...outside, file: "f", checkMs: 1, maxBytes: 1, keys: true },
    sink: {
      apply: () =>
        new Promise<void>((resolve) => {
          taken = resolve;
        }),
      interrupted: () => expect.unreachable(),
    },
  } as never);
  for (const take of takers)
    take({ type: "announced", change: { ...change({}), broken: [], flags: new Map() }, trouble: undefined });
  await new Promise(setImmediate);
  expect(sent).toEqual(["hear"]);
  taken();
  await new Promise(setImmediate);
  expect(sent).toEqual(["hear", "heard"]);
});

test("one that is gone is told nothing, and the last does not end what is known", async () => {
  const given = createHub();
  const worker = createWorker(given);
  await worker.carry();
  given.sink().apply(change({ a: options("a") }));
  worker.detach();
  worker.source.close();
  given.sink().apply(change({ b: options("b") }));
  await worker.carry();
  expect([worker.told, worker.takers.hub.size, worker.takers.worker.size]).toEqual([[], 0, 0]);
  const next = createWorker(given);
  await next.carry();
  expect([next.told, given.sinks.length, given.closed()]).toEqual([["a,b true"], 1, 0]);
  given.hub.close();
  expect(given.closed()).toBe(1);
});

test("one that is gone is sent nothing more, also when it was told everything before", async () => {
  const given = createHub();
  const worker = createWorker(given);
  await worker.carry();
  given.sink().apply(change({ a: options("a") }));
  await worker.carry();
  worker.detach();
  given.sink().apply(change({ b: options("b") }));
  given.sink().interrupted("NETWORK_ERROR", "gone");
  await worker.carry();
  expect(worker.told).toEqual(["a true"]);
});

test("a file is read once; one that comes later, or is busy, has the flags that there are then", async () => {
  const given = createHub();
  const first = createReader(given);
  await first.carry();
  const { sink, ...asked } = given.files[0] as OfflineContext;
  expect(asked).toMatchObject({
    ...{ file: "flags.json", checkMs: 100, maxBytes: 1000 },
    keys: { sdkKey: "k" },
  });
  await sink.apply(reading({ a: options("a"), b: options("b") }, { a: 1, b: 1 }));
  await sink.apply(reading({ b: undefined }, { a: 2 }));
  await sink.apply(reading({ c: options("c") }, { c: 1 }));
  await first.carry();
  expect(first.told).toEqual(["a,b flags a,b", "c,b flags a,c"]);
  const second = createReader(given);
  await second.carry();
  expect(second.told).toEqual(["a,c flags a,c"]);
  expect([...second.known]).toEqual([...first.known]);
  expect([...second.known]).toEqual([
    ["a", '{"key":"a","version":2}'],
    ["c", '{"key":"a","version":1}'],
  ]);
  expect(given.files).toHaveLength(1);
});

test("a file that cannot be used is told to those that come later, until it can be used as it was", async () => {
  const given = createHub();
  const first = createReader(given);
  await first.carry();
  const { sink } = given.files[0] as OfflineContext;
  await sink.apply(reading({ a: options("a") }, { a: 1 }));
  sink.interrupted("INVALID_DATA", "line 3");
  await first.carry();
  const second = createReader(given);
  await second.carry();
  await sink.apply(reading({}, {}));
  await first.carry();
  await second.carry();
  const third = createReader(given);
  await third.carry();
  expect(first.told).toEqual(["a flags a", "INVALID_DATA line 3", " flags "]);
  expect(second.told).toEqual(["a flags a", "INVALID_DATA line 3", " flags "]);
  expect(third.told).toEqual(["a flags a"]);
  await sink.apply(reading({ unusable: options("u") }, { unusable: 1 }));
  await third.carry();
  expect(third.told.slice(1)).toEqual(["unusable flags unusable", "INVALID_DATA cannot be used"]);
  await sink.apply(reading({ unusable: undefined }, {}));
  await third.carry();
  expect(third.told.slice(3)).toEqual(["unusable flags "]);
});

test("what is wrong with a file has a kind, also where nobody has told one", async () => {
  const reader = createReader(createHub());
  for (const trouble of [{ message: "gone" }, { kind: "INVALID_DATA" as const, message: "line 3" }])
    for (const take of reader.takers.worker)
      take({ type: "announced", change: undefined, trouble: { kind: undefined, ...trouble } });
  await expect.poll(() => reader.told).toEqual(["UNKNOWN gone", "INVALID_DATA line 3"]);
});
