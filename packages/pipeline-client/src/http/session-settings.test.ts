import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../clock.js";
import { createSession } from "./create-session.js";
import { SentSecrets } from "./sent-secrets.js";
import { hostAddress, sessionSettings } from "./session-settings.js";

describe("where nothing is said, a client", () => {
  test("has these settings", () => {
    const { fetch, onRetry, ...settings } = sessionSettings("http://h", {});
    expect(settings).toEqual({
      ...{ host: "http://h", auth: {}, headers: {}, cookies: "same-origin", clock: systemClock },
      retry: { limit: 4, baseDelayMs: 500, maxDelayMs: 30_000 },
      ...{ timeoutMs: 30_000, deadlineMs: 120_000, maxBodyBytes: 67_108_864, maxPages: 10_000 },
    });
    expect([typeof fetch, onRetry({} as never)]).toEqual(["function", undefined]);
  });

  test("asks by the `fetch` that the platform has by then", async () => {
    const { fetch } = sessionSettings("http://h", {});
    const former = globalThis.fetch;
    onTestFinished(() => void Object.assign(globalThis, { fetch: former }));
    Object.assign(globalThis, { fetch: async () => new Response("later") });
    expect(await (await fetch("http://h", {})).text()).toBe("later");
  });

  test("has those that are given, beside the others", () => {
    const given = {
      cookies: "omit",
      ...{ timeoutMs: 1, deadlineMs: 2, maxBodyBytes: 3, maxPages: 4 },
      ...{ auth: { token: "t" }, headers: { "X-A": "b" }, onRetry: () => {}, fetch: () => Promise.reject() },
      clock: { now: () => 0, after: () => () => {}, random: () => 0 },
    } as const;
    expect(sessionSettings("h", { ...given, retry: { limit: 0 } })).toEqual({
      ...given,
      ...{ host: "h", headers: { "x-a": "b" }, retry: { limit: 0, baseDelayMs: 500, maxDelayMs: 30_000 } },
    });
    expect(sessionSettings("h", { retry: false }).retry.limit).toBe(0);
    const delays = { limit: 1, baseDelayMs: 2, maxDelayMs: 3 };
    expect(sessionSettings("h", { retry: delays }).retry).toEqual(delays);
  });
});

test("a header may have tabs, and letters of one byte", () => {
  const headers = { a: "\t ~", b: "\u0080é\u00ff" };
  expect(sessionSettings("h", { headers }).headers).toEqual(headers);
});

describe("a client is not made", () => {
  test.each<readonly [options: object, message: string]>([
    [{ fetch: 5 }, "`fetch` is a function"],
    [{ onRetry: "x" }, "`onRetry` is a function"],
    [{ clock: null }, "`clock` has `now`, `after` and `random`"],
    [{ clock: { after: () => {}, random: () => 0 } }, "`clock` has `now`, `after` and `random`"],
    [{ clock: { now: () => 0, random: () => 0 } }, "`clock` has `now`, `after` and `random`"],
    [{ clock: { now: () => 0, after: () => {} } }, "`clock` has `now`, `after` and `random`"],
    [{ auth: { token: 5 } }, "`auth.token` is a text or a function that gives one"],
    [{ auth: { cookie: {} } }, "`auth.cookie` is a text or a function that gives one"],
    [{ auth: { headers: 5 } }, "`auth.headers` is an object of texts"],
    [{ auth: { headers: new Map() } }, "`auth.headers` is an object of texts"],
    [{ auth: { headers: { "a b": "x" } } }, '"a b" of `auth.headers` is no name of a header'],
    [{ headers: { a: "x\n" } }, "the a that was given is no text that fits in a header"],
    ...["\u001f", "\u007f", "\u0100"].map(
      (a) => [{ headers: { a } }, "the a that was given is no text that fits in a header"] as const,
    ),
    [{ headers: { a: 5 } }, "the a that was given is no text that fits in a header"],
    [{ headers: { a: "€" } }, "the a that was given is no text that fits in a header"],
    [{ headers: { "": "x" } }, '"" of `headers` is no name of a header'],
    [{ headers: new Headers() }, "`headers` is an object of texts"],
  ])("with %o", (options, message) => {
    expect(() => sessionSettings("h", options)).toThrow(new TypeError(message));
  });

  test.each([{ limit: -1 }, { baseDelayMs: "1" }, { maxDelayMs: Number.NaN }, { delay: 1 }, 5])(
    "that tries again as %j says",
    (retry) => expect(() => sessionSettings("h", { retry: retry as never })).toThrow(TypeError),
  );
});

describe("the address of a host", () => {
  test.each<readonly [given: unknown, address: string]>([
    ["kfp.example", "https://kfp.example"],
    [" kfp.example/pipeline// ", "https://kfp.example/pipeline"],
    ["http://localhost:8888", "http://localhost:8888"],
    ["HTTP://LOCALHOST/", "http://localhost"],
    [new URL("https://kfp.example/a/b/"), "https://kfp.example/a/b"],
    ["localhost:8888", "https://localhost:8888"],
  ])("%s is %s", (given, address) => expect(hostAddress("host", given)).toBe(address));

  test.each([
    "",
    "  ",
    "ftp://h",
    "https://u@h",
    "https://u:p@h",
    "http://h?a",
    "http://h/#a",
    "http://",
    "a b",
  ])("is not %j", (given) =>
    expect(() => hostAddress("uiHost", given)).toThrow(
      new TypeError(
        "`uiHost` is the address of a host, such as http://localhost:8888, without user or query",
      ),
    ),
  );

  test.each([undefined, null, 5, {}, []])("is not %o", (given) => {
    expect(() => hostAddress("host", given)).toThrow(/^`host` is the address of a host, not /);
  });
});

test.each([{}, null, 5, { throwIfAborted: true }])("a call has no signal like %o", (signal) => {
  const session = createSession("http://h", {});
  expect(() => session.start({ signal: signal as never })).toThrow(
    new TypeError("`signal` is an AbortSignal"),
  );
});

test("a call has its own limits, or those of the client", () => {
  const clock = { now: () => 1000, after: () => () => {}, random: () => 0 };
  const session = createSession("http://h", { clock, timeoutMs: 5, deadlineMs: 7 });
  const { signal } = new AbortController();
  expect(session.start({})).toMatchObject({ timeoutMs: 5, endsAt: 1007 });
  expect(session.start(undefined).signal.aborted).toBe(false);
  expect(session.start({ signal, timeoutMs: 50, deadlineMs: 70 })).toEqual({
    signal,
    timeoutMs: 50,
    endsAt: 1070,
  });
  const reason = new Error("enough");
  expect(() => session.start({ signal: AbortSignal.abort(reason) })).toThrow(reason);
});

describe("what was sent is remembered", () => {
  const names = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `s${from + at}`);

  test("a hundred of them, the last ones", () => {
    const sent = new SentSecrets();
    sent.add(names(0, 100));
    expect(sent.all).toEqual(names(0, 100));
    sent.add(["s100"]);
    expect(sent.all).toEqual(names(1, 101));
    sent.add(names(200, 450));
    expect(sent.all).toEqual(names(350, 450));
  });

  test("once, and as new where it is sent again", () => {
    const sent = new SentSecrets();
    sent.add(["a", "b", "a"]);
    expect(sent.all).toEqual(["b", "a"]);
    sent.add([...names(0, 98), "b"]);
    sent.add(["c"]);
    expect([sent.all.length, sent.all[0], sent.all.slice(-2)]).toEqual([100, "s0", ["b", "c"]]);
  });
});
