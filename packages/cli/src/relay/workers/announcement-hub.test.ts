import {
  type AnnouncedChange,
  type AnnouncedOptions,
  type AnnouncementSink,
  RelayError,
  systemClock,
} from "@wye/relay";
import { expect, test } from "vitest";
import { AnnouncementHub } from "./announcement-hub.js";
import type { FromWorker, ToWorker } from "./messages.js";
import { createSharedAnnouncements } from "./shared-announcements.js";

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
  let closed = 0;
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const hub = new AnnouncementHub({
    start({ sink }) {
      sinks.push(sink);
      return { close: () => void closed++ };
    },
    dispatcher: { request: () => Promise.reject(new Error("nobody asks")) } as never,
    logger: silent,
    clock: systemClock,
  });
  return { hub, sinks, sink: () => sinks[0] as AnnouncementSink, closed: () => closed };
}

/** A worker; what each side says arrives when the test carries it over, as copies. */
function createWorker({ hub }: ReturnType<typeof createHub>) {
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
  const told: string[] = [];
  const environments = new Map<string, string>();
  const shortfalls: unknown[] = [];
  const source = createSharedAnnouncements({
    send: (message) => void fromWorker.push(message),
    listen: listen(takers.worker),
  })({
    key: "rel-1",
    upstream: { stream: "https://s.example" } as never,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    clock: systemClock,
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
  const carry = () => {
    while (toWorker.length + fromWorker.length > 0) {
      for (const message of fromWorker.splice(0))
        for (const take of [...takers.hub]) take(structuredClone(message));
      for (const message of toWorker.splice(0))
        for (const take of [...takers.worker]) take(structuredClone(message));
    }
  };
  return { told, environments, shortfalls, carry, detach, source, fromWorker, takers };
}

test("workers hear what is announced, of one source; one that comes later has all of it, in the order of announcement", () => {
  const given = createHub();
  const first = createWorker(given);
  first.carry();
  given.sink().apply(change({ a: options("a"), b: options("b"), c: options("c") }));
  first.carry();
  given.sink().apply(change({ a: options("a2"), b: undefined }));
  first.carry();
  const second = createWorker(given);
  second.carry();
  expect(given.sinks).toHaveLength(1);
  expect([...second.environments]).toEqual([...first.environments]);
  expect([...second.environments]).toEqual([
    ["c", "c"],
    ["a", "a2"],
  ]);
  expect([first.told, second.told]).toEqual([["a,b,c true", "a,b true"], ["c,a true"]]);
});

test("a worker that is busy is told once what came meanwhile, and a trouble only if it lasts", () => {
  const given = createHub();
  const worker = createWorker(given);
  worker.carry();
  given.sink().apply(change({ a: options("a") }, { isWhole: false }));
  given.sink().interrupted("NETWORK_ERROR", "gone");
  given.sink().apply(change({ b: options("b") }, { problems: ["x is broken"] }));
  given.sink().apply(change({ b: undefined, c: options("c") }, { problems: ["x is broken"] }));
  given.sink().refused("no such key");
  worker.carry();
  expect(worker.told).toEqual(["a false", "c,b true x is broken", "refused no such key"]);
  const late = createWorker(given);
  late.carry();
  expect(late.told).toEqual(["a,c true", "refused no such key"]);
});

test("a message that changes nothing tells that upstream is back", () => {
  const given = createHub();
  const worker = createWorker(given);
  worker.carry();
  given.sink().interrupted("NETWORK_ERROR", "gone");
  worker.carry();
  given.sink().apply(change({}));
  worker.carry();
  expect(worker.told).toEqual(["NETWORK_ERROR gone", " true"]);
});

test("what cannot be used is the same object as long as it is the same", () => {
  const given = createHub();
  const worker = createWorker(given);
  worker.carry();
  const broken = (problem: string) =>
    new Map([["a", { wanted: { envId: "a" }, error: new RelayError("malformed_data", problem) }]]);
  for (const problem of ["no version", "no version", "no key"]) {
    given.sink().apply(change({}, { broken: broken(problem) }));
    worker.carry();
  }
  const [first, second, third] = worker.shortfalls;
  expect(first).toMatchObject({ wanted: { envId: "a" }, error: { problems: ["no version"] } });
  expect([second === first, third === first]).toEqual([true, false]);
});

test("one that is gone is told nothing, and the last does not end what is known", () => {
  const given = createHub();
  const worker = createWorker(given);
  worker.carry();
  given.sink().apply(change({ a: options("a") }));
  worker.detach();
  worker.source.close();
  given.sink().apply(change({ b: options("b") }));
  worker.carry();
  expect([worker.told, worker.takers.hub.size, worker.takers.worker.size]).toEqual([[], 0, 0]);
  const next = createWorker(given);
  next.carry();
  expect([next.told, given.sinks.length, given.closed()]).toEqual([["a,b true"], 1, 0]);
  given.hub.close();
  expect(given.closed()).toBe(1);
});
