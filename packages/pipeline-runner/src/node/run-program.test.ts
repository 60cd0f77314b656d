import programs from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { LastWords, type Program, runProgram } from "./run-program.js";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

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
  return { result, hasSaid, cancel: () => controller.abort(), said: () => said };
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

/** What this process has sent to the group of a program whose first word is its number. */
function signalsTo(program: Pick<ReturnType<typeof run>, "said">) {
  const kill = vi.spyOn(process, "kill");
  return () =>
    kill.mock.calls.filter(([to]) => to === -Number.parseInt(program.said(), 10)).map(([, sent]) => sent);
}

test("nothing is done to a program that has ended, whatever comes then", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const program = run("echo $$", { timeoutMs: 600_000 });
  expect(await program.result).toEqual({ ok: true });
  const sent = signalsTo(program);
  program.cancel();
  expect([vi.getTimerCount(), sent()]).toEqual([0, []]);
});

test("a program that ends in its grace may say why", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const program = run("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done");
  await program.hasSaid("ready");
  program.cancel();
  expect([await program.result, vi.getTimerCount()]).toEqual([{ ok: false, message: "it was cancelled" }, 0]);
  expect(program.said()).toContain("bye");
});

test("a program that does not end in its grace is killed then", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const program = run(`echo $$; ${stubborn}`, { graceMs: 5000 });
  await program.hasSaid("ready");
  const sent = signalsTo(program);
  program.cancel();
  await program.hasSaid("asked");
  await vi.advanceTimersByTimeAsync(4999);
  expect(sent()).toEqual(["SIGTERM"]);
  await vi.advanceTimersByTimeAsync(1);
  // What is left of its group goes with it.
  expect(new Set(sent())).toEqual(new Set(["SIGTERM", "SIGKILL"]));
  expect(await program.result).toEqual({ ok: false, message: "it was cancelled" });
});

test("what has left the group of a program, and prints as it does, is waited for two seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const leaves = `setsid sh -c "echo \\$\\$; echo > $f; exec sleep 300" & until test -s $f; do sleep 0.05; done; rm $f`;
  const { result, said } = run(`f=$(mktemp); ${leaves}`);
  const over = vi.fn();
  void result.then(over);
  while (!(vi.getTimerCount() > 0 && /\d\n/.test(said()))) await new Promise(setImmediate);
  onTestFinished(() => void process.kill(Number(said())));
  await vi.advanceTimersByTimeAsync(1999);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toEqual({ ok: true });
});

describe("a program that the system does not start", () => {
  const refusals = ["EAGAIN", "EMFILE", "ENFILE", "ENOMEM", "ENOENT", "EACCES", undefined];
  test.each(refusals)("is started again only when what was scarce may be there later: %s", async (code) => {
    const { spawn } = programs;
    onTestFinished(() => {
      programs.spawn = spawn;
      syncBuiltinESMExports();
    });
    programs.spawn = () => {
      throw Object.assign(new Error("no"), code === undefined ? {} : { code });
    };
    syncBuiltinESMExports();
    const retry = ["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"].includes(code ?? "");
    expect(await run("true").result).toEqual({ ok: false, message: "it cannot be started: no", retry });
  });

  test("is told of with its longest argument when they are too long", async () => {
    const args = ["-c", "true", "ü".repeat(2 ** 20), "x"];
    expect(await run("", { args }).result).toEqual({
      ok: false,
      message: `its arguments are too long for this system: the longest has ${2 ** 21} bytes; hand large values over as artifacts`,
      retry: false,
    });
  });
});

describe("the last words of a program", () => {
  test.each<[string, readonly string[], string]>([
    ["are nothing where it has said nothing", [], ""],
    ["are its last line", ["one\ntwo"], "two"],
    ["are its last line that says something", ["one\n two \n\n  \n"], "two"],
    ["come in pieces", ["one\ntw", "o", "\n"], "two"],
    ["are whole up to 300 characters", ["x".repeat(300)], "x".repeat(300)],
    ["are the end of a longer line", [`a${"x".repeat(300)}`], `…${"x".repeat(300)}`],
    ["are those of its last 1000 characters", [`kept${"\n".repeat(996)}`], "kept"],
    ["are nothing when it has said nothing for longer", [`lost${"\n".repeat(1000)}`], ""],
    ["are nothing when it has said nothing for longer, in pieces", ["lost", "\n".repeat(999), "\n"], ""],
  ])("%s", (_, pieces, line) => {
    const words = new LastWords();
    for (const piece of pieces) words.add(Buffer.from(piece));
    expect(words.line()).toBe(line);
  });

  test("are the last ones of those that are asked for", () => {
    const words = new LastWords();
    words.add(Buffer.from("why: 1\nwhy: 2\nand so on"));
    expect(words.line((line) => line.startsWith("why"))).toBe("why: 2");
    expect(words.line((line) => line.startsWith("how"))).toBe("");
  });
});
