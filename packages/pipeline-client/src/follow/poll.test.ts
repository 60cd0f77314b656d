import { describe, expect, test } from "vitest";
import { SkippingClock } from "../../test/skipping-clock.js";
import { PipelineClientError, type PipelineClientErrorDetails } from "../client-error.js";
import type { CallOptions } from "../client-options.js";
import { checkFollow, poll } from "./poll.js";
import type { PollOptions } from "./run-update.js";

const failure = (details: Partial<PipelineClientErrorDetails>) =>
  new PipelineClientError("failed", { code: "server_error", ...details });
const away = failure({ retryable: true });
const internal = failure({ status: 500 });
const useless = failure({ code: "invalid_response" });
const noToken = failure({ code: "credentials" });

/** What comes of asking so often, answered with these in turn and then always with the last. */
async function polled(
  answers: readonly unknown[],
  options: PollOptions & { readonly after?: unknown } = {},
  { rounds = answers.length, changes = [] as readonly boolean[], takesMs = 0 } = {},
) {
  const clock = new SkippingClock(Number.POSITIVE_INFINITY);
  const asked: CallOptions[] = [];
  const ask = async (given: CallOptions): Promise<unknown> => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(given);
    clock.time += takesMs;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const values: unknown[] = [];
  const following = poll({ what: "the run r", ask }, options, { clock, timeoutMs: 30_000 });
  const outcome = await (async () => {
    for (let round = 0; round < rounds; round++) {
      const { value } = await following.next(changes[round - 1] ?? false);
      values.push(value);
    }
    return "goes on";
  })().catch((error: unknown) => error);
  await following.return(undefined as never);
  return { outcome, values, asked, waits: clock.waits };
}

const late = (ms: number) => ({
  code: "timeout",
  message: `the run r has not ended within ${ms} ms; it goes on: follow it again, or terminate it`,
});

describe("the waits between two questions", () => {
  test("grow by half while nothing changes, up to a limit, and begin anew", async () => {
    const changes = [false, false, true, false, false, false];
    const { waits } = await polled(["a"], { minPollMs: 100, maxPollMs: 300 }, { rounds: 7, changes });
    expect(waits).toEqual([150, 225, 100, 150, 225, 300]);
  });

  test("begin with one second and a half, and end with ten, where nothing is said", async () => {
    const { waits } = await polled(["a"], {}, { rounds: 9 });
    expect(waits).toEqual([1500, 2250, 3375, 5062.5, 7593.75, 10_000, 10_000, 10_000]);
  });

  test("double while it fails, and heed what is asked for, once", async () => {
    const busy = failure({ code: "rate_limited", retryAfterMs: 5000 });
    const { waits, outcome } = await polled(
      [away, busy, away, "a"],
      { minPollMs: 100, maxPollMs: 700 },
      { rounds: 1 },
    );
    expect([outcome, waits]).toEqual(["goes on", [200, 5000, 700]]);
  });

  test("end with the whole wait, however long a server asks to be left alone", async () => {
    const busy = failure({ code: "rate_limited", retryAfterMs: 60_000 });
    const { waits, outcome } = await polled([busy], { maxWaitMs: 5000 }, { rounds: 1 });
    expect([outcome, waits]).toMatchObject([late(5000), [5000]]);
  });

  test("may be none, also after a failure", async () => {
    const { waits } = await polled([away, "a"], { minPollMs: 0, maxPollMs: 700 }, { rounds: 1 });
    expect(waits).toEqual([0]);
  });
});

describe("the time of a question", () => {
  test.each<readonly [options: PollOptions, deadlineMs: number]>([
    [{}, 60_000],
    [{ timeoutMs: 5000 }, 10_000],
    [{ deadlineMs: 7000, timeoutMs: 5000 }, 7000],
    [{ maxWaitMs: 4000 }, 4000],
    [{ maxWaitMs: 0 }, 60_000],
    [{ timeoutMs: 0 }, 0],
    [{ deadlineMs: 0, timeoutMs: 5000 }, 0],
  ])("with %j is %d ms", async (options, deadlineMs) => {
    const { asked } = await polled(["a"], options);
    expect(asked).toEqual([{ signal: expect.any(AbortSignal), timeoutMs: options.timeoutMs, deadlineMs }]);
  });

  test("is what is left", async () => {
    const { asked, outcome } = await polled(["a"], { maxWaitMs: 5000, minPollMs: 2000 }, { rounds: 9 });
    expect(asked.map(({ deadlineMs }) => deadlineMs)).toEqual([5000, 2000]);
    expect(outcome).toMatchObject(late(5000));
  });
});

describe("following ends", () => {
  test("at once where there is no time, with the answer or what it failed with", async () => {
    const { values, outcome, asked } = await polled(["a"], { maxWaitMs: 0 }, { rounds: 2 });
    expect([values, asked.length]).toEqual([["a"], 1]);
    expect(outcome).toMatchObject(late(0));
    expect((await polled([away], { maxWaitMs: 0 })).outcome).toBe(away);
  });

  test("with its time where it fails when that is over", async () => {
    const { outcome, asked } = await polled([away], { maxWaitMs: 1000 }, { takesMs: 1000 });
    expect(outcome).toMatchObject(late(1000));
    expect(asked).toHaveLength(1);
    const answered = await polled(["a", away], { maxWaitMs: 1600, minPollMs: 1000 }, { takesMs: 100 });
    expect(answered.outcome).toMatchObject(late(1600));
  });

  test("when it has failed for as long as it may, which it is asked once more at the end of", async () => {
    const options = { minPollMs: 100, maxPollMs: 400, maxOutageMs: 1000 };
    const { outcome, waits } = await polled(["a", away], options);
    expect([outcome, waits]).toEqual([away, [150, 300, 400, 300]]);
    const again = await polled([away, away, "a", away, away, "b"], options, { rounds: 2 });
    expect([again.values, again.outcome]).toEqual([["a", "b"], "goes on"]);
  });

  test("with the reason of its signal", async () => {
    const reason = new Error("enough");
    expect((await polled([away], { signal: AbortSignal.abort(reason) })).outcome).toBe(reason);
  });
});

describe("a failure may pass", () => {
  const passes = async (answers: readonly unknown[], options: Parameters<typeof polled>[1] = {}) =>
    (await polled([...answers, "end"], options, { rounds: answers.filter((one) => one === "a").length + 1 }))
      .outcome;

  test.each<readonly [what: string, error: Error]>([
    ["that says so", away],
    ["of too many requests", failure({ code: "rate_limited" })],
  ])("%s, as often as it comes", async (_, error) => {
    expect(await passes(Array.from({ length: 20 }, () => error))).toBe("goes on");
  });

  test.each<readonly [what: string, error: Error]>([
    ["of the host's own", new RangeError("x")],
    ["of a wrong request", failure({ code: "bad_request", status: 400 })],
    ["of a server that has no such call", failure({ status: 501 })],
  ])("but not one %s", async (_, error) => {
    expect([await passes([error]), await passes(["a", error])]).toEqual([error, error]);
  });

  test.each<readonly [what: string, error: Error]>([
    ["500", internal],
    ["an answer of no use", useless],
  ])("that is %s four times in a row, before there was an answer", async (_, error) => {
    const times = (count: number) => Array.from({ length: count }, () => error);
    expect([await passes(times(4)), await passes(times(5))]).toEqual(["goes on", error]);
    expect(await passes([...times(4), away, ...times(4)])).toBe("goes on");
    expect(await passes([...times(4), "a", ...times(4)])).toBe("goes on");
  });

  test("that is 500 for ever, where there was an answer, but not one of no use", async () => {
    const many = (error: Error) => Array.from({ length: 9 }, () => error);
    expect(await passes(["a", ...many(internal)])).toBe("goes on");
    expect(await passes(many(internal), { after: { state: "RUNNING", tasks: {} } })).toBe("goes on");
    expect(await passes(many(internal), { after: undefined })).toBe(internal);
    expect(await passes(["a", ...many(useless)])).toBe(useless);
  });

  test("that is one of credentials, where there were some before", async () => {
    expect([await passes([noToken]), await passes(["a", noToken, noToken])]).toEqual([noToken, "goes on"]);
    expect(await passes([noToken], { after: { state: "RUNNING", tasks: {} } })).toBe("goes on");
  });
});

test.each<readonly [options: object, message: string | RegExp]>([
  [{ onUpdate: 5 }, "`onUpdate` is a function"],
  [{ signal: {} }, "`signal` is an AbortSignal"],
  [{ signal: null }, "`signal` is an AbortSignal"],
  [{ maxWaits: 5 }, /^follow .*maxWaits/],
  [{ maxWaitMs: -1 }, /maxWaitMs/],
  [{ minPollMs: "1" }, /minPollMs/],
  [{ maxPollMs: -1 }, /maxPollMs/],
  [{ maxOutageMs: Number.NaN }, /maxOutageMs/],
])("nothing is followed with %o", (options, message) => {
  expect(() => checkFollow(options)).toThrow(TypeError);
  expect(() => checkFollow(options)).toThrow(message);
});

test("who ends it hears the own reason, whatever asking says", async () => {
  const user = new AbortController();
  const ask = async () => {
    user.abort(new Error("enough"));
    throw away;
  };
  const settings = { clock: new SkippingClock(), timeoutMs: 30_000 };
  const following = poll({ what: "the run r", ask }, { signal: user.signal }, settings);
  await expect(following.next(false)).rejects.toBe(user.signal.reason);
});
