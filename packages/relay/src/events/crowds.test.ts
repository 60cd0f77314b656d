import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { closeUntilEnd, publisherBefore } from "../../test/publisher-before.js";

const never = new Promise<void>(() => {});

/** A publisher before an upstream that answers each post when the test says so, unless it is cut off before. */
function setUp(room = 10_000) {
  const capacity = { count: room, bytes: 10_000_000 };
  /** What each post carried. */
  const posted: string[] = [];
  const open: ((status: number) => void)[] = [];
  const request = async ({ body = "", signal }: { body?: Buffer | string; signal?: AbortSignal }) => {
    posted.push(JSON.parse(gunzipSync(body).toString()).join());
    const statusCode = await new Promise<number>((resolve, reject) => {
      open.push(resolve);
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
    return { statusCode, headers: {}, body: Readable.from([]) };
  };
  const { publisher, clock, budget, told, counted } = publisherBefore(
    { request },
    { capacity, requestTimeoutMs: 3_600_000 },
  );
  const add = (tags: string, ...sent: readonly string[]) =>
    publisher.add(
      { schema: 4, tags, origin: "verbatim", key: "sdk-1" },
      { bytes: Buffer.from(sent.map((one) => JSON.stringify(one)).join()), count: sent.length },
    );
  const until = async (enough: () => boolean) => {
    while (!enough()) await new Promise(setImmediate);
  };
  return {
    ...{ publisher, clock, told, counted, posted, add, until },
    held: () => capacity.count - budget.room.count,
    /** Adds so many posts of one event that cannot be merged. */
    crowd: (count: number) => {
      for (let n = 0; n < count; n++) add(`odd ${n}`, `odd ${n}`);
    },
    /** Lets upstream answer until something is done, all but those that were there first. */
    async answerUntil(done: () => boolean, status = 202, kept = 0) {
      while (!done()) {
        for (const answer of open.splice(kept)) answer(status);
        // Attempts are made once more after a pause of no time.
        clock.advance(0);
        await new Promise(setImmediate);
      }
    },
  };
}

/** Tells whether something is through. */
function watch(promise: Promise<unknown>): () => boolean {
  let isThrough = false;
  void promise.then(() => {
    isThrough = true;
  });
  return () => isThrough;
}

test.each([
  { who: "with tags that are known and one event", before: 2, tags: "shop", sent: ["page"] },
  { who: "without tags and one event", before: 0, tags: "", sent: ["page"] },
  { who: "with new tags and two events", before: 0, tags: "shop", sent: ["page", "page"] },
])("a page $who goes before a crowd that came before it", async ({ before, tags, sent }) => {
  const { publisher, posted, held, add, crowd, until, answerUntil } = setUp();
  for (let times = 0; times < before; times++) {
    add(tags, "before");
    await answerUntil(watch(publisher.flush()));
  }
  posted.splice(0);
  crowd(1000);
  add(tags, ...sent);
  const flushed = watch(publisher.flush());
  await until(() => posted.length === 8);
  expect(posted).toContain(sent.join());
  await answerUntil(flushed);
  expect([posted.length, held()]).toEqual([1001, 0]);
});

test.each([
  { who: "with tags that are known", before: 2, tags: "shop", kept: 25 },
  { who: "without tags", before: 0, tags: "", kept: 25 },
  { who: "with new tags", before: 1, tags: "shop", kept: 0 },
])("of a page $who $kept events find room when a crowd has filled what it may", async (page) => {
  const { publisher, counted, held, add, crowd, answerUntil } = setUp(100);
  for (let times = 0; times < page.before; times++) {
    add(page.tags, "before");
    await answerUntil(watch(publisher.flush()));
  }
  crowd(80);
  expect([held(), counted.events_dropped]).toEqual([75, 5]);
  for (let n = 0; n < 30; n++) add(page.tags, "page");
  expect([held(), counted.events_dropped]).toEqual([75 + page.kept, 35 - page.kept]);
});

test.each([202, 404, 413])(
  "there is room again for a crowd whose posts upstream answered with %i",
  async (status) => {
    const { publisher, held, add, crowd, answerUntil } = setUp(100);
    for (let n = 0; n < 30; n++) add("large", "odd");
    crowd(80);
    expect(held()).toBe(75);
    await answerUntil(watch(publisher.flush()), status);
    expect(held()).toBe(0);
    crowd(80);
    expect(held()).toBe(75);
    await publisher.close(Promise.resolve());
    expect(held()).toBe(0);
  },
);

test("what comes while a crowd is being sent goes with the next flush, when it is due", async () => {
  const { clock, posted, counted, held, add, crowd, until, answerUntil } = setUp();
  crowd(1000);
  clock.advance(5000);
  await until(() => posted.length === 8);
  for (const event of ["one", "two"]) add("shop", event);
  clock.advance(5000);
  // What is added now is merged with what waits of the crowd.
  add("odd 999", "odd");
  await answerUntil(() => posted.includes("one,two"));
  // A hundred are sent in any case.
  expect(posted.indexOf("one,two")).toBeGreaterThanOrEqual(100);
  expect(posted.indexOf("one,two")).toBeLessThan(500);
  await answerUntil(() => held() === 0);
  expect([counted.events_delivered, posted.length]).toEqual([1003, 1001]);
  expect(posted).toContain("odd 999,odd");
});

test("a flush goes on to its end when no other is due", async () => {
  const { publisher, clock, posted, crowd, answerUntil } = setUp();
  crowd(1000);
  // The one that was scheduled is this one.
  clock.advance(5000);
  await answerUntil(watch(publisher.flush()));
  expect(posted).toHaveLength(1000);
});

test("what is only known when a flush begins goes with the next one, also when it was due while another began", async () => {
  const { publisher, clock, posted, crowd, add, until, answerUntil } = setUp();
  let counted = 0;
  publisher.beforeFlush = () => {
    for (; counted > 0; counted--) add("", "summary");
  };
  crowd(20);
  clock.advance(5000);
  await until(() => posted.length === 8);
  counted = 1;
  publisher.scheduleFlush();
  clock.advance(5000);
  await answerUntil(() => posted.includes("summary"));
  expect(posted).toHaveLength(21);
});

test("late posts that a flush leaves go with the next one, before what came after them under their name", async () => {
  const { publisher, clock, posted, counted, held, add, crowd, until, answerUntil } = setUp();
  crowd(300);
  await answerUntil(watch(publisher.flush()), 429);
  expect(held()).toBe(300);
  posted.splice(0);
  clock.advance(5000);
  await until(() => posted.length === 8);
  add("odd 250", "new");
  clock.advance(5000);
  await answerUntil(() => held() === 0);
  const at = posted.indexOf("odd 250");
  // It was among those that were left.
  expect(at).toBeGreaterThanOrEqual(100);
  expect(posted.indexOf("new")).toBeGreaterThan(at);
  expect([posted.length, counted.events_delivered]).toEqual([301, 301]);
});

test("at the end a page goes before what is left of a crowd, and all is sent as long as there is time", async () => {
  const { publisher, clock, told, posted, counted, held, add, crowd, until, answerUntil } = setUp();
  for (const event of ["first", "second"]) {
    add("shop", event);
    await answerUntil(watch(publisher.flush()));
  }
  posted.splice(0);
  crowd(1000);
  clock.advance(5000);
  await until(() => posted.length === 8);
  add("shop", "page");
  const closing = publisher.close(never);
  await answerUntil(() => held() < 1001);
  await until(() => posted.includes("page"));
  expect(posted.indexOf("page")).toBeLessThan(24);
  await answerUntil(watch(closing));
  expect([await closing, posted.length, held(), told]).toEqual([0, 1001, 0, []]);
  expect(counted.events_delivered).toBe(1003);
});

test("at the deadline nothing more is begun, and what is left is counted at once", async () => {
  const { publisher, told, posted, counted, held, crowd, until } = setUp();
  crowd(5000);
  const { closed: closing, end } = closeUntilEnd(publisher);
  await until(() => posted.length === 8);
  end();
  expect(await closing).toBe(5000);
  expect([posted.length, held(), told]).toEqual([8, 0, []]);
  // It is counted once.
  expect(await publisher.close(Promise.resolve())).toBe(0);
  expect(counted).toEqual({ events_dropped: 5000, event_posts_failed: 8 });
});

test("parts that wait for others at the deadline are counted with them", async () => {
  const { publisher, posted, held, add, until, answerUntil } = setUp();
  add("", ...Array.from({ length: 64 }, (_, n) => `${n}`));
  void publisher.flush();
  await until(() => posted.length === 1);
  const { closed: closing, end } = closeUntilEnd(publisher);
  // Halves and their halves, until more of them wait than are sent at a time.
  await answerUntil(() => posted.length === 1 + 2 + 4 + 8 + 8, 413);
  end();
  expect([await closing, held()]).toEqual([64, 0]);
});

test.each([
  { status: 404, lines: ["dropping 1"] },
  { status: 429, lines: ["trying once more", "keeping 1 for the next flush"] },
])("that $status is the answer to each of a crowd is told once a minute", async ({ status, lines }) => {
  const { publisher, clock, told, add, crowd, answerUntil } = setUp();
  crowd(200);
  await answerUntil(watch(publisher.flush()), status);
  const line = (end: string) => `events: upstream answered ${status}; ${end}`;
  expect(told).toEqual(lines.map(line));
  told.splice(0);
  add("odd", "odd");
  clock.advance(60_000);
  await answerUntil(watch(publisher.flush()), status);
  expect(told).toEqual(lines.map((end) => `${line(end)} (199 more before)`));
});

test("a post that hangs holds back nothing that comes after it", async () => {
  const { publisher, clock, posted, counted, add, until, answerUntil } = setUp();
  add("slow", "hanging");
  clock.advance(5000);
  await until(() => posted.length === 1);
  for (const page of ["first", "second", "third"]) {
    add("", page);
    clock.advance(5000);
    await answerUntil(() => posted.includes(page), 202, 1);
  }
  await answerUntil(() => counted.events_delivered === 3, 202, 1);
  expect(posted).toEqual(["hanging", "first", "second", "third"]);
  const flushed = publisher.flush();
  await answerUntil(watch(flushed));
  await answerUntil(() => counted.events_delivered === 4);
});

test("what is not taken at the end is tried again beside a post that hangs", async () => {
  const { publisher, posted, counted, add, until, answerUntil } = setUp();
  add("slow", "hanging");
  void publisher.flush();
  await until(() => posted.length === 1);
  add("", "page");
  const { closed, end } = closeUntilEnd(publisher);
  // Both attempts of a flush, and then some.
  await answerUntil(() => posted.length > 6, 503, 1);
  await answerUntil(() => counted.events_delivered === 1, 202, 1);
  end();
  expect(await closed).toBe(1);
  expect(new Set(posted)).toEqual(new Set(["hanging", "page"]));
});

test("at the end one post that hangs holds back none of those that wait for the same flush", async () => {
  const { publisher, posted, counted, crowd, until, answerUntil } = setUp();
  crowd(40);
  void publisher.flush();
  await until(() => posted.length === 8);
  const { closed, end } = closeUntilEnd(publisher);
  // The first one is never answered.
  await answerUntil(() => counted.events_delivered === 39, 202, 1);
  end();
  expect(await closed).toBe(1);
});
