import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createLanes } from "../lanes.js";
import { silentLogger } from "../logger.js";
import type { UpstreamAnswer, UpstreamRequest } from "../options/resolved-sections.js";
import { createManualClock } from "../testing/manual-clock.js";
import { DiagnosticForwarder } from "./diagnostic-forwarder.js";
import { EventBudget, entryBytes } from "./event-budget.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const never = new Promise<void>(() => {});
const capacity = { count: 100, bytes: 100_000 };

/** A post that upstream has got, to be answered by the test. */
interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  answer(statusCode: number): void;
}

function setUp(room: Partial<typeof capacity> = {}) {
  const clock = createManualClock();
  const warnings: string[] = [];
  const posts: Post[] = [];
  let dropped = 0;
  const port = {
    logger: { ...silentLogger, warn: (message: string) => void warnings.push(message) },
    clock,
    upstream: {
      events: "http://upstream",
      eventLanes: createLanes(64),
      requestTimeoutMs: 300_000,
      dispatcher: {
        request: ({ origin, path, headers, body = Buffer.alloc(0), signal }: UpstreamRequest) =>
          new Promise<UpstreamAnswer>((resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
            posts.push({
              url: origin + path,
              headers,
              body: gunzipSync(body).toString(),
              answer: (statusCode) => resolve({ statusCode, headers: {}, body: Readable.from([]) }),
            });
          }),
      },
    },
    later: (ms: number, run: () => void) => clock.schedule(ms, run),
    countEvents: (name: string, count: number) => {
      expect(name).toBe("events_dropped");
      dropped += count;
    },
    queuedEvents() {},
  };
  const budget = new EventBudget({ ...capacity, ...room }, () => {});
  let url = "http://upstream/diagnostic";
  const diagnostics = new DiagnosticForwarder(port, 1000, () => url, budget);
  return {
    diagnostics,
    clock,
    posts,
    budget,
    warnings,
    dropped: () => dropped,
    moveTo: (next: string) => {
      url = next;
    },
    forward: (text: string, headers: Record<string, string> = {}) =>
      diagnostics.forward(Buffer.from(text), headers),
  };
}

test("a diagnostic goes on as it came, with the headers of the SDK but those of its connection and of its former body", async () => {
  const { forward, posts, budget } = setUp();
  const own = { authorization: "sdk-1", "user-agent": "Go/1", "x-launchdarkly-tags": "a", accept: "*/*" };
  const others = [
    ..."connection cookie content-encoding content-length content-type expect host keep-alive".split(" "),
    ..."proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade :path".split(" "),
  ];
  forward('{"kind":"diagnostic"}', { ...own, ...Object.fromEntries(others.map((name) => [name, "x"])) });
  await expect.poll(() => posts.length).toBe(1);
  const [post] = posts;
  expect(post).toMatchObject({ url: "http://upstream/diagnostic", body: '{"kind":"diagnostic"}' });
  expect(post?.headers).toEqual({
    ...own,
    "content-type": "application/json",
    "content-encoding": "gzip",
  });
  post?.answer(202);
  await expect.poll(() => budget.room).toEqual(capacity);
});

test("four are on their way at a time, to where they were to go when they came", async () => {
  const { forward, posts, moveTo, dropped } = setUp();
  for (let n = 0; n < 5; n++) forward(`${n}`);
  moveTo("http://upstream/elsewhere");
  await expect.poll(() => posts.length).toBe(4);
  for (let turns = 0; turns < 5; turns++) await turn();
  expect(posts).toHaveLength(4);
  posts[0]?.answer(202);
  await expect.poll(() => posts.length).toBe(5);
  expect(posts.map(({ url }) => url)).toEqual(Array(5).fill("http://upstream/diagnostic"));
  for (const post of posts) post.answer(202);
  expect(dropped()).toBe(0);
});

test("what may work later is tried once more after a pause, and what fails then is dropped and told of", async () => {
  const { forward, posts, clock, budget, warnings, dropped } = setUp();
  forward("a");
  await expect.poll(() => posts.length).toBe(1);
  posts[0]?.answer(503);
  await expect.poll(() => clock.pending).toBe(1);
  clock.advance(999);
  expect(clock.pending).toBe(1);
  clock.advance(1);
  await expect.poll(() => posts.length).toBe(2);
  expect([dropped(), budget.room.count]).toEqual([0, 99]);
  posts[1]?.answer(500);
  await expect.poll(() => budget.room).toEqual(capacity);
  expect([posts.length, dropped(), warnings]).toEqual([
    2,
    1,
    ["diagnostic event: upstream answered 500; dropping it"],
  ]);
});

test("what upstream refuses is dropped at once", async () => {
  const { forward, posts, clock, budget, warnings, dropped } = setUp();
  forward("a");
  await expect.poll(() => posts.length).toBe(1);
  posts[0]?.answer(401);
  await expect.poll(() => budget.room).toEqual(capacity);
  expect([posts.length, dropped(), clock.pending, warnings]).toEqual([
    1,
    1,
    0,
    ["diagnostic event: upstream answered 401; dropping it"],
  ]);
});

test("headers cost what they hold, and what does not fit is dropped and counted", async () => {
  // The name takes a byte for each character, the value two.
  const cost = 5 + entryBytes + 6 + 2 * 10;
  for (const bytes of [cost, cost - 1]) {
    const { forward, posts, dropped, budget } = setUp({ bytes });
    forward("12345", { accept: "x".repeat(10) });
    expect(budget.room.bytes).toBe(bytes === cost ? 0 : bytes);
    expect(dropped()).toBe(bytes === cost ? 0 : 1);
    await turn();
    for (const post of posts) post.answer(202);
  }
});

test("the end does not wait for a pause, but for an answer until the deadline", async () => {
  const { forward, diagnostics, posts, clock, budget, dropped } = setUp();
  forward("a");
  await expect.poll(() => posts.length).toBe(1);
  posts[0]?.answer(503);
  await expect.poll(() => clock.pending).toBe(1);
  const closed = diagnostics.close(never);
  await expect.poll(() => posts.length).toBe(2);
  posts[1]?.answer(202);
  expect(await closed).toBe(0);
  expect([clock.pending, dropped(), budget.room]).toEqual([0, 0, capacity]);
  const late = setUp();
  for (let n = 0; n < 6; n++) late.forward("b");
  await expect.poll(() => late.posts.length).toBe(4);
  late.posts[0]?.answer(401);
  await expect.poll(() => late.posts.length).toBe(5);
  // What upstream has refused was no matter of time.
  expect(await late.diagnostics.close(Promise.resolve())).toBe(5);
  // Nothing is tried again when there is no time, and what has waited for a connection is not tried at all.
  expect([late.posts.length, late.dropped(), late.clock.pending, late.budget.room]).toEqual([
    5,
    6,
    0,
    capacity,
  ]);
  expect(late.warnings).toEqual(["diagnostic event: upstream answered 401; dropping it"]);
});
