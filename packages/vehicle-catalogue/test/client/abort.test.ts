import { getEventListeners } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { VehicleClientFetch } from "../../src/client/index.js";
import type { Listening } from "../server/listening.js";
import { clientOf, collect } from "./client-of.js";
import { FakeClock } from "./fake-clock.js";
import { answer, cars, documentOf, scriptedServer } from "./scripted-server.js";

let server: Listening | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Reasons of every kind, also such as are no errors: they must come out as they went in. */
const reasons = [new Error("enough"), "a text", { a: 1 }, new DOMException("gone", "AbortError")];

describe("abort ends a call with the reason of its signal", () => {
  for (const reason of reasons) {
    test(`before it begins, without a request: ${String(reason)}`, async () => {
      const signal = AbortSignal.abort(reason);
      const { client } = clientOf("http://127.0.0.1:9", {
        fetch: () => Promise.reject(new Error("must not be called")),
      });
      const calls = [
        () => client.page({ signal }),
        () => client.page({ signal, filter: { id: [] } }),
        () => client.search("x", { signal }),
        () => client.byId("x", { signal }),
        () => client.brands({ signal }),
        () => collect(client.vehicles({ signal })),
        () => collect(client.vehicles({ signal, filter: { id: ["1"] } })),
        () => collect(client.pages({ signal })),
        () => collect(client.pages({ signal, filter: { manufacturerId: [] } })),
      ];
      for (const call of calls) await expect(call()).rejects.toBe(reason);
    });
  }

  test("without a reason of its own: the platform's", async () => {
    await expect(clientOf("http://127.0.0.1:9").client.page({ signal: AbortSignal.abort() })).rejects.toThrow(
      expect.objectContaining({ name: "AbortError" }),
    );
  });

  test("while waiting for the response, and the connection is dropped", async () => {
    const controller = new AbortController();
    let closed = (): void => {};
    const dropped = new Promise<void>((resolve) => {
      closed = resolve;
    });
    server = await scriptedServer((request) => {
      request.socket.on("close", closed);
      controller.abort(reasons[0]);
    });
    const { client, clock } = clientOf(server.origin);
    await expect(client.page({ signal: controller.signal })).rejects.toBe(reasons[0]);
    await dropped;
    expect(clock.pending).toBe(0);
  });

  test("while reading the body, and the connection is dropped", async () => {
    const controller = new AbortController();
    let closed = (): void => {};
    const dropped = new Promise<void>((resolve) => {
      closed = resolve;
    });
    server = await scriptedServer((request, response) => {
      request.socket.on("close", closed);
      response.writeHead(200);
      response.write('{"data":[', () => setImmediate(() => controller.abort(reasons[1])));
    });
    await expect(clientOf(server.origin).client.page({ signal: controller.signal })).rejects.toBe(reasons[1]);
    await dropped;
  });

  test("while waiting to try again", async () => {
    const controller = new AbortController();
    server = await scriptedServer((_, response) => answer(response, {}, { status: 503 }));
    const clock = new FakeClock();
    const { client } = clientOf(server.origin, {
      clock: { now: () => clock.now(), random: () => 0.5, after: (ms, run) => clock.after(ms + 1e9, run) },
      hooks: { retry: () => setImmediate(() => controller.abort(reasons[2])) },
    });
    await expect(client.page({ signal: controller.signal })).rejects.toBe(reasons[2]);
    expect(clock.pending).toBe(0);
  });

  test("between two pages, and between two vehicles of one page", async () => {
    server = await scriptedServer((_, response, index) =>
      answer(response, documentOf(cars(index * 2, 2), 9)),
    );
    for (const [stopAt, requests] of [
      [2, 1],
      [3, 2],
    ] as const) {
      const controller = new AbortController();
      const urls: string[] = [];
      const { client } = clientOf(server.origin, { hooks: { request: ({ url }) => void urls.push(url) } });
      const seen: string[] = [];
      const reading = async (): Promise<void> => {
        for await (const { id } of client.vehicles({ signal: controller.signal })) {
          seen.push(id);
          if (seen.length === stopAt) controller.abort(reasons[3]);
        }
      };
      await expect(reading()).rejects.toBe(reasons[3]);
      expect([seen.length, urls.length]).toEqual([stopAt, requests]);
    }
  });

  test("also when fetch heeds no signal, at every point", async () => {
    const deaf: VehicleClientFetch[] = [
      () => new Promise(() => {}),
      async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) })),
    ];
    for (const fetch of deaf) {
      const controller = new AbortController();
      const given: (AbortSignal | null | undefined)[] = [];
      const { client } = clientOf("http://127.0.0.1:9", {
        fetch(url, init) {
          given.push(init.signal);
          return fetch(url, init);
        },
      });
      const call = client.page({ signal: controller.signal });
      setImmediate(() => controller.abort(reasons[0]));
      await expect(call).rejects.toBe(reasons[0]);
      expect(given.map((signal) => signal?.reason)).toEqual([reasons[0]]);
    }
  });

  test("also in a hook, before anything that could heed the signal", async () => {
    const deaf: VehicleClientFetch = async () =>
      new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    const goesOn = (): void => {};
    const throws = (): never => {
      throw new Error("the host's own");
    };
    for (const hook of ["request", "response"]) {
      for (const then of [goesOn, throws]) {
        const controller = new AbortController();
        const abort = (): void => {
          controller.abort(reasons[0]);
          then();
        };
        const { client } = clientOf("http://127.0.0.1:9", { fetch: deaf, hooks: { [hook]: abort } });
        await expect(client.page({ signal: controller.signal })).rejects.toBe(reasons[0]);
      }
    }
  });

  test("one call does not disturb the others, and no listener stays on a signal that lives on", async () => {
    server = await scriptedServer((_, response, index) => {
      if (index === 0) answer(response, "", { status: 503 });
      else answer(response, documentOf(cars(0, 1)));
    });
    const { client, retries } = clientOf(server.origin);
    const { signal } = new AbortController();
    const aborted = expect(client.page({ signal: AbortSignal.abort(reasons[0]) })).rejects.toBe(reasons[0]);
    expect(await collect(client.vehicles({ signal }))).toHaveLength(1);
    await aborted;
    expect(retries).toHaveLength(1);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("however many calls wait for one signal, it has one listener, and ends them all", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let most = 0;
    const { client } = clientOf("http://127.0.0.1:9", {
      fetch: () => {
        most = Math.max(most, getEventListeners(signal, "abort").length);
        return new Promise(() => {});
      },
    });
    const calls = Array.from({ length: 40 }, () => client.page({ signal }));
    await vi.waitFor(() => expect(most).toBe(1));
    controller.abort(reasons[0]);
    for (const call of calls) await expect(call).rejects.toBe(reasons[0]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("leaving a loop early ends the requests", async () => {
    let requests = 0;
    server = await scriptedServer((_, response, index) => {
      requests++;
      answer(response, documentOf(cars(index * 100, 100), 1000));
    });
    const { client } = clientOf(server.origin);
    for await (const vehicle of client.vehicles()) {
      if (vehicle.id === "car-150") break;
    }
    expect(requests).toBe(2);
  });
});
