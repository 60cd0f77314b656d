import { type PipelineClient, type Run, RunError, type RunUpdate } from "@wye/pipeline-client";
import { expect, test } from "vitest";
import type { Host } from "../../host.js";
import { type FollowViewOptions, followRun } from "./follow.js";
import { Outage } from "./outage.js";

const link = "http://k/";
const runIn = (state: Run["state"]) => ({ runId: "r", state }) as Run;
const update = (state: NonNullable<Run["state"]>): RunUpdate =>
  ({ run: runIn(state), state, isFinal: state !== "CANCELING", changes: [], events: [] }) as never;

/** How a run is followed of which these are the updates, and what is printed of it. */
async function followed(
  updates: readonly RunUpdate[] | (() => AsyncGenerator<RunUpdate>),
  options: FollowViewOptions = {},
  {
    interrupted = new AbortController().signal,
    outage = new Outage(),
    isTTY = false,
    env = {},
    printed = { out: "", err: "" },
  } = {},
) {
  const host: Host = {
    cwd: "/",
    env,
    out: { write: (text) => (printed.out += text) },
    err: { isTTY, columns: 80, rows: 20, write: (text) => (printed.err += text) },
    readInput: async () => undefined,
    interrupted,
  };
  const given = async function* () {
    if (typeof updates !== "function") yield* updates;
  };
  const runs = { follow: typeof updates === "function" ? updates : given };
  const client = { runs, links: { run: (id: string) => `${link}${id}` } } as unknown as PipelineClient;
  const code = await followRun(client, "name", { json: true, ...options }, host, outage);
  return { code, ...printed };
}

const failed = (wasTerminated: boolean) =>
  `wye: ${new RunError(runIn("FAILED"), wasTerminated).message}\n     ${link}r\n`;

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
  expect(err).toContain(`the run has succeeded: ${link}r\n`);
});

test("a change is told by the name of its task, or else by its id, with where it comes from and goes to", async () => {
  const changes = [
    { task: { displayName: "train", taskId: "t1" }, from: "PENDING", state: "RUNNING" },
    { task: { taskId: "t2", error: { message: "no disk" } }, from: "RUNNING", state: "FAILED" },
    { from: "RUNNING", state: "SUCCEEDED" },
  ];
  const { out } = await followed([{ ...update("SUCCEEDED"), changes } as never]);
  expect(JSON.parse(out).changes).toEqual([
    { task: "train", from: "PENDING", state: "RUNNING" },
    { task: "t2", from: "RUNNING", state: "FAILED", message: "no disk" },
    { from: "RUNNING", state: "SUCCEEDED" },
  ]);
});

test.each([
  [[update("CANCELING")], "r"],
  [[], "name"],
])("whoever has seen enough after %j is told that the run goes on", async (seen, id) => {
  const stop = new AbortController();
  const updates = async function* () {
    yield* seen;
    stop.abort();
    throw new Error("aborted");
  };
  const { code, err } = await followed(updates, {}, { interrupted: stop.signal });
  expect([code, err]).toEqual([130, `the run goes on: ${link}${id}\n`]);
});

test("what goes wrong by itself is told as it is", async () => {
  const updates = async function* () {
    yield update("CANCELING");
    throw new Error("no answer");
  };
  await expect(followed(updates)).rejects.toThrow("no answer");
});

const running = {
  ...update("CANCELING"),
  events: [{ task: "a", state: "RUNNING", at: 0, number: 1, reason: "it runs" }],
} as never;
/** A picture of it, up to the line that counts. */
const picture = /> a[\s\S]* 1 running[^\n]*\n$/;

test("in a terminal the last picture of a run is drawn before what is said of its end", async () => {
  const { err } = await followed([running, update("SUCCEEDED")], { json: false }, { isTTY: true });
  const [before, after] = err.split("the run has succeeded: ");
  expect([before, after]).toEqual([expect.stringMatching(picture), `${link}r\n`]);
});

test("in a terminal the last picture of a run is drawn when it is followed no longer, or cannot be", async () => {
  const stop = new AbortController();
  const updates = async function* () {
    yield running;
    throw new Error("no answer");
  };
  const printed = { out: "", err: "" };
  const lost = followed(updates, { json: false }, { isTTY: true, printed });
  await expect(lost).rejects.toThrow("no answer");
  expect(printed.err).toMatch(picture);
  stop.abort();
  const { err } = await followed(updates, { json: false }, { isTTY: true, interrupted: stop.signal });
  const [before, after] = err.split("the run goes on: ");
  expect([before, after]).toEqual([expect.stringMatching(picture), `${link}r\n`]);
});

test.each([
  [{}, false],
  [{ FORCE_COLOR: "1" }, false],
  [{ NO_COLOR: "1" }, true],
  [{ TERM: "dumb" }, true],
])("with %j, and %s for a terminal, a line is printed for each change", async (env, isTTY) => {
  const { err } = await followed([running, update("SUCCEEDED")], { json: false }, { env, isTTY });
  expect(err).toBe(`    0.0 s  > a: started\nthe run has succeeded: ${link}r\n`);
});

test("an outage is told behind what was shown, and from then on there are lines", async () => {
  const outage = new Outage();
  const updates = async function* () {
    yield running;
    outage.take({ attempt: 3, error: new Error("gone") } as never);
    const events = [{ task: "a", state: "FAILED", at: 0, number: 1, reason: "it runs" }];
    yield { ...update("SUCCEEDED"), events } as never;
  };
  const { code, out, err } = await followed(updates, { json: false }, { outage, isTTY: true });
  expect([code, out]).toEqual([0, ""]);
  const [before, after] = err.split("wye: gone; trying again\n");
  expect([before, after]).toEqual([
    expect.stringMatching(/> a[\s\S]* 1 running/),
    `    0.0 s  ✗ a: it runs\nthe run has succeeded: ${link}r\n`,
  ]);
});
