import { getEventListeners } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { answer, serverOf } from "./scripted-server.js";

const id = "0c2a1f5e-6f0d-4c38-9a55-4f5f0b8f8d61";
const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

/** What the process is warned of meanwhile. */
function warnings(): readonly Error[] {
  const heard: Error[] = [];
  const hear = (warning: Error) => heard.push(warning);
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  return heard;
}

/** Resolves when the condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("one signal for a whole program", () => {
  test("may be given to many calls at once, and has no listener when they are done", async () => {
    const heard = warnings();
    const { url } = await serverOf((_, response) => answer(response, { run_id: id }));
    const client = createPipelineClient({ host: url });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 30 }, () => client.runs.get({ id }, { signal })));
    await new Promise((resolve) => setImmediate(resolve));
    expect([listeners(signal), heard]).toEqual([0, []]);
  });

  test("ends all of them", async () => {
    const { url, requests } = await serverOf(() => {});
    const client = createPipelineClient({ host: url });
    const user = new AbortController();
    const calls = Array.from({ length: 5 }, () => client.runs.get({ id }, { signal: user.signal }));
    const settled = Promise.allSettled(calls);
    await until(() => requests.length === 5);
    user.abort(new Error("enough"));
    const reasons = (await settled).map((one) => one.status === "rejected" && one.reason.message);
    expect([reasons, listeners(user.signal)]).toEqual([Array.from({ length: 5 }, () => "enough"), 0]);
  });

  test.each([
    ["two questions of a wait", 200, "wait"],
    ["two attempts of a call", 503, "get"],
  ] as const)("has no listener after an abort between %s", async (_, status, call) => {
    const { url, requests } = await serverOf((_, response) =>
      answer(response, { run_id: id, state: "RUNNING" }, status),
    );
    let isPausing = false;
    const clock = {
      now: () => Date.now(),
      random: () => 1,
      after: (ms: number, then: () => void) => {
        // A pause, and no limit of time.
        isPausing ||= requests.length > 0 && ms > 3000 && ms < 9000;
        const timer = setTimeout(then, ms);
        return () => clearTimeout(timer);
      },
    };
    const client = createPipelineClient({ host: url, clock, retry: { baseDelayMs: 5000 } });
    const user = new AbortController();
    const { signal } = user;
    const options = call === "wait" ? { signal, minPollMs: 5000 } : { signal };
    const ended = client.runs[call]({ id }, options).then(
      () => "done",
      (error: Error) => error.name,
    );
    await until(() => isPausing);
    user.abort();
    expect([await ended, listeners(signal)]).toEqual(["AbortError", 0]);
  });
});

test.each([
  ["in time", 0],
  ["for longer than may be waited", 1000],
])("a wait whose `onUpdate` writes %s leaves no timer behind", async (_, tookMs) => {
  const open = new Set<object>();
  const waits: number[] = [];
  let time = 0;
  const after = (ms: number, then: () => void) => {
    const timer = setTimeout(then, ms);
    waits.push(ms);
    open.add(timer);
    return () => {
      clearTimeout(timer);
      open.delete(timer);
    };
  };
  const client = createPipelineClient({
    ...{ host: "http://kfp.example", clock: { now: () => time, random: () => 1, after } },
    fetch: async () => Response.json({ run_id: id, state: "SUCCEEDED" }),
  });
  const onUpdate = async () => {
    time += tookMs;
  };
  await client.runs.wait({ id }, { onUpdate, maxWaitMs: 500 });
  expect([open.size, waits.filter((ms) => ms < 0)]).toEqual([0, []]);
});
