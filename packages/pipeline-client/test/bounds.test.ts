import { describe, expect, test } from "vitest";
import { poll } from "../src/follow/poll.js";
import { readBody } from "../src/http/read-body.js";
import { createPipelineClient, PipelineClientError } from "../src/index.js";
import { SkippingClock } from "./skipping-clock.js";

describe("lists of several pages", () => {
  const client = (pages: number, maxPages: number) => {
    let asked = 0;
    const { runs } = createPipelineClient({
      host: "http://kfp.example",
      maxPages,
      clock: new SkippingClock(),
      fetch: async () => {
        asked++;
        const more = asked < pages ? { next_page_token: `t${asked}` } : {};
        const body = JSON.stringify({ runs: [{ run_id: `r${asked}` }], ...more });
        return new Response(body, { headers: { "content-type": "application/json" } });
      },
    });
    return { runs, asked: () => asked };
  };
  const idsOf = async (runs: ReturnType<typeof client>["runs"]) => {
    const ids: string[] = [];
    for await (const { runId } of runs.list()) ids.push(runId);
    return ids;
  };

  test("may have as many as `maxPages`", async () => {
    const { runs, asked } = client(3, 3);
    expect([await idsOf(runs), asked()]).toEqual([["r1", "r2", "r3"], 3]);
  });

  test("that have more are not asked for any further", async () => {
    const { runs, asked } = client(4, 3);
    await expect(idsOf(runs)).rejects.toMatchObject({ code: "invalid_response" });
    expect(asked()).toBe(3);
  });
});

test("what a server asks for once is heeded once", async () => {
  const clock = new SkippingClock();
  const busy = new PipelineClientError("busy", { code: "rate_limited", retryAfterMs: 9000 });
  const answers = [busy, 1, 2, 3];
  const ask = async () => {
    const answer = answers.shift();
    if (typeof answer === "number") return answer;
    throw answer;
  };
  const polled = poll({ what: "x", ask }, { minPollMs: 1000, maxPollMs: 1000 }, { clock, timeoutMs: 1000 });
  for (const value of [1, 2, 3]) expect(await polled.next(true)).toMatchObject({ value });
  expect(clock.waits).toEqual([9000, 1000, 1000]);
});

describe("the connection of a body", () => {
  /** A body of parts of ten bytes, and whether it was let go. */
  const bodyOf = (end: "goes on" | "breaks off" | "ends") => {
    let parts = 0;
    const left = { is: false };
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (parts++ < 3) controller.enqueue(new Uint8Array(10));
        else if (end === "breaks off") controller.error(new Error("reset"));
        else if (end === "ends") controller.close();
      },
      cancel() {
        left.is = true;
      },
    });
    return { response: new Response(stream), left };
  };

  test.each([
    ["goes on", 29, false],
    ["ends", 30, true],
  ] as const)(
    "of 30 bytes that %s is read to its end or let go where %i may be read",
    async (end, maxBytes, isWhole) => {
      const { response, left } = bodyOf(end);
      const { bytes, problem } = await readBody(response, maxBytes, new AbortController().signal);
      expect([bytes.length === 30, problem === undefined]).toEqual([isWhole, isWhole]);
      await expect.poll(() => left.is).toBe(!isWhole);
    },
  );

  test("is let go when nobody waits any more", async () => {
    const { response, left } = bodyOf("goes on");
    const controller = new AbortController();
    const reading = readBody(response, 100, controller.signal);
    controller.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
    await expect.poll(() => left.is).toBe(true);
  });

  test("that breaks off gives what has come", async () => {
    const { response } = bodyOf("breaks off");
    const { bytes, problem } = await readBody(response, 100, new AbortController().signal);
    expect([bytes.length, problem]).toEqual([30, "it was broken off"]);
  });
});

test.each([
  [29, 29, "it has more than 29 bytes"],
  [30, 30, undefined],
])("of a body of 30 bytes that has no reader %i may be read", async (maxBytes, read, problem) => {
  // A `fetch` of the host gives what it likes.
  const body = { body: { pipe: () => {} }, arrayBuffer: async () => new ArrayBuffer(30) };
  const response = body as unknown as Response;
  const found = await readBody(response, maxBytes, new AbortController().signal);
  expect([found.bytes.length, found.problem]).toEqual([read, problem]);
});
