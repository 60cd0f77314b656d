import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import { beside, type DockerCommand } from "./docker-command.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Asks an engine whose command is these lines of shell, once it has said something. */
async function ask(script: string, limitMs?: number) {
  const folder = makeFolder();
  const program = join(folder, "docker");
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const context = { signal: new AbortController().signal, log: () => expect.unreachable(), warn() {} };
  // Of the work only its folder is asked for.
  const command = { work: { folder }, context, options: { program } } as unknown as DockerCommand;
  let said = "";
  const how = {
    log: (chunk: Uint8Array | string): void => {
      said += Buffer.from(chunk);
    },
  };
  const answer = beside(["version"], command, limitMs === undefined ? how : { ...how, limitMs });
  while (said === "") await new Promise(setImmediate);
  return { answer, said: () => said };
}

test.each([
  [undefined, 10_000, "its time of 10 s was over"],
  [500, 500, "its time of 0.5 s was over"],
])("an engine that does not answer is given up after its time: %j", async (limitMs, ms, message) => {
  const { answer, said } = await ask('echo "$1"; exec sleep 1000', limitMs);
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect([await answer, said()]).toEqual([{ ok: false, message }, "version\n"]);
});

test("a command that does not end when it is told to is killed two seconds later", async () => {
  const { answer } = await ask("trap '' TERM; echo begun; while :; do sleep 0.05; done");
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.advanceTimersByTimeAsync(1999);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await answer).toEqual({ ok: false, message: "its time of 10 s was over" });
});
