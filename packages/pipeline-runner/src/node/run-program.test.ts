import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { type Program, runProgram } from "./run-program.js";

/** Runs a line of shell; tells when it has said something. */
function run(line: string, rest: Partial<Program> = {}) {
  const controller = new AbortController();
  let said = "";
  let onSaid = () => {};
  const result = runProgram(
    {
      file: "/bin/sh",
      args: ["-c", line],
      environment: { PATH: process.env.PATH },
      folder: tmpdir(),
      timeoutMs: undefined,
      graceMs: 100,
      ...rest,
    },
    {
      signal: controller.signal,
      log: (chunk) => {
        said += Buffer.from(chunk).toString();
        onSaid();
      },
      warn() {},
    } as Parameters<typeof runProgram>[1],
  );
  const hasSaid = (text: string) =>
    new Promise<void>((resolve) => {
      onSaid = () => said.includes(text) && resolve();
      onSaid();
    });
  return { result, hasSaid, cancel: () => controller.abort() };
}

// It says when it is told to end, and goes on.
const stubborn = "trap 'echo asked' TERM; echo ready; while :; do sleep 0.05; done";

test("what was first said to end a program is why it ended: the time, and a cancellation behind it", async () => {
  const { result, hasSaid, cancel } = run(stubborn, { timeoutMs: 500, graceMs: 2000 });
  await hasSaid("asked");
  cancel();
  expect(await result).toEqual({ ok: false, message: "its time of 0.5 s was over" });
});

test("a cancelled program is cancelled although its time is over before it has ended", async () => {
  const { result, hasSaid, cancel } = run(stubborn, { timeoutMs: 2000, graceMs: 2500 });
  await hasSaid("ready");
  cancel();
  expect(await result).toEqual({ ok: false, message: "it was cancelled" });
});

test.each([
  ["exit 0", { ok: true }],
  ["echo no >&2; exit 3", { ok: false, message: "exit code 3: no", code: 3 }],
  ["echo last; kill -9 $$", { ok: false, message: "it was killed by SIGKILL: last" }],
  ["exit 1", { ok: false, message: "exit code 1", code: 1 }],
])("%s", async (line, expected) => {
  expect(await run(line).result).toEqual(expected);
});
