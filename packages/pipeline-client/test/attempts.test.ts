import { describe, expect, test } from "vitest";
import {
  createPipelineClient,
  type PipelineClientError,
  type PipelineClientOptions,
  type RetryEvent,
} from "../src/index.js";
import { SkippingClock } from "./skipping-clock.js";

type Reply = () => Response | Promise<Response>;
const busy =
  (headers: Record<string, string> = {}): Reply =>
  () =>
    Response.json({ code: 14, message: "busy" }, { status: 503, headers });
const ok: Reply = () => Response.json({});
const lost: Reply = () => {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
};
const refusedConnection: Reply = () => {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) });
};

/** What comes of one request, answered with these in turn and then always with the last. */
async function asked(
  replies: readonly Reply[],
  options: Partial<PipelineClientOptions> = {},
  method: "GET" | "POST" | "DELETE" = "GET",
) {
  const clock = new SkippingClock();
  const sent: RequestInit[] = [];
  const events: RetryEvent[] = [];
  const client = createPipelineClient({
    ...{ host: "http://kfp.example", clock, onRetry: (event) => events.push(event) },
    fetch: async (_, init) => {
      sent.push(init);
      const reply = replies[Math.min(sent.length, replies.length) - 1] ?? ok;
      return reply();
    },
    ...options,
  });
  const outcome = await client.request({ path: "/x", method }).then(
    ({ status }) => status,
    (error: PipelineClientError) => error,
  );
  return { outcome, sent, events, waits: clock.waits, clock };
}

describe("the waits between two attempts", () => {
  test("grow twofold from half a second on, by chance", async () => {
    const { waits, outcome, sent } = await asked([busy()]);
    expect([waits, sent.length]).toEqual([[250, 500, 1000, 2000], 5]);
    expect(outcome).toMatchObject({
      ...{ code: "server_error", status: 503, attempts: 5, retryable: true },
      message: expect.stringContaining("busy (503, GET http://kfp.example/x, 5 attempts)"),
    });
  });

  test("are as long as they may be, and as many", async () => {
    const retry = { limit: 3, baseDelayMs: 1000, maxDelayMs: 1500 };
    expect((await asked([busy()], { retry })).waits).toEqual([500, 750, 750]);
    expect((await asked([busy()], { retry: { limit: 0 } })).sent).toHaveLength(1);
    expect((await asked([busy()], { retry: false })).sent).toHaveLength(1);
  });

  test("are what a server asks for where that is longer, up to a limit", async () => {
    const retry = { limit: 1, maxDelayMs: 20_000 };
    for (const [seconds, waits] of [
      ["20", [20_000]],
      ["21", []],
      ["0", [250]],
    ] as const)
      expect((await asked([busy({ "retry-after": seconds }), ok], { retry })).waits).toEqual(waits);
    const { outcome } = await asked([busy({ "retry-after": "21" })], { retry });
    expect(outcome).toMatchObject({ retryAfterMs: 21_000, attempts: 1, retryable: true });
  });

  test("are none where no time is left after them", async () => {
    const waited = async (deadlineMs: number) =>
      (await asked([busy()], { deadlineMs })).events.map(({ delayMs }) => delayMs);
    expect([await waited(250), await waited(251), await waited(750), await waited(751)]).toEqual([
      ...[[], [250], [250], [250, 500]],
    ]);
  });

  test("are told before, with what has failed", async () => {
    const { events } = await asked([busy(), lost, ok]);
    expect(
      events.map(({ request, attempt, delayMs, error }) => [request, attempt, delayMs, error.code]),
    ).toEqual([
      ["GET http://kfp.example/x", 1, 250, "server_error"],
      ["GET http://kfp.example/x", 2, 500, "network"],
    ]);
    expect(events[1]?.error.message).toContain("no answer: reset (GET http://kfp.example/x, 2 attempts)");
  });
});

describe("what may not be done twice", () => {
  test.each<readonly [what: string, reply: Reply, times: number, remedy: string | undefined]>([
    [
      "is not sent again where it may have been done",
      lost,
      1,
      "it may have been done all the same: look before you do it again",
    ],
    [
      "is not sent again where a gateway has failed",
      busy(),
      1,
      "it may have been done all the same: look before you do it again",
    ],
    ["is sent again where nobody was there", refusedConnection, 5, undefined],
    [
      "is sent again where there were too many",
      () => new Response(null, { status: 429 }),
      5,
      "ask less often",
    ],
    ["is not sent again where it is refused", () => new Response(null, { status: 400 }), 1, undefined],
  ])("%s", async (_, reply, times, remedy) => {
    const { sent, outcome } = await asked([reply], {}, "POST");
    expect([sent.length, (outcome as PipelineClientError).remedy]).toEqual([times, remedy]);
  });
});

describe("a request goes with", () => {
  test("what says who asks, and what may come back", async () => {
    const { sent } = await asked([ok], {
      ...{ headers: { "X-A": "b", accept: "text/plain" }, cookies: "omit" },
      auth: { token: " t\n", cookie: "c=d", headers: { "X-User": "me" } },
    });
    expect(sent).toEqual([
      {
        method: "GET",
        headers: {
          ...{ accept: "text/plain", "x-a": "b", "x-user": "me", authorization: "Bearer t", cookie: "c=d" },
        },
        ...{ redirect: "manual", credentials: "omit", signal: expect.any(AbortSignal) },
      },
    ]);
  });

  test("nothing of what is empty, or of what nobody gives", async () => {
    for (const auth of [{}, { token: "", cookie: "" }, { token: " \n" }, { token: () => undefined }]) {
      const { sent } = await asked([ok], { auth });
      expect(sent[0]?.headers).toEqual({ accept: "application/json" });
      expect(sent[0]?.credentials).toBe("same-origin");
    }
  });

  test("what functions give, which are told whether it was refused before", async () => {
    const renewals: boolean[] = [];
    const auth = {
      token: ({ isRenewal }: { readonly isRenewal: boolean }) => {
        renewals.push(isRenewal);
        return Promise.resolve(`t${renewals.length}`);
      },
      headers: () => ({ "X-User": "me" }),
    };
    const unauthenticated: Reply = () => new Response(null, { status: 401 });
    const { sent, outcome, waits } = await asked(
      [unauthenticated, busy(), unauthenticated, ok],
      { auth },
      "GET",
    );
    expect(outcome).toBe(200);
    expect(renewals).toEqual([false, true, false, true]);
    expect(sent.map(({ headers }) => Object(headers).authorization)).toEqual([
      ...["Bearer t1", "Bearer t2", "Bearer t3", "Bearer t4"],
    ]);
    expect(waits).toEqual([500]);
    const final = await asked([unauthenticated], { auth });
    expect([final.sent.length, (final.outcome as PipelineClientError).code]).toEqual([2, "unauthenticated"]);
  });

  test.each<readonly [thrown: unknown, reason: string]>([
    [new Error("locked"), "no credentials: locked"],
    ["text", "no credentials: they could not be had"],
  ])("nothing where credentials cannot be had: %o", async (thrown, reason) => {
    const token = () => {
      throw thrown;
    };
    const { sent, outcome, waits } = await asked([ok], { auth: { token } });
    expect([sent, waits]).toEqual([[], []]);
    expect(outcome).toMatchObject({
      ...{ code: "credentials", attempts: 1, retryable: false },
      message: expect.stringContaining(`${reason} (GET http://kfp.example/x)`),
      cause: expect.objectContaining({ message: thrown instanceof Error ? "locked" : "text" }),
    });
  });
});

describe("an answer of no use:", () => {
  const page =
    (type: string | undefined, status = 200): Reply =>
    () =>
      new Response("<p>", { status, headers: type === undefined ? {} : { "content-type": type } });

  test.each(["text/html", "TEXT/HTML; charset=utf-8", "application/xhtml+xml"])(
    "a page of %s in place of data",
    async (type) => {
      const { outcome, sent } = await asked([page(type)]);
      expect(outcome).toMatchObject({
        ...{ code: "login_required", status: 200, attempts: 1 },
        message: expect.stringContaining("the host answered with a web page instead of data"),
      });
      expect(sent).toHaveLength(1);
      const renewed = await asked([page(type), ok], { auth: { cookie: () => "c" } });
      expect([renewed.outcome, renewed.sent.length]).toEqual([200, 2]);
    },
  );

  test.each(["text/plain", "x-text/html", undefined])("but not text of the type %s", async (type) => {
    expect((await asked([page(type)])).outcome).toBe(200);
  });

  test.each<unknown>([undefined, null, {}, { headers: {} }, { headers: { get: () => null } }, "x"])(
    "%o, which is no Response",
    async (answer) => {
      const { outcome } = await asked([() => answer as Response], { retry: false });
      expect(outcome).toMatchObject({
        code: "network",
        message: expect.stringContaining("no answer: `fetch` of the client gave no Response"),
      });
    },
  );

  test("one that is longer than it may be, or broken off", async () => {
    const long = await asked([() => new Response("12345678")], { maxBodyBytes: 7 });
    expect(long.outcome).toMatchObject({
      ...{ code: "invalid_response", status: 200, attempts: 1, retryable: false },
      message: expect.stringContaining("the answer cannot be read: it has more than 7 bytes"),
    });
    expect((await asked([() => new Response("1234567")], { maxBodyBytes: 7 })).outcome).toBe(200);
    const broken: Reply = () =>
      new Response(new ReadableStream({ start: (controller) => controller.error(new Error("reset")) }));
    const { outcome, sent } = await asked([broken]);
    expect(outcome).toMatchObject({
      ...{ code: "invalid_response", attempts: 5, retryable: true },
      message: expect.stringContaining("the answer cannot be read: it was broken off"),
      cause: expect.objectContaining({ message: "reset" }),
    });
    expect(sent).toHaveLength(5);
  });
});
