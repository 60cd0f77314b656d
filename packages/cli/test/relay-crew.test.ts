import cluster, { type Worker } from "node:cluster";
import { EventEmitter } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { fakeUpstream, mainSection, writeConfig } from "./relay-and-upstream.js";
import { makeFolder, wye } from "./run-program.js";

/** A process that has ended as soon as it was started. */
function endedProcess(code: number): Worker {
  const process = Object.assign(new EventEmitter(), { send: () => true, kill: () => true });
  setImmediate(() => process.emit("exit", code, null));
  const worker = Object.assign(new EventEmitter(), { process, isConnected: () => false, send: () => false });
  return worker as unknown as Worker;
}

/** How a relay with these lines ends whose workers cannot be started, and the numbers of those that were. */
async function crewOf(args: readonly string[], lines: string) {
  const fork = vi.spyOn(cluster, "fork").mockImplementation(() => endedProcess(3));
  onTestFinished(() => fork.mockRestore());
  const cwd = makeFolder();
  const upstream = await fakeUpstream("sdk-a");
  writeConfig(cwd, `${mainSection(upstream)}[Environment "a"]\nsdkKey = sdk-a\n${lines}`);
  const { code } = await wye(["relay", "--config", "relay.conf", "--port", "0", ...args], { cwd });
  return { code, numbers: fork.mock.calls.map(([env]) => Object.values(env ?? {})) };
}

test.each([
  [["--workers", "3"], "", ["1", "2", "3"]],
  [[], "[Wye]\nworkers = 2\n", ["1", "2"]],
  [["--workers", "2"], "[Wye]\nworkers = 3\n", ["1", "2"]],
])(
  "a relay with %j and %j starts as many workers, and ends with 1 when they cannot serve",
  async (args, lines, numbers) => {
    expect(await crewOf(args, lines)).toEqual({ code: 1, numbers: numbers.map((one) => [one]) });
  },
);

test("what fills a database once needs no workers", async () => {
  const ended = await crewOf(["--workers", "2"], "[Main]\nexitAlways = true\n");
  expect(ended).toEqual({ code: 0, numbers: [] });
});
