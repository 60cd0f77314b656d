import { expect, test, vi } from "vitest";
import { folderWith, wye } from "../../test/run-program.js";
import { mostWorkers } from "./most-workers.js";

const config = '[Environment "a"]\nsdkKey = sdk-a\n[Main]\nstreamUri = http://127.0.0.1:1\n';
const check = ["relay", "--config", "relay.conf", "--check"];

test.each([
  ["1", 0],
  [`${mostWorkers}`, 0],
  ["0", 2],
  ["-1", 2],
  ["1.5", 2],
  [`${mostWorkers + 1}`, 2],
  ["many", 2],
  ["", 2],
])("of %j workers a check ends with %i", async (workers, code) => {
  const ended = await wye([...check, `--workers=${workers}`], folderWith({ "relay.conf": config }));
  const problem = `It is a whole number from 1 to ${mostWorkers}.`;
  expect([ended.code, ended.err.includes(problem)]).toEqual([code, code === 2]);
});

/** How a relay ends that may be asked to read its configuration again, what listens to that then, and how often it was to outlive its output. */
async function ended(args: readonly string[], interrupted: AbortSignal, isAsked = false) {
  const outliveOutput = vi.fn();
  const listeners = new Set<() => void>();
  const left: string[] = [];
  const { code } = await wye(args, {
    ...folderWith({ "relay.conf": config }),
    interrupted,
    onReload(listener) {
      listeners.add(listener);
      if (isAsked) listener();
      return () => listeners.delete(listener);
    },
    outliveOutput,
    leaveBehind: () => left.push("what is being read"),
  });
  return { code, listeners: listeners.size, left, outlived: outliveOutput.mock.calls.length };
}

test("requests to read the configuration again are heard no more when the command has ended, whichever way", async () => {
  const { signal } = new AbortController();
  const nothing = { listeners: 0, left: [], outlived: 0 };
  expect(await ended(check, signal)).toEqual({ code: 0, ...nothing });
  expect(await ended([...check, "--dev", "x"], signal)).toEqual({ code: 2, ...nothing });
});

test("a relay that is ended outlives its output, and does not wait for what it is reading", async () => {
  const args = ["relay", "--config", "relay.conf", "--port", "0", "--host", "127.0.0.1"];
  const after = { code: 0, listeners: 0, outlived: 1 };
  expect(await ended(args, AbortSignal.abort())).toEqual({ ...after, left: [] });
  expect(await ended(args, AbortSignal.abort(), true)).toEqual({ ...after, left: ["what is being read"] });
});
