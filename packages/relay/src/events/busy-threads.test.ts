import { describe, expect, test } from "vitest";
import { keepThreadsBusy } from "../../test/busy-threads.js";
import { publisherBefore } from "../../test/publisher-before.js";
import { createLanes } from "../lanes.js";
import { silentLogger } from "../logger.js";
import { createManualClock } from "../testing/manual-clock.js";
import { DiagnosticForwarder } from "./diagnostic-forwarder.js";
import { EventBudget } from "./event-budget.js";
import { halvesOf, payloadFrom } from "./payload.js";

const metadata = { schema: 4, tags: "", origin: "verbatim", key: "sdk-1" };
const capacity = { count: 100, bytes: 1_000_000 };
const large = Buffer.from(JSON.stringify("x".repeat(20_000)));
const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
};
const post = (until: AbortSignal, ...batches: readonly Buffer[]) =>
  payloadFrom(
    { metadata, name: "4", budget: new EventBudget(capacity, () => {}), batches, count: 2, cost: 1 },
    until,
  );

describe("while the host keeps all threads of the process busy", () => {
  test("what is being compressed is given up at the deadline, and sent by nobody afterwards", async () => {
    const { publisher, counted, budget } = publisherBefore(
      { request: () => expect.unreachable() },
      { capacity, requestTimeoutMs: 1000 },
    );
    const release = keepThreadsBusy();
    for (const tags of ["a", "b"]) publisher.add({ ...metadata, tags }, { bytes: large, count: 3 });
    const flushed = publisher.flush();
    await turns();
    expect(await publisher.close(Promise.resolve())).toBe(6);
    await flushed;
    await release();
    await turns();
    expect([counted, budget.room]).toEqual([{ events_dropped: 6 }, capacity]);
  });

  test("what is being divided is given up", async () => {
    const controller = new AbortController();
    const payload = await post(controller.signal, Buffer.from("1"), Buffer.from("2"));
    keepThreadsBusy();
    const halves = halvesOf(payload, 0, controller.signal);
    await turns();
    controller.abort(new Error("no time"));
    await expect(halves).rejects.toThrow("no time");
  });

  test("others wait until what was given up is through, and are compressed then", async () => {
    const controller = new AbortController();
    const release = keepThreadsBusy();
    const given = Array.from({ length: 4 }, () => post(controller.signal, large));
    await turns();
    controller.abort(new Error("no time"));
    for (const one of await Promise.allSettled(given)) expect(one.status).toBe("rejected");
    const last = post(new AbortController().signal, large);
    await release();
    expect((await last).count).toBe(2);
  });

  test("a diagnostic is given up at the deadline, and counted", async () => {
    const counted: [string, number][] = [];
    const budget = new EventBudget(capacity, () => {});
    const clock = createManualClock();
    const diagnostics = new DiagnosticForwarder(
      {
        logger: silentLogger,
        clock,
        upstream: {
          events: "http://upstream",
          eventLanes: createLanes(64),
          requestTimeoutMs: 1000,
          dispatcher: { request: () => expect.unreachable() },
        },
        later: (ms, run) => clock.schedule(ms, run),
        countEvents: (name, count) => void counted.push([name, count]),
        queuedEvents() {},
      },
      1000,
      () => "http://upstream/diagnostic",
      budget,
    );
    keepThreadsBusy();
    diagnostics.forward(Buffer.from("{}"), {});
    await turns();
    expect(await diagnostics.close(Promise.resolve())).toBe(1);
    expect([counted, budget.room]).toEqual([[["events_dropped", 1]], capacity]);
  });
});
