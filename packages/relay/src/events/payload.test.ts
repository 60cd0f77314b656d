import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { EventBudget } from "./event-budget.js";
import { halvesOf, type Payload, payloadFrom } from "./payload.js";

const metadata = { schema: 4, tags: "", origin: "verbatim", key: undefined };
const name = "4";
const budget = new EventBudget({ count: 9, bytes: 999 }, () => {});
const { signal } = new AbortController();
const textOf = ({ body }: Payload) => gunzipSync(body).toString();

test("what was collected in several batches is one array", async () => {
  const batches = ['{"a":1},{"b":2}', '{"c":3}'].map((text) => Buffer.from(text));
  const payload = await payloadFrom({ metadata, name, budget, batches, count: 3, cost: 70 }, signal);
  expect(textOf(payload)).toBe('[{"a":1},{"b":2},{"c":3}]');
  expect(payload).toMatchObject({ metadata, name, count: 3, cost: 70, doubts: 0 });
  const other = await payloadFrom({ metadata, name, budget, batches, count: 3, cost: 70 }, signal);
  expect(other.id).not.toBe(payload.id);
});

test("two posts have all events of one, and together take what it has taken, each as a post of its own", async () => {
  const batches = ['{"a":[1,2]} , {"b":"]"}', '{"c":3}'].map((text) => Buffer.from(text));
  const payload = {
    ...(await payloadFrom({ metadata, name, budget, batches, count: 3, cost: 71 }, signal)),
    takenBefore: 5,
  };
  const halves = await halvesOf(payload, 8, signal);
  expect(halves.map((half) => JSON.parse(textOf(half)))).toEqual([[{ a: [1, 2] }], [{ b: "]" }, { c: 3 }]]);
  expect(halves.map(({ count, cost, doubts }) => [count, cost, doubts])).toEqual([
    [1, 35, 8],
    [2, 36, 8],
  ]);
  for (const half of halves) expect(half.budget).toBe(budget);
  expect(new Set([payload, ...halves].map(({ id }) => id)).size).toBe(3);
  // When that one has failed says nothing of them.
  for (const half of halves) expect(half).not.toHaveProperty("takenBefore");
});

test("what waits to be compressed does so no longer than until the signal is aborted", async () => {
  const large = [Buffer.from(JSON.stringify(Array.from({ length: 400_000 }, (_, n) => n)).slice(1, -1))];
  const controller = new AbortController();
  const payloads = Array.from({ length: 20 }, () =>
    payloadFrom({ metadata, name, budget, batches: large, count: 1, cost: 1 }, controller.signal),
  );
  const first = await Promise.race(payloads);
  controller.abort(new Error("no time"));
  const ends = await Promise.allSettled(payloads);
  expect(first.body.length).toBeGreaterThan(100_000);
  const given = ends.filter(({ status }) => status === "rejected");
  // Those that had begun are ready.
  expect(given.length).toBeGreaterThanOrEqual(8);
  expect(given[0]).toMatchObject({ reason: new Error("no time") });
});

test("a post that waits to be divided does so no longer than until the signal is aborted", async () => {
  const batches = [Buffer.from("1,2")];
  const payload = await payloadFrom({ metadata, name, budget, batches, count: 2, cost: 1 }, signal);
  await expect(halvesOf(payload, 0, AbortSignal.abort(new Error("no time")))).rejects.toThrow("no time");
  const halves = await halvesOf(payload, 0, signal);
  expect(halves.map(textOf)).toEqual(["[1]", "[2]"]);
});

test.each([8191, 8192, 8193])("a post of %d bytes has all that was collected", async (length) => {
  const batches = [Buffer.from("1"), Buffer.from(JSON.stringify("x".repeat(length - 6)))];
  const payload = await payloadFrom({ metadata, name, budget, batches, count: 2, cost: 1 }, signal);
  expect(textOf(payload)).toBe(`[${batches.join()}]`);
  expect(textOf(payload)).toHaveLength(length);
});

test("of large posts no more than four are put together at a time, of small ones each at once", async () => {
  const joining = vi.spyOn(Buffer, "concat");
  onTestFinished(() => joining.mockRestore());
  const begunOf = async (length: number) => {
    const batches = [Buffer.from(JSON.stringify("x".repeat(length - 4)))];
    joining.mockClear();
    const payloads = Array.from({ length: 10 }, () =>
      payloadFrom({ metadata, name, budget, batches, count: 1, cost: 1 }, new AbortController().signal),
    );
    const begun = joining.mock.calls.filter(([pieces]) => pieces.includes(batches[0] as Buffer)).length;
    expect((await Promise.all(payloads)).map(textOf)).toEqual(Array(10).fill(`[${batches[0]}]`));
    return begun;
  };
  expect(await begunOf(8191)).toBe(10);
  // Others of this process may be on their way.
  expect(await begunOf(8192)).toBeLessThanOrEqual(4);
});
