import { describe, expect, onTestFinished, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { startFakePipelineServer } from "../src/testing/index.js";
import { helloPipeline } from "./recorded-world.js";

// As robfig/cron 1.2.0 reads them, the library of the scheduler.

async function clientWithPipeline() {
  const server = await startFakePipelineServer();
  onTestFinished(() => server.close());
  const client = createPipelineClient({ host: server.url });
  await client.pipelines.upload(helloPipeline, { name: "hello" });
  return (cron: string) => client.recurringRuns.create({ pipeline: "hello", name: "nightly", cron });
}

const taken = [
  "0 0 3 * * *",
  "? ? ? ? ? ?",
  "*/5 1-3,,7 0-23/2 31 DEC mon-Fri",
  "5/15 0 0 1 1 0",
  "+5 07 * * Jan-dec/3 6",
  "*-9 * * * * *",
  "@hourly",
  "@every 1h30m",
  "@every 1.5s",
];
const refused = [
  ["a b c d e f", 'Failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
  ["0 0 25 * * *", "End of range (25) above maximum (23): 25"],
  ["99 * * * * *", "End of range (99) above maximum (59): 99"],
  ["0 0 3 32 * *", "End of range (32) above maximum (31): 32"],
  ["0 0 3 0 * *", "Beginning of range (0) below minimum (1): 0"],
  ["0 0 3 * 13 *", "End of range (13) above maximum (12): 13"],
  ["0 0 3 * * 7", "End of range (7) above maximum (6): 7"],
  ["0 0 3 * * MON-FOO", 'Failed to parse int from FOO: strconv.Atoi: parsing "FOO": invalid syntax'],
  ["5-1 * * * * *", "Beginning of range (5) beyond end of range (1): 5-1"],
  ["1-2-3 * * * * *", "Too many hyphens: 1-2-3"],
  ["1/2/3 * * * * *", "Too many slashes: 1/2/3"],
  ["*/0 * * * * *", "Step of range should be a positive number: */0"],
  ["5/-3 * * * * *", "Negative number (-3) not allowed: -3"],
  ["@every x", 'Failed to parse duration @every x: time: invalid duration "x"'],
] as const;

describe("the fake server", () => {
  test.each(taken)("starts runs by %s", async (cron) => {
    const create = await clientWithPipeline();
    expect((await create(cron)).trigger?.cronSchedule?.cron).toBe(cron);
  });

  test.each(refused)("refuses %s as a real one does", async (cron, reason) => {
    const create = await clientWithPipeline();
    await expect(create(cron)).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringContaining(
        `Schedule cron is not a supported format(https://godoc.org/github.com/robfig/cron). Error: ${reason}`,
      ),
    });
  });
});
