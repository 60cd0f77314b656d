import { describe, expect, test } from "vitest";
import {
  createPipelineClient,
  isRunError,
  type PipelineClient,
  type Run,
  RunError,
  type RunUpdate,
  type WaitOptions,
} from "../src/index.js";
import { createFakePipelineServer, type RunPlan } from "../src/testing/index.js";
import { helloPipeline } from "./recorded-world.js";
import { SkippingClock } from "./skipping-clock.js";

interface World {
  readonly client: PipelineClient;
  readonly clock: SkippingClock;
  readonly fake: ReturnType<typeof createFakePipelineServer>;
  readonly run: Run;
  /** What the server answers instead, request by request. */
  readonly trouble: (() => Response | Promise<never>)[];
  /** How often runs were asked for. */
  asked(): number;
}

async function world(plan: RunPlan): Promise<World> {
  const clock = new SkippingClock();
  const fake = createFakePipelineServer({ now: () => clock.time, plan });
  const trouble: World["trouble"] = [];
  let asked = 0;
  const client = createPipelineClient({
    host: "http://kfp.example",
    clock,
    fetch: async (url, init) => {
      if (init.method !== "GET" || !/\/runs\/[^/]+$/.test(new URL(url).pathname))
        return fake.fetch(url, init);
      asked++;
      const answer = trouble.shift();
      return answer === undefined ? fake.fetch(url, init) : answer();
    },
  });
  await client.pipelines.upload(helloPipeline);
  const run = await client.runs.create({
    pipeline: "hello",
    name: "r",
    runId: "11111111-1111-4111-8111-111111111111",
  });
  return { client, clock, fake, run, trouble, asked: () => asked };
}

async function collect(updates: AsyncIterable<RunUpdate>): Promise<RunUpdate[]> {
  const all: RunUpdate[] = [];
  for await (const update of updates) all.push(update);
  return all;
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
const states = (updates: readonly RunUpdate[]): readonly string[] => updates.map(({ state }) => state);
const good: RunPlan = ({ tasks: [task = ""] }) => [
  { afterMs: 1000, state: "RUNNING", tasks: { [task]: "RUNNING" } },
  { afterMs: 60_000, state: "SUCCEEDED", tasks: { [task]: "SUCCEEDED" } },
];
const bad: RunPlan = ({ tasks: [task = ""] }) => [
  {
    afterMs: 1000,
    state: "RUNNING",
    tasks: { root: "RUNNING", "root-driver": "SUCCEEDED", [task]: "RUNNING" },
  },
  { afterMs: 5000, state: "FAILED", message: "exit code 1", tasks: { root: "FAILED", [task]: "FAILED" } },
];
const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): (() => Response) =>
  () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { "content-type": "application/json", ...headers },
    });

describe("following a run", () => {
  test("tells what is known, then every change, and ends with the run", async () => {
    const { client, run } = await world(good);
    const updates = await collect(client.runs.follow(run.runId));
    expect(states(updates)).toEqual(["PENDING", "RUNNING", "SUCCEEDED"]);
    expect(updates.map(({ isFinal }) => isFinal)).toEqual([false, false, true]);
    expect(
      updates.flatMap(({ changes }) =>
        changes.map(({ task, from, state }) => `${task?.displayName ?? "run"}: ${from} → ${state}`),
      ),
    ).toEqual([
      "run: undefined → PENDING",
      "greet: undefined → RUNNING",
      "run: PENDING → RUNNING",
      "greet: RUNNING → SUCCEEDED",
      "run: RUNNING → SUCCEEDED",
    ]);
  });

  test("asks less often the longer nothing happens, and never more rarely than it may", async () => {
    const { client, clock, run, asked } = await world(good);
    clock.waits.length = 0;
    await collect(client.runs.follow(run.runId, { minPollMs: 1000, maxPollMs: 8000 }));
    expect(clock.waits[0]).toBe(1000);
    expect(Math.max(...clock.waits)).toBe(8000);
    expect(asked()).toBeLessThan(20);
  });

  test.each(["SUCCEEDED", "FAILED", "SKIPPED", "CANCELED", "succeeded"])("ends with %s", async (state) => {
    const { client, run } = await world(() => [
      { afterMs: 1000, state: "RUNNING" },
      { afterMs: 2000, state },
    ]);
    const last = (await collect(client.runs.follow(run.runId))).at(-1);
    expect(last).toMatchObject({ state: state.toUpperCase(), isFinal: true });
  });

  test("goes on through states that nobody knows, and through none at all", async () => {
    const { client, run, trouble } = await world(good);
    const base = { run_id: run.runId };
    trouble.push(json(base), json({ ...base, state: "HIBERNATING" }), json({ ...base, state: {} }));
    expect(states(await collect(client.runs.follow({ id: run.runId })))).toEqual([
      "PENDING",
      "HIBERNATING",
      "RUNNING",
      "SUCCEEDED",
    ]);
  });

  test("goes on where it left off, also in another process", async () => {
    const { client, run } = await world(good);
    let cursor: RunUpdate["cursor"] | undefined;
    for await (const update of client.runs.follow(run.runId)) {
      cursor = update.cursor;
      if (update.state === "RUNNING") break;
    }
    const after = JSON.parse(JSON.stringify(cursor));
    const [first, ...rest] = await collect(client.runs.follow(run.runId, { after }));
    expect(first?.changes).toEqual([]);
    expect(states(rest)).toEqual(["SUCCEEDED"]);
    expect(rest.flatMap(({ changes }) => changes).map(({ from }) => from)).toEqual(["RUNNING", "RUNNING"]);
  });

  test("gets over an outage, and tells then what has become of the run", async () => {
    const { client, run, trouble } = await world(good);
    const broken = () =>
      Promise.reject(
        new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) }),
      );
    const busy = json({ code: 14, message: "cluster timed out" }, 503);
    trouble.push(
      json({ run_id: run.runId, state: "PENDING" }),
      ...Array.from({ length: 30 }, (_, i) => (i % 2 ? busy : broken)),
      json({ code: 13, message: "x" }, 500),
    );
    expect(states(await collect(client.runs.follow(run.runId)))).toEqual(["PENDING", "SUCCEEDED"]);
  });

  test("gives up when the server has failed for too long, with what it said last", async () => {
    const { client, run, trouble } = await world(good);
    trouble.push(
      json({ run_id: run.runId }),
      ...Array.from({ length: 2000 }, () => json({ code: 14, message: "cluster timed out" }, 503)),
    );
    const error = await rejection(collect(client.runs.follow(run.runId, { maxOutageMs: 120_000 })));
    expect(error).toMatchObject({ code: "server_error", status: 503, serverMessage: "cluster timed out" });
  });

  test("gets over 500 as over any outage, once it was answered", async () => {
    const { client, run, trouble } = await world(good);
    const broken = json({ code: 13, message: "connection refused" }, 500);
    trouble.push(json({ run_id: run.runId, state: "PENDING" }), ...new Array(30).fill(broken));
    expect(states(await collect(client.runs.follow({ id: run.runId })))).toEqual(["PENDING", "SUCCEEDED"]);
    trouble.push(json({ run_id: run.runId, state: "PENDING" }), ...new Array(2000).fill(broken));
    const ended = collect(client.runs.follow({ id: run.runId }, { maxOutageMs: 120_000 }));
    expect(await rejection(ended)).toMatchObject({ status: 500, serverMessage: "connection refused" });
  });

  test("and so does who goes on where another one was", async () => {
    const { client, run, trouble } = await world(good);
    trouble.push(json({ run_id: run.runId, state: "PENDING" }));
    const [first] = await collect(client.runs.follow({ id: run.runId }));
    trouble.push(...new Array(30).fill(json({ code: 13, message: "connection refused" }, 500)));
    const rest = await collect(client.runs.follow({ id: run.runId }, { after: first?.cursor }));
    expect([first?.state, ...states(rest)]).toEqual(["PENDING", "SUCCEEDED"]);
  });

  test("gives up when the server says 500 again and again, and never anything else", async () => {
    const { client, run, trouble, asked } = await world(good);
    trouble.push(...Array.from({ length: 2000 }, () => json({ code: 13, message: "broken" }, 500)));
    expect(await rejection(collect(client.runs.follow({ id: run.runId })))).toMatchObject({ status: 500 });
    expect(asked()).toBeLessThan(10);
  });

  test("gets over answers of no use, as long as there are not too many in a row", async () => {
    const { client, run, trouble, asked } = await world(good);
    const useless = () => new Response("{", { headers: { "content-type": "application/json" } });
    const pending = json({ run_id: run.runId, state: "PENDING" });
    const four = new Array(4).fill(useless);
    trouble.push(pending, ...four, pending, ...four, pending, ...four);
    expect(states(await collect(client.runs.follow(run.runId)))).toEqual(["PENDING", "SUCCEEDED"]);
    const before = asked();
    trouble.push(pending, ...four, useless, pending);
    expect(await rejection(collect(client.runs.follow(run.runId)))).toMatchObject({
      code: "invalid_response",
    });
    expect(asked() - before).toBe(6);
  });

  test("tells when the run is deleted meanwhile", async () => {
    const { client, run, fake } = await world(good);
    const error = await rejection(
      (async () => {
        for await (const { state } of client.runs.follow(run.runId))
          if (state === "RUNNING") fake.store.runs.delete(run.runId);
      })(),
    );
    expect(error).toMatchObject({
      code: "not_found",
      message: `the run ${run.runId} was deleted while it was followed`,
    });
  });

  test("ends with its signal, while it asks and while it waits", async () => {
    const { client, run, trouble, asked } = await world(() => []);
    const reason = new Error("enough");
    trouble.push(() => new Promise<never>(() => {}));
    const asking = new AbortController();
    const first = rejection(collect(client.runs.follow({ id: run.runId }, { signal: asking.signal })));
    while (asked() === 0) await new Promise(setImmediate);
    asking.abort(reason);
    expect(await first).toBe(reason);
    const waiting = new AbortController();
    const second = rejection(
      (async () => {
        for await (const _ of client.runs.follow(run.runId, { signal: waiting.signal }))
          waiting.abort(reason);
      })(),
    );
    expect(await second).toBe(reason);
  });

  test("of a run that never ends ends after the time that it is given", async () => {
    const { client, run } = await world(() => [{ afterMs: 0, state: "RUNNING" }]);
    const error = await rejection(collect(client.runs.follow(run.runId, { maxWaitMs: 300_000 })));
    const message = expect.stringMatching(`^the run ${run.runId} has not ended within 300000 ms`);
    expect(error).toMatchObject({ code: "timeout", message });
  });

  test("does not mind a clock that is years behind or ahead of the server's", async () => {
    for (const years of [-10, 10]) {
      const { client, run, clock, fake } = await world(good);
      const [row] = [...fake.store.runs.values()];
      clock.time += years * 365 * 86_400_000;
      row!.plan = row!.plan.map((step) => ({ ...step, atMs: step.atMs + years * 365 * 86_400_000 }));
      expect(states(await collect(client.runs.follow(run.runId))).at(-1)).toBe("SUCCEEDED");
    }
  });
});

describe("a wait whose `onUpdate` never ends", () => {
  const start = (options: WaitOptions) => {
    const fetch = async () => Response.json({ run_id: "r", state: "RUNNING" });
    const client = createPipelineClient({ host: "http://kfp.example", fetch });
    return client.runs.wait({ id: "r" }, { onUpdate: () => new Promise<void>(() => {}), ...options });
  };

  test("ends when its time is over", async () => {
    await expect(start({ maxWaitMs: 50 })).rejects.toMatchObject({
      ...{
        code: "timeout",
        message: expect.stringContaining("onUpdate, of the run r, has not ended within 50 ms"),
      },
    });
  });

  test("ends with the run that has ended, if that was the last update", async () => {
    const fetch = async () => Response.json({ run_id: "r", state: "FAILED" });
    const client = createPipelineClient({ host: "http://kfp.example", fetch });
    const options = { maxWaitMs: 50, onUpdate: () => new Promise<void>(() => {}) };
    await expect(client.runs.wait({ id: "r" }, options)).rejects.toBeInstanceOf(RunError);
  });

  test("ends with the reason of its signal, and hears of no other update", async () => {
    const controller = new AbortController();
    let told = 0;
    const onUpdate = () => {
      told++;
      controller.abort(new Error("enough"));
      return new Promise<void>(() => {});
    };
    await expect(start({ signal: controller.signal, onUpdate })).rejects.toThrow("enough");
    expect(told).toBe(1);
  });

  test("is over at once where nothing is left to do, however late that is told", async () => {
    const fetch = async () => Response.json({ run_id: "r", state: "SUCCEEDED" });
    const client = createPipelineClient({ host: "http://kfp.example", fetch });
    const run = await client.runs.wait({ id: "r" }, { maxWaitMs: 0, onUpdate: async () => {} });
    expect(run.state).toBe("SUCCEEDED");
  });
});

describe("a follower knows on what it was told", () => {
  const task = (id: string, state: unknown) => ({ task_id: id, display_name: id, state });
  const details = (...tasks: object[]) => ({ run_details: { task_details: tasks } });

  /** What is told of these answers, the last of which is given for ever. */
  async function told(...answers: object[]) {
    const clock = new SkippingClock();
    let index = 0;
    const client = createPipelineClient({
      host: "http://kfp.example",
      clock,
      fetch: async () => Response.json({ run_id: "r", ...answers[Math.min(index++, answers.length - 1)] }),
    });
    const changes: string[] = [];
    const onUpdate = (update: RunUpdate) => {
      for (const { task: one, from, state } of update.changes)
        changes.push(`${one?.displayName ?? "run"}: ${from ?? "new"} > ${state}`);
    };
    const ended: unknown = await client.runs
      .wait({ id: "r" }, { onUpdate, maxWaitMs: 100_000 })
      .catch((error: unknown) => error);
    return { changes, ended };
  }

  test("when an answer has no tasks, or no state", async () => {
    const { changes } = await told(
      { state: "RUNNING", ...details(task("a", "SUCCEEDED"), task("b", "RUNNING")) },
      { state: "RUNNING" },
      { ...details(task("a", "SUCCEEDED"), task("b", "RUNNING")) },
      { state: "SUCCEEDED", ...details(task("a", "SUCCEEDED"), task("b", "SUCCEEDED")) },
    );
    expect(changes).toEqual([
      "a: new > SUCCEEDED",
      "b: new > RUNNING",
      "run: new > RUNNING",
      "b: RUNNING > SUCCEEDED",
      "run: RUNNING > SUCCEEDED",
    ]);
  });

  test("when the last answer has no tasks: the one that failed is named", async () => {
    const { ended } = await told(
      { state: "RUNNING", ...details(task("a", "SUCCEEDED"), task("b", "FAILED")) },
      { state: "FAILED" },
    );
    expect(ended).toMatchObject({ name: "RunError", task: { taskId: "b" } });
  });

  test("when it goes on at a cursor and is told of no tasks at first", async () => {
    const fetch = async () => Response.json({ run_id: "r", state: "RUNNING" });
    const client = createPipelineClient({ host: "http://kfp.example", fetch });
    const after = { state: "RUNNING", tasks: { a: "SUCCEEDED" } };
    const { value } = await client.runs.follow({ id: "r" }, { after })[Symbol.asyncIterator]().next();
    expect(value).toMatchObject({ changes: [], cursor: after });
  });

  test("when states are numbers, as they are on the wire", async () => {
    const { changes, ended } = await told(
      { state: 2, ...details(task("a", 2)) },
      { state: 99, ...details(task("a", 4)) },
      { state: 0, ...details(task("a", 4)) },
      { state: 3, storage_state: 1, ...details(task("a", 3)) },
    );
    expect(changes).toEqual([
      "a: new > RUNNING",
      "run: new > RUNNING",
      "a: RUNNING > SKIPPED",
      "run: RUNNING > 99",
      "a: SKIPPED > SUCCEEDED",
      "run: 99 > SUCCEEDED",
    ]);
    expect(ended).toMatchObject({ state: "SUCCEEDED", storageState: "AVAILABLE" });
  });
});

test("modes and states of recurring runs may be numbers as well", async () => {
  const fetch = async () => Response.json({ recurring_run_id: "r", mode: 1, status: 3 });
  const client = createPipelineClient({ host: "http://kfp.example", fetch });
  expect(await client.recurringRuns.get({ id: "r" })).toMatchObject({ mode: "ENABLE", status: "DISABLED" });
});

describe("waiting for a run", () => {
  test("gives the run when it has succeeded", async () => {
    const { client, run } = await world(good);
    const seen: string[] = [];
    const ended = await client.runs.wait("r", { onUpdate: ({ state }) => seen.push(state) });
    expect([ended.runId, ended.state, ended.finishedAt]).toEqual([
      run.runId,
      "SUCCEEDED",
      new Date("2026-11-21T09:01:00Z"),
    ]);
    expect(seen.at(-1)).toBe("SUCCEEDED");
  });

  test("throws an error that names the task that failed", async () => {
    const { client, run } = await world(bad);
    const error = await rejection(client.runs.wait(run.runId));
    expect(isRunError(error)).toBe(true);
    expect(error).toMatchObject({ state: "FAILED", wasTerminated: false, task: { displayName: "greet" } });
    expect((error as RunError).message).toBe(
      `the run "r" (${run.runId}) has ended as FAILED: task "greet" failed`,
    );
  });

  test("tells the message of the task, where the server tells it", async () => {
    const { client, run, trouble } = await world(bad);
    const task = {
      task_id: "t",
      display_name: "train",
      state: "FAILED",
      error: { code: 1, message: "out of memory\u001b[31m\nat line 3" },
    };
    trouble.push(
      json({
        run_id: run.runId,
        state: "FAILED",
        run_details: {
          task_details: [
            { task_id: "r", display_name: "dag", state: "FAILED", child_tasks: [{ task_id: "t" }] },
            task,
          ],
        },
      }),
    );
    const error = await rejection(client.runs.wait({ id: run.runId }));
    expect((error as RunError).message).toContain(
      'task "train" failed (and 1 more): out of memory [31m at line 3',
    );
  });

  const running = { afterMs: 1000, state: "RUNNING" };
  test.each([
    ["before what is planned", [running, { afterMs: 900_000, state: "SUCCEEDED" }]],
    ["with nothing else planned", [running]],
  ])("tells that somebody has ended it %s, though its state is FAILED", async (_, steps) => {
    const { client, run } = await world(() => steps);
    const error = await rejection(
      client.runs.wait(run.runId, {
        maxWaitMs: 60_000,
        onUpdate: ({ state }) => void (state === "RUNNING" && client.runs.terminate(run.runId)),
      }),
    );
    expect(error).toMatchObject({
      state: "FAILED",
      wasTerminated: true,
      message: expect.stringContaining("was terminated"),
    });
  });

  test("goes through a retry", async () => {
    let attempt = 0;
    const { client, run } = await world((planned) => (attempt++ === 0 ? bad(planned) : good(planned)));
    expect(isRunError(await rejection(client.runs.wait(run.runId)))).toBe(true);
    await client.runs.retry(run.runId);
    expect((await client.runs.wait(run.runId)).state).toBe("SUCCEEDED");
    expect(await rejection(client.runs.retry(run.runId))).toMatchObject({
      code: "conflict",
      remedy: expect.stringContaining("only a run that has failed"),
    });
  });
});

test("the events of a view leave out what only serves the engine, and tell equal names apart", async () => {
  const { client, run, trouble } = await world(good);
  const node = (id: string, name: string, state: string) => ({ task_id: id, display_name: name, state });
  const details = ["RUNNING", "SUCCEEDED"].map((state) =>
    json({
      run_id: run.runId,
      state: state === "SUCCEEDED" ? "SUCCEEDED" : "RUNNING",
      run_details: {
        task_details: [
          { ...node("0", "hello-x7k2p", state), child_tasks: [{ pod_name: "1" }] },
          node("1", "root-driver", state),
          node("2", "root", state),
          node("3", "a/b", state),
          node("4", "a/b", state),
          node("5", "executor", state),
        ],
      },
    }),
  );
  trouble.push(...details.slice(0, 1), ...details);
  const updates = await collect(client.runs.follow({ id: run.runId }));
  expect(
    updates.flatMap(({ events }) => events.map(({ number, task, state }) => `${number} ${task} ${state}`)),
  ).toEqual([
    "1 a%2Fb RUNNING",
    "2 a%2Fb%20(2) RUNNING",
    "3  RUNNING",
    "4 a%2Fb SUCCEEDED",
    "5 a%2Fb%20(2) SUCCEEDED",
    "6  SUCCEEDED",
  ]);
});
