import { type PipelineClient, type Run, RunError, type RunUpdate } from "@wye/pipeline-client";
import { expect, test } from "vitest";
import type { Host } from "../../host.js";
import { type FollowViewOptions, followRun } from "./follow.js";
import { Outage } from "./outage.js";

const link = "http://k/r";
const runIn = (state: Run["state"]) => ({ runId: "r", state }) as Run;
const update = (state: NonNullable<Run["state"]>): RunUpdate =>
  ({ run: runIn(state), state, isFinal: state !== "CANCELING", changes: [], events: [] }) as never;

/** How a run is followed of which these are the updates, and what is printed of it. */
async function followed(updates: readonly RunUpdate[], options: FollowViewOptions = {}) {
  const printed = { out: "", err: "" };
  const host: Host = {
    cwd: "/",
    env: {},
    out: { write: (text) => (printed.out += text) },
    err: { write: (text) => (printed.err += text) },
    readInput: async () => undefined,
    interrupted: new AbortController().signal,
  };
  const runs = {
    async *follow() {
      yield* updates;
    },
  };
  const client = { runs, links: { run: () => link } } as unknown as PipelineClient;
  const code = await followRun(client, "r", { json: true, ...options }, host, new Outage());
  return { code, ...printed };
}

const failed = (wasTerminated: boolean) =>
  `wye: ${new RunError(runIn("FAILED"), wasTerminated).message}\n     ${link}\n`;

test.each<
  [what: string, updates: readonly RunUpdate[], options: FollowViewOptions, code: number, err: string]
>([
  ["has succeeded", [update("SUCCEEDED")], {}, 0, ""],
  ["has failed", [update("FAILED")], {}, 1, failed(false)],
  ["was being ended", [update("CANCELING"), update("FAILED")], {}, 1, failed(true)],
  ["the user has ended", [update("FAILED")], { isCanceled: true }, 1, failed(true)],
  ["nothing is told of", [], {}, 0, ""],
])("of a run that %s is told how it has ended", async (_, updates, options, code, err) => {
  expect(failed(true)).not.toBe(failed(false));
  const ended = await followed(updates, options);
  expect([ended.code, ended.err]).toEqual([code, err]);
  expect(
    ended.out
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  ).toEqual(updates.map(({ state, isFinal }) => ({ run: "r", state, isFinal, changes: [] })));
});

test("people are told in words that a run has succeeded, and where it is", async () => {
  const { code, out, err } = await followed([update("SUCCEEDED")], { json: false });
  expect([code, out]).toEqual([0, ""]);
  expect(err).toContain(`the run has succeeded: ${link}\n`);
});
