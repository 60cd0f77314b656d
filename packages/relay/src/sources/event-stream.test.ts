import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../clock.js";
import { resolveOptions } from "../options/resolve-options.js";
import type { UpstreamRequest } from "../options/resolved-sections.js";
import { eventStream } from "./event-stream.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ["5m", 30_000],
  ["20s", 20_000],
])(
  "with readTimeout %s a stream that does not begin is given up after %i ms",
  async (readTimeout, limitMs) => {
    const asked: UpstreamRequest[] = [];
    const dispatcher = {
      request(request: UpstreamRequest) {
        asked.push(request);
        return new Promise<never>(() => {});
      },
    };
    const { upstream } = resolveOptions({ upstream: { dispatcher, readTimeout } });
    const stream = eventStream({
      url: "http://127.0.0.1/all",
      sdkKey: "sdk-1",
      upstream,
      clock: systemClock,
      signal: new AbortController().signal,
    });
    let outcome = "none yet";
    stream.next().catch((error: Error) => {
      outcome = error.message;
    });
    await vi.advanceTimersByTimeAsync(limitMs - 1);
    expect(outcome).toBe("none yet");
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toBe(`no answer within ${limitMs} ms`);
    expect(asked.map(({ headersTimeout, signal }) => [headersTimeout, signal.aborted])).toEqual([
      [limitMs, true],
    ]);
  },
);
