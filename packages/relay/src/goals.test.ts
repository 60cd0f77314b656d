import { Readable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { Goals, noGoals } from "./goals.js";
import { silentLogger } from "./logger.js";
import type { UpstreamAnswer } from "./options/resolved-sections.js";
import { createManualClock } from "./testing/manual-clock.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The goals of an environment before an upstream that answers when the test says so. */
function setUp() {
  const warnings: string[] = [];
  const asked: {
    readonly path: string;
    answer(body: string | Buffer, headers?: object, status?: number): void;
  }[] = [];
  const dispatcher = {
    request: ({ path }: { readonly path: string }) =>
      new Promise<UpstreamAnswer>((resolve) => {
        asked.push({
          path,
          answer: (body, headers = {}, statusCode = 200) =>
            resolve({ statusCode, headers: { ...headers }, body: Readable.from([Buffer.from(body)]) }),
        });
      }),
  };
  const goals = new Goals({
    logger: { ...silentLogger, warn: (message) => void warnings.push(message) },
    clock: createManualClock(),
    upstream: { app: "http://upstream", dispatcher, requestTimeoutMs: 300_000 },
    envId: () => "id",
  });
  onTestFinished(() => goals.close());
  return { goals, asked, warnings };
}

const largest = 10 * 1024 * 1024;

test("goals may take ten mebibytes, to the byte", async () => {
  for (const size of [largest, largest + 1]) {
    const { goals, asked, warnings } = setUp();
    const answer = goals.get("", {});
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.answer(Buffer.alloc(size));
    expect((await answer)?.body.length).toBe(size === largest ? size : undefined);
    expect(warnings).toEqual(size === largest ? [] : [`goals: the answer is larger than ${largest} bytes`]);
  }
});

test("sixteen addresses are asked for at a time, and what all pages ask for does not wait behind them", async () => {
  const complaints: string[] = [];
  const complain = ({ name }: Error) => void complaints.push(name);
  process.on("warning", complain);
  onTestFinished(() => void process.off("warning", complain));
  const { goals, asked } = setUp();
  const searches = Array.from({ length: 40 }, (_, n) => `?n=${n}`);
  const answers = searches.map((search) => goals.get(search, {}));
  const common = goals.get("", {});
  await expect.poll(() => asked.length).toBe(17);
  await turn();
  expect(asked.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["/sdk/goals/id", ...searches.slice(0, 16).map((one) => `/sdk/goals/id${one}`)]),
  );
  expect(asked).toHaveLength(17);
  for (let answered = 0; answered < 41; answered++) {
    while (asked.length <= answered) await turn();
    asked[answered]?.answer(asked[answered]?.path ?? "");
  }
  const bodies = await Promise.all([...answers, common].map(async (one) => String((await one)?.body)));
  expect(bodies).toEqual([...searches, ""].map((search) => `/sdk/goals/id${search}`));
  await turn();
  // Such as of too many listeners.
  expect(complaints).toEqual([]);
});

test("who waits when it is closed gets what is kept, or nothing, and that is no reason to complain", async () => {
  const { goals, asked, warnings } = setUp();
  const first = goals.get("", {});
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.answer("[1]", { etag: '"a"' });
  await first;
  const waiting = [goals.get("", {}), goals.get("?n=1", {})];
  await expect.poll(() => asked.length).toBe(3);
  goals.close();
  const [kept, none] = await Promise.all(waiting);
  expect([String(kept?.body), kept?.fromCache, none]).toEqual(["[1]", true, undefined]);
  expect(warnings).toEqual([]);
});

test("what upstream says has not changed is what was kept, and known to be", async () => {
  const { goals, asked } = setUp();
  const first = goals.get("", {});
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.answer("[1]", { etag: '"a"' });
  expect((await first)?.fromCache).toBe(false);
  for (let times = 2; times < 4; times++) {
    const again = goals.get("", {});
    await expect.poll(() => asked.length).toBe(times);
    asked[times - 1]?.answer("", {}, 304);
    const answer = await again;
    expect([answer?.status, String(answer?.body), answer?.fromCache]).toEqual([200, "[1]", true]);
  }
});

test("what a page is told for itself is its answer, also when it is one for nobody else", async () => {
  const { goals, asked } = setUp();
  const first = goals.get("", {});
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.answer("[1]", { etag: '"a"' });
  await first;
  const again = goals.get("", {});
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer("[2]", { vary: "*" });
  expect(String((await again)?.body)).toBe("[2]");
  expect(asked).toHaveLength(2);
});

test.each(["", "?n=1"])(
  "upstream has the time of two requests to answer, and no more: %j",
  async (search) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { goals, asked, warnings } = setUp();
    let isOver = false;
    const answer = goals.get(search, {}).finally(() => {
      isOver = true;
    });
    while (asked.length === 0) await turn();
    vi.advanceTimersByTime(599_999);
    await turn();
    expect(isOver).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await answer).toBeUndefined();
    expect(warnings).toEqual(["goals: no answer within 600000 ms"]);
  },
);

test("who waits behind sixteen others waits no longer than they do", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { goals, asked } = setUp();
  const answers = Array.from({ length: 17 }, (_, n) => goals.get(`?n=${n}`, {}));
  while (asked.length < 16) await turn();
  vi.advanceTimersByTime(600_000);
  expect(await Promise.all(answers)).toEqual(Array(17).fill(undefined));
});

test("without upstream there are no goals, which is an answer in JSON", async () => {
  const asked = { accept: "application/json" };
  expect(await noGoals.get("", asked)).toEqual({
    status: 200,
    headers: { "content-type": "application/json" },
    body: Buffer.from("[]"),
    asked,
    fromCache: false,
  });
});
