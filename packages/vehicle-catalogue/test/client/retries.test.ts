import { afterEach, describe, expect, test, vi } from "vitest";
import type { VehicleClientOptions } from "../../src/client/index.js";
import type { Listening } from "../server/listening.js";
import { clientOf, collect, errorOf } from "./client-of.js";
import { FakeClock } from "./fake-clock.js";
import { answer, cars, documentOf, type Scripted, scriptedServer } from "./scripted-server.js";

let server: Listening;
afterEach(() => server.close());

const errors = { errors: [{ status: "503", code: "X", title: "busy" }] };
const now = new FakeClock().time;
const httpDate = (ms: number): string => new Date(ms).toUTCString();

/** Fails `failures` times with these headers, then answers. */
function failingServer(
  failures: number,
  headers: Record<string, string> = {},
  status = 503,
): Promise<Scripted> {
  return scriptedServer((_, response, index) => {
    // Node sends the time of this machine; these tests have a time of their own.
    response.sendDate = false;
    if (index < failures) answer(response, errors, { status, headers });
    else answer(response, documentOf(cars(0, 1)));
  });
}

describe("back-off", () => {
  const ceilings = [300, 600, 1200, 2400, 4800, 9600, 19_200, 20_000, 20_000];
  for (const chance of [0, 0.25, 0.999]) {
    test(`is full jitter: with the chance ${chance}, that share of a ceiling that doubles up to maxDelayMs`, async () => {
      server = await failingServer(99);
      const { client, retries, clock } = clientOf(server.origin, {
        retry: { limit: 9 },
        deadlineMs: Number.POSITIVE_INFINITY,
      });
      clock.chance = chance;
      expect(await errorOf(client.page())).toMatchObject({ code: "server_error", attempts: 10 });
      expect(retries.map(({ delayMs }) => delayMs)).toEqual(ceilings.map((ceiling) => ceiling * chance));
      expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(retries.map(({ error }) => error.attempts)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(clock.pending).toBe(0);
    });
  }

  const policies: [VehicleClientOptions["retry"], attempts: number, delays: number[]][] = [
    [undefined, 4, [150, 300, 600]],
    [{}, 4, [150, 300, 600]],
    [{ limit: 1, baseDelayMs: 10 }, 2, [5]],
    [{ limit: 2, baseDelayMs: 1000, maxDelayMs: 1000 }, 3, [500, 500]],
    [{ limit: 0 }, 1, []],
    [false, 1, []],
  ];
  for (const [retry, attempts, delays] of policies) {
    test(`with retry: ${JSON.stringify(retry)} there are ${attempts} attempts`, async () => {
      server = await failingServer(99);
      const { client, retries } = clientOf(server.origin, { retry });
      expect((await errorOf(client.page())).attempts).toBe(attempts);
      expect(retries.map(({ delayMs }) => delayMs)).toEqual(delays);
    });
  }

  test("ends with the first answer, and each page of an iteration has attempts of its own", async () => {
    server = await scriptedServer((request, response, index) => {
      if (index % 3 !== 2) answer(response, errors, { status: 502 });
      else answer(response, documentOf(cars(request.url?.includes("number%5D=2") ? 2 : 0, 2), 4));
    });
    const { client, retries } = clientOf(server.origin, { retry: { limit: 2 } });
    expect(await collect(client.vehicles())).toHaveLength(4);
    expect(retries).toHaveLength(4);
  });
});

describe("Retry-After", () => {
  const cases: { name: string; headers: Record<string, string>; waits: number | "not" }[] = [
    { name: "seconds", headers: { "retry-after": "7" }, waits: 7000 },
    { name: "seconds up to the longest wait", headers: { "retry-after": "20" }, waits: 20_000 },
    { name: "no seconds: back-off", headers: { "retry-after": "0" }, waits: 150 },
    { name: "more than the longest wait", headers: { "retry-after": "21" }, waits: "not" },
    { name: "more than any number", headers: { "retry-after": "9".repeat(400) }, waits: "not" },
    { name: "a date", headers: { "retry-after": httpDate(now + 9000) }, waits: 9000 },
    { name: "a date too far away", headers: { "retry-after": httpDate(now + 3_600_000) }, waits: "not" },
    { name: "a date that is over: back-off", headers: { "retry-after": httpDate(now - 9000) }, waits: 150 },
    {
      name: "a date by the server's own clock",
      headers: { date: httpDate(now - 86_400_000), "retry-after": httpDate(now - 86_400_000 + 4000) },
      waits: 4000,
    },
    {
      name: "a date in the form of RFC 850",
      headers: { "retry-after": "Saturday, 21-Nov-26 09:00:05 GMT" },
      waits: 5000,
    },
    {
      name: "a date in the form of asctime",
      headers: { "retry-after": "Sat Nov 21 09:00:06 2026" },
      waits: 6000,
    },
    { name: "nonsense: back-off", headers: { "retry-after": "soon" }, waits: 150 },
    { name: "nothing: back-off", headers: { "retry-after": "" }, waits: 150 },
    { name: "a fraction: back-off", headers: { "retry-after": "1.5" }, waits: 150 },
    { name: "a sign: back-off", headers: { "retry-after": "-5" }, waits: 150 },
  ];
  for (const status of [429, 503]) {
    for (const { name, headers, waits } of cases) {
      test(`${status}: ${name}`, async () => {
        server = await failingServer(1, headers, status);
        const { client, retries } = clientOf(server.origin);
        const outcome = await client.page().then(
          () => retries.map(({ delayMs }) => delayMs),
          (error) => ["failed", error.code, error.attempts],
        );
        const code = status === 429 ? "rate_limited" : "server_error";
        expect(outcome).toEqual(waits === "not" ? ["failed", code, 1] : [waits]);
      });
    }
  }

  const told = [
    { name: "of an hour", value: "3600", retryAfterMs: 3_600_000 },
    { name: "of no seconds", value: "0", retryAfterMs: 0 },
    { name: "until a second from now", value: httpDate(now + 1000), retryAfterMs: 1000 },
    { name: "until now", value: httpDate(now), retryAfterMs: 0 },
    { name: "until a second ago, which is none", value: httpDate(now - 1000), retryAfterMs: undefined },
  ];
  for (const { name, value, retryAfterMs } of told) {
    test(`a wait that is not waited for is told: one ${name}`, async () => {
      server = await failingServer(1, { "retry-after": value }, 429);
      const { client } = clientOf(server.origin, { retry: { limit: 0 } });
      const error = await errorOf(client.page());
      expect(error).toMatchObject({ code: "rate_limited", attempts: 1, retryable: true });
      expect(error.retryAfterMs).toBe(retryAfterMs);
    });
  }
});

describe("time", () => {
  /** Answers the head at once and the body never. */
  const silentServer = (): Promise<Scripted> =>
    scriptedServer((_, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("{");
    });

  /** Lets time pass whenever nothing else can happen. */
  async function whileTimePasses<Result>(
    clock: FakeClock,
    ms: number,
    call: Promise<Result>,
  ): Promise<Result> {
    let isDone = false;
    const done = call.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (!isDone) clock.advance(ms);
    }
    return done;
  }

  test("an attempt that takes longer than timeoutMs, body included, is a timeout, and there is another", async () => {
    server = await silentServer();
    const { client, clock, retries } = clientOf(server.origin, { timeoutMs: 1000, retry: { limit: 2 } });
    const error = await errorOf(whileTimePasses(clock, 1000, client.page()));
    expect(error).toMatchObject({ code: "timeout", attempts: 3, retryable: true, status: undefined });
    expect(retries.map((retry) => retry.error.code)).toEqual(["timeout", "timeout"]);
    expect(clock.pending).toBe(0);
  });

  const stalled = [
    { status: 503, retryAfter: "2", outcome: [2000] },
    { status: 429, retryAfter: "2", outcome: [2000] },
    { status: 429, retryAfter: "3600", outcome: { code: "rate_limited", retryAfterMs: 3_600_000 } },
    { status: 403, retryAfter: "5", outcome: { code: "forbidden", attempts: 1, retryable: false } },
    { status: 500, retryAfter: "", outcome: { code: "server_error", attempts: 1, retryable: false } },
  ];
  for (const { status, retryAfter, outcome } of stalled) {
    test(`of an answer ${status} whose body never ends the head counts: Retry-After "${retryAfter}"`, async () => {
      server = await scriptedServer((_, response, index) => {
        response.sendDate = false;
        if (index > 0) return answer(response, documentOf(cars(0, 1)));
        response.writeHead(status, { "retry-after": retryAfter, "content-length": 100 }).write("{");
      });
      const { client, clock, retries } = clientOf(server.origin, {
        timeoutMs: 1000,
        hooks: {
          response: (event) => void (event.status > 200 && queueMicrotask(() => clock.advance(1000))),
        },
      });
      const got = await client.page().then(
        () => retries.map(({ delayMs, error }) => [delayMs, error.status]),
        (error: unknown) => error,
      );
      const expected = Array.isArray(outcome) ? outcome.map((ms) => [ms, status]) : { ...outcome, status };
      expect(got).toMatchObject(expected);
      expect(clock.pending).toBe(0);
    });
  }

  test("a body that comes byte by byte does not hold an attempt open", async () => {
    server = await scriptedServer((_, response) => {
      const drip = setInterval(() => response.write(" "), 1);
      response.on("close", () => clearInterval(drip));
    });
    const { client, clock } = clientOf(server.origin, { timeoutMs: 500, retry: false });
    expect(await errorOf(whileTimePasses(clock, 100, client.page()))).toMatchObject({ code: "timeout" });
  });

  test("a server that accepts and says nothing is a timeout", async () => {
    server = await scriptedServer(() => {});
    const { client, clock } = clientOf(server.origin, { retry: false });
    expect(await errorOf(whileTimePasses(clock, 10_000, client.brands()))).toMatchObject({ code: "timeout" });
  });

  test("a call may have a timeout of its own", async () => {
    server = await scriptedServer(() => {});
    const { client, clock } = clientOf(server.origin, { retry: false });
    const error = await errorOf(whileTimePasses(clock, 50, client.page({ timeoutMs: 50 })));
    expect(error.message).toContain("within 50 ms");
  });

  test("no wait begins that would outlast deadlineMs", async () => {
    server = await failingServer(99, { "retry-after": "4" });
    const { client, clock, retries } = clientOf(server.origin, { deadlineMs: 10_000, retry: { limit: 9 } });
    const start = clock.time;
    const after = vi.spyOn(clock, "after");
    expect(await errorOf(client.page())).toMatchObject({ code: "server_error", attempts: 3 });
    expect(retries.map(({ delayMs }) => delayMs)).toEqual([4000, 4000]);
    // An attempt, and what was told that is waited for.
    expect(after.mock.calls.map(([ms]) => ms)).toEqual([10_000, 4000, 6000, 4000, 2000]);
    expect(clock.time - start).toBe(8000);
    expect((await errorOf(client.page({ deadlineMs: 4000 }))).attempts).toBe(1);
  });

  test("the last attempt has only the rest of the deadline", async () => {
    server = await silentServer();
    const { client, clock } = clientOf(server.origin, {
      timeoutMs: 700,
      deadlineMs: 1000,
      retry: { limit: 9 },
    });
    clock.chance = 0;
    const error = await errorOf(whileTimePasses(clock, 100, client.page()));
    expect(error).toMatchObject({ code: "timeout", attempts: 2 });
    expect(error.message).toContain("within 300 ms");
  });

  test("the deadline holds for one page() with many ids, and for each page of an iteration", async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `car-${index}`);
    const slow = (clock: FakeClock) => ({ request: () => clock.advance(400) });
    server = await scriptedServer((request, response) => {
      const { searchParams } = new URL(request.url!, "http://x");
      const asked = searchParams.get("filter[id]")?.split(",");
      const number = Number(searchParams.get("page[number]") ?? 1);
      if (asked) answer(response, documentOf(asked.map((id) => ({ type: "car", id }))));
      else answer(response, documentOf(cars(50 * (number - 1), 50), 250));
    });
    const clock = new FakeClock();
    const { client } = clientOf(server.origin, { clock, deadlineMs: 1000, retry: false, hooks: slow(clock) });
    expect(await collect(client.vehicles({ filter: { id: ids } }))).toHaveLength(250);
    expect(await errorOf(client.page({ filter: { id: ids } }))).toMatchObject({ code: "timeout" });
    expect(await collect(client.pages({ size: 50 }))).toHaveLength(5);
    expect(await collect(client.vehicles({ size: 50 }))).toHaveLength(250);
  });

  test("no timer is left when a call is over", async () => {
    server = await failingServer(1);
    const { client, clock } = clientOf(server.origin);
    await client.page();
    expect(clock.pending).toBe(0);
  });
});

describe("hooks", () => {
  test("see each step in order, with what it is about; their own time is not that of the server", async () => {
    server = await failingServer(1);
    const steps: unknown[] = [];
    const { client, clock } = clientOf(server.origin, {
      fetch(url, init) {
        clock.time += 20;
        return fetch(url, init);
      },
      hooks: {
        request(event) {
          steps.push(["request", event]);
          clock.time += 7;
        },
        response(event) {
          steps.push(["response", event]);
          clock.time += 7;
        },
        retry: ({ error, ...event }) => void steps.push(["retry", error.status, event]),
      },
    });
    await client.page();
    const url = `${server.origin}/v2/vehicles?page%5Bsize%5D=100`;
    expect(steps).toEqual([
      ["request", { url, attempt: 1 }],
      ["response", { url, attempt: 1, status: 503, durationMs: 20, requestId: undefined }],
      ["retry", 503, { url, attempt: 1, delayMs: 150 }],
      ["request", { url, attempt: 2 }],
      ["response", { url, attempt: 2, status: 200, durationMs: 20, requestId: undefined }],
    ]);
  });

  test("a hook that throws when the head is there gives the connection back", async () => {
    server = await scriptedServer((_, response) => {
      response.writeHead(200).write("{");
    });
    const thrown = new Error("the hook's own");
    const signals: (AbortSignal | null | undefined)[] = [];
    const { client } = clientOf(server.origin, {
      fetch(url, init) {
        signals.push(init.signal);
        return fetch(url, init);
      },
      hooks: {
        response: () => {
          throw thrown;
        },
      },
    });
    await expect(client.page()).rejects.toBe(thrown);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  for (const hook of ["request", "response", "retry"] as const) {
    test(`what a ${hook} hook throws ends the call as it is`, async () => {
      server = await failingServer(1);
      const thrown = new Error("the hook's own");
      const { client, clock } = clientOf(server.origin, {
        hooks: {
          [hook]: () => {
            throw thrown;
          },
        },
      });
      await expect(client.page()).rejects.toBe(thrown);
      expect(clock.pending).toBe(0);
    });
  }
});
