import { afterEach, describe, expect, test } from "vitest";
import type { VehicleClientHooks } from "../../src/client/index.js";
import type { Listening } from "../server/listening.js";
import { clientOf } from "./client-of.js";
import { FakeClock } from "./fake-clock.js";
import { answer, cars, documentOf, scriptedServer } from "./scripted-server.js";

let server: Listening;
afterEach(() => server.close());

const names = ["request", "response", "retry"] as const;

async function callWith(hooks: VehicleClientHooks, signal?: AbortSignal): Promise<unknown> {
  server = await scriptedServer((_, response, index) => {
    if (index === 0) answer(response, "", { status: 503 });
    else answer(response, documentOf(cars(0, 1)));
  });
  const clock = new FakeClock();
  // Whoever waits finds the clock moved on.
  const after: FakeClock["after"] = (ms, then) => {
    const cancel = clock.after(ms, then);
    queueMicrotask(() => ms < 1000 && clock.advance(ms));
    return cancel;
  };
  const fast = { now: () => clock.now(), random: () => 0.5, after };
  const { client } = clientOf(server.origin, { hooks, clock: fast });
  return client.page(signal === undefined ? {} : { signal });
}

test("the hook response is told the request id that the server gave, without the key", async () => {
  server = await scriptedServer((_, response) =>
    answer(response, documentOf([]), { headers: { "x-request-id": "r-17" } }),
  );
  const told: unknown[] = [];
  const { client } = clientOf(server.origin, {
    hooks: { response: ({ requestId }) => void told.push(requestId) },
  });
  await client.page();
  expect(told).toEqual(["r-17"]);
});

describe.each(names)("the hook %s", (name) => {
  const boom = new Error("the host's own");

  test.each([
    [
      "throws",
      () => {
        throw boom;
      },
    ],
    [
      "rejects",
      async () => {
        throw boom;
      },
    ],
  ])("ends the call where it %s", async (_, hook) => {
    await expect(callWith({ [name]: hook })).rejects.toBe(boom);
  });

  test("is waited for where it gives a promise", async () => {
    let isOver = false;
    const hook = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      isOver = true;
    };
    await callWith({ [name]: hook });
    expect(isOver).toBe(true);
  });

  test("holds back no abort", async () => {
    const controller = new AbortController();
    const hook = (): Promise<never> => {
      setImmediate(() => controller.abort(boom));
      return new Promise(() => {});
    };
    await expect(callWith({ [name]: hook }, controller.signal)).rejects.toBe(boom);
  });
});

test("where a hook takes all of the time none is left for another attempt", async () => {
  server = await scriptedServer((_, response) => answer(response, "", { status: 503 }));
  const clock = new FakeClock();
  const after: FakeClock["after"] = (ms, then) => {
    const cancel = clock.after(ms, then);
    queueMicrotask(() => ms < 1000 && clock.advance(ms));
    return cancel;
  };
  const retry = () => {
    clock.time += 3_600_000;
  };
  const late = { now: () => clock.now(), random: () => 0.5, after };
  const { client } = clientOf(server.origin, { hooks: { retry }, clock: late });
  await expect(client.page()).rejects.toMatchObject({
    ...{ code: "timeout", attempts: 2 },
    message: expect.stringContaining("no complete answer within 0 ms"),
  });
});
