import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { fakeProcess } from "../test/fake-process.js";
import { processHost } from "./process-host.js";

const signals = ["SIGINT", "SIGTERM"] as const;

const listeners = (fake: ReturnType<typeof fakeProcess>) =>
  [...signals, "SIGHUP"].map((signal) => fake.listenerCount(signal));

test("a host has the folder, the variables and the outputs of its process, and as much of its input as is wanted", async () => {
  const fake = fakeProcess({ env: { a: "b" } });
  const host = processHost();
  expect([host.cwd, host.env, host.out, host.err]).toEqual(["/here", { a: "b" }, fake.stdout, fake.stderr]);
  expect(Buffer.from((await host.readInput(5)) ?? []).toString()).toBe("input");
  fakeProcess();
  expect(await processHost().readInput(4)).toBeUndefined();
});

test.each(signals)(
  "until somebody would hear of %s it ends the process, and so does a second one",
  (signal) => {
    const fake = fakeProcess();
    const host = processHost();
    expect(listeners(fake)).toEqual([0, 0, 0]);
    expect(host.interrupted.aborted).toBe(false);
    expect(host.interrupted).toBe(host.interrupted);
    expect(listeners(fake)).toEqual([1, 1, 1]);
    fake.emit(signal);
    expect([host.interrupted.aborted, fake.exits]).toEqual([true, []]);
    expect(fake.listenerCount(signal)).toBe(0);
  },
);

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
])("the first process of a container ends itself at %s, with %i", (signal, code) => {
  const early = fakeProcess({ pid: 1 });
  const { interrupted: _, ...unheard } = Object.getOwnPropertyDescriptors(processHost());
  expect(unheard).toBeDefined();
  early.emit(signal);
  expect(early.exits).toEqual([code]);

  const fake = fakeProcess({ pid: 1 });
  const { interrupted } = processHost();
  expect(listeners(fake)).toEqual([1, 1, 1]);
  fake.emit(signal);
  expect([interrupted.aborted, fake.exits]).toEqual([true, []]);
  fake.emit(signal);
  expect(fake.exits).toEqual([code]);
});

test("a terminal that was closed ends what ran in it, as gently, and once", () => {
  const fake = fakeProcess();
  const { interrupted } = processHost();
  fake.emit("SIGHUP");
  expect([interrupted.aborted, fake.listenerCount("SIGHUP"), fake.exits]).toEqual([true, 0, []]);
});

test("what reads its configuration again at SIGHUP is not ended by it, until it does so no more", () => {
  const fake = fakeProcess();
  const host = processHost();
  const { interrupted } = host;
  let [first, second] = [0, 0];
  const stopFirst = host.onReload?.(() => first++);
  const stopSecond = host.onReload?.(() => second++);
  fake.emit("SIGHUP");
  stopFirst?.();
  fake.emit("SIGHUP");
  expect([first, second, interrupted.aborted]).toEqual([1, 2, false]);
  stopSecond?.();
  fake.emit("SIGHUP");
  expect([first, second, interrupted.aborted, fake.listenerCount("SIGHUP")]).toEqual([1, 2, true, 0]);
});

test.each([
  ["nohup", true],
  ["/usr/bin/nohup", true],
  ["/usr/bin/node", false],
  ["mynohup", false],
  ["nohup.sh", false],
  [undefined, false],
])("a terminal may be closed when %s has started the program: %s", (starter, goesOn) => {
  const fake = fakeProcess({ env: { _: starter }, ppid: 2 ** 22 + 1 });
  const { interrupted } = processHost();
  fake.emit("SIGHUP");
  expect(interrupted.aborted).toBe(!goesOn);
});

test.each([
  ["ignores", "trap '' HUP;", true],
  ["does not ignore", "", false],
  ["ignores all but", "trap '' INT QUIT TERM;", false],
])("a terminal may be closed when the parent %s SIGHUP", async (_, trap, goesOn) => {
  const parent = spawn("sh", ["-c", `${trap} echo up; read line`], { stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(parent, "close");
  onTestFinished(async () => {
    parent.kill("SIGKILL");
    await ended;
  });
  await once(parent.stdout, "data");
  const fake = fakeProcess({ ppid: parent.pid });
  const { interrupted } = processHost();
  fake.emit("SIGHUP");
  expect(interrupted.aborted).toBe(!goesOn);
});

const failure = (code: string) => Object.assign(new Error(`write ${code}`), { code });

test("a reader that has seen enough ends a program without a word, and without a verdict of its own", () => {
  const fake = fakeProcess();
  const host = processHost();
  fake.stdout.emit("error", failure("EPIPE"));
  expect([host.interrupted.aborted, fake.exitCode, fake.stderr.written]).toEqual([true, undefined, []]);
  host.end(1);
  expect([fake.exitCode, fake.exits]).toEqual([1, []]);
});

test("an output that cannot be written is told of, and is a failure whatever the command says", () => {
  const fake = fakeProcess();
  const host = processHost();
  fake.stdout.emit("error", failure("ENOSPC"));
  expect([host.interrupted.aborted, fake.exitCode]).toEqual([true, 2]);
  expect(fake.stderr.written).toEqual(["wye: cannot write: write ENOSPC\n"]);
  host.end(0);
  expect(fake.exitCode).toBe(2);
});

test.each(["EPIPE", "ENOSPC"])(
  "what serves others goes on after %s, and says once that lines are lost",
  (code) => {
    const fake = fakeProcess();
    const host = processHost();
    host.outliveOutput?.();
    for (let times = 0; times < 3; times++) fake.stdout.emit("error", failure(code));
    expect([host.interrupted.aborted, fake.exitCode]).toEqual([false, undefined]);
    expect(fake.stderr.written).toEqual([`wye: lines are lost: write ${code}\n`]);
  },
);

test("what serves others ends with the terminal that it writes to", () => {
  const fake = fakeProcess();
  fake.stdout.isTTY = true;
  const host = processHost();
  host.outliveOutput?.();
  fake.stdout.emit("error", failure("EIO"));
  expect([host.interrupted.aborted, fake.stderr.written]).toEqual([true, ["wye: cannot write: write EIO\n"]]);
});

test("errors that nobody can be told of end nothing", () => {
  const fake = fakeProcess();
  const host = processHost();
  fake.stderr.emit("error", failure("EPIPE"));
  expect([host.interrupted.aborted, fake.exitCode, fake.exits]).toEqual([false, undefined, []]);
});

test("a program ends when nothing is left to do; what was left behind keeps it no longer than its last words", () => {
  const patient = fakeProcess();
  processHost().end(0);
  expect([patient.exitCode, patient.exits, patient.stdout.written]).toEqual([0, [], []]);
  const fake = fakeProcess();
  const host = processHost();
  host.leaveBehind?.();
  expect(fake.exits).toEqual([]);
  host.end(1);
  expect([fake.exitCode, fake.exits, fake.stdout.written]).toEqual([1, [undefined], [""]]);
});

test("only what serves others ends although its last lines are not taken", () => {
  for (const serves of [false, true]) {
    const fake = fakeProcess();
    fake.stdout.writableLength = 1;
    fake.stderr.writableLength = 1;
    const host = processHost();
    if (serves) host.outliveOutput?.();
    host.end(0);
    const watched = [fake.stdout, fake.stderr].map((output) => output.watched.map(({ ms }) => ms));
    expect(watched).toEqual(serves ? [[2000], [2000]] : [[], []]);
  }
});
