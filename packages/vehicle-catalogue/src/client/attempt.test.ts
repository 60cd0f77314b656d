import { expect, test } from "vitest";
import { apiKey } from "../../test/client/client-of.js";
import { runAttempt } from "./attempt.js";
import { clientSettings } from "./client-settings.js";

test("an attempt of a call that is aborted already sends nothing, and leaves no timer", async () => {
  let [sent, timers] = [0, 0];
  const settings = clientSettings({
    baseUrl: "https://example.org",
    apiKey,
    clock: {
      now: () => 0,
      random: () => 0,
      after: () => {
        timers++;
        return () => timers--;
      },
    },
    fetch: async () => {
      sent++;
      return Response.json({ data: [] });
    },
  });
  const attempt = { url: "https://example.org/v2/vehicles", attempt: 1, timeoutMs: 1000 };
  await expect(runAttempt({ ...attempt, signal: AbortSignal.abort("gone") }, settings)).rejects.toBe("gone");
  expect([sent, timers]).toEqual([0, 0]);
  const { signal } = new AbortController();
  expect(await runAttempt({ ...attempt, signal }, settings)).toMatchObject({ document: { data: [] } });
  expect([sent, timers]).toEqual([1, 0]);
});
