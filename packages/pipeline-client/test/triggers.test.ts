import { describe, expect, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { createFakePipelineServer } from "../src/testing/index.js";
import { helloPipeline } from "./recorded-world.js";

async function recurring(given: object) {
  const fake = createFakePipelineServer();
  const client = createPipelineClient({ host: "http://kfp.example", fetch: fake.fetch, retry: false });
  await client.pipelines.upload(helloPipeline);
  return client.recurringRuns.create({ name: "r", pipeline: "hello", ...given });
}

describe("a recurring run does not start by", () => {
  const end = "`endTime` is not after `startTime`: it would never start anything";
  const six = "`cron` has six fields, seconds first, or is @daily or its like";
  const one = "a recurring run has a `cron` or `intervalSeconds`: give exactly one of them";
  test.each<readonly [given: object, message: string]>([
    [{}, one],
    [{ cron: "@daily", intervalSeconds: 60 }, one],
    [{ intervalSeconds: 60, startTime: new Date(1), endTime: new Date(1) }, end],
    [{ intervalSeconds: 60, startTime: new Date(2), endTime: new Date(1) }, end],
    [{ cron: "@daily", startTime: new Date(1), endTime: new Date(1) }, end],
    [{ cron: "0 3 * * *" }, `${six}; did you mean "0 0 3 * * *"?`],
    [{ cron: "  0 3 * * * " }, `${six}; did you mean "0 0 3 * * *"?`],
    ...["0 0 0 3 * * *", "* * * *", "", "@dailyx", "x@daily", "@every", "@every 1h 2m"].map(
      (cron) => [{ cron }, six] as const,
    ),
    ...[0, 1.5, 2 ** 53].map(
      (intervalSeconds) =>
        [{ intervalSeconds }, "`intervalSeconds` is a whole number from 1 to 2^53 - 1"] as const,
    ),
  ])("%j", async (given, message) => {
    await expect(recurring(given)).rejects.toThrow(new TypeError(message));
  });
});

describe("a recurring run starts by", () => {
  const names = ["yearly", "annually", "monthly", "weekly", "daily", "midnight", "hourly", "every 1h"];
  const [startTime, endTime] = [new Date(1000), new Date(2000)];
  test.each<readonly [given: object, trigger: object]>([
    [{ cron: " 0 0 3 * * * " }, { cronSchedule: { cron: "0 0 3 * * *" } }],
    ...names.map((name) => [{ cron: ` @${name} ` }, { cronSchedule: { cron: `@${name}` } }] as const),
    [{ intervalSeconds: 1 }, { periodicSchedule: { intervalSecond: 1 } }],
    [
      { intervalSeconds: 60, startTime, endTime },
      { periodicSchedule: { startTime, endTime, intervalSecond: 60 } },
    ],
    [{ cron: "@daily", endTime }, { cronSchedule: { endTime, cron: "@daily" } }],
    [{ cron: "@daily", startTime }, { cronSchedule: { startTime, cron: "@daily" } }],
  ])("%j", async (given, trigger) => expect((await recurring(given)).trigger).toEqual(trigger));
});

describe("a recurring run", () => {
  const refusalOf = async (given: object): Promise<unknown> => {
    const client = createPipelineClient({
      host: "http://kfp.example",
      fetch: () => expect.unreachable("nothing is sent"),
    });
    const right = { name: "r", file: helloPipeline, intervalSeconds: 60 };
    return client.recurringRuns.create({ ...right, ...given }).catch((error: unknown) => error);
  };

  test.each([0, 0.5, 1.5, 11, Number.POSITIVE_INFINITY])(
    "does not start %d at a time",
    async (maxConcurrency) => {
      expect(await refusalOf({ maxConcurrency })).toEqual(
        new TypeError("`maxConcurrency` is a whole number from 1 to 10"),
      );
    },
  );

  test.each([1, 10])("may start %d at a time", async (maxConcurrency) => {
    expect((await recurring({ intervalSeconds: 60, maxConcurrency })).maxConcurrency).toBe(maxConcurrency);
  });

  test.each(["", undefined])("is not called %j", async (name) => {
    expect(await refusalOf({ name })).toEqual(new TypeError("a recurring run has a `name`"));
  });
});

describe("the fake server tells with 200, as text, that there is no log", () => {
  const logOf = async (fake: ReturnType<typeof createFakePipelineServer>, id: string) => {
    const path = `/apis/v1alpha1/runs/${encodeURIComponent(id)}/nodes/n/log`;
    const answer = await fake.fetch(`http://kfp.example${path}`);
    return [answer.status, answer.headers.get("content-type"), await answer.json()];
  };
  const told = (why: string) => [
    200,
    "text/plain; charset=utf-8",
    { error_message: why, error_details: why },
  ];

  test("of a run", async () => {
    const fake = createFakePipelineServer();
    const client = createPipelineClient({ host: "http://kfp.example", fetch: fake.fetch });
    await client.pipelines.upload(helloPipeline);
    const { runId } = await client.runs.create({ pipeline: "hello", name: "r" });
    expect(await logOf(fake, runId)).toEqual(told("NotFoundError: no log is kept"));
  });

  test("of no run", async () => {
    expect(await logOf(createFakePipelineServer(), "x/1")).toEqual(
      told(
        "BadRequestError: Failed to read logs for run x/1 due to run fetching error: Failed to fetch run x/1: ResourceNotFoundError: Run x/1 not found",
      ),
    );
  });

  test("but not elsewhere", async () => {
    const fake = createFakePipelineServer();
    for (const path of [
      "/runs/r/nodes/n/log",
      "/apis/v1alpha1/runs/r/nodes/n/log/x",
      "/x/apis/v1alpha1/runs/r/nodes/n/log",
    ]) {
      const answer = await fake.fetch(`http://kfp.example${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });
});
