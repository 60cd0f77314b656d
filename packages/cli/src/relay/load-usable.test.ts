import fs from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { everywhere } from "../../test/everywhere.js";
import { folderWith } from "../../test/run-program.js";
import { loadUsable, readAgain } from "./load-usable.js";

const environment = '[Environment "a"]\nsdkKey = sdk-a\n';

/** A folder with a configuration and a file, and what it is tried with. */
function setUp(text: string, isWorker = false) {
  const { cwd } = folderWith({ "relay.conf": text, file: "" });
  const sources = { cwd, file: "relay.conf" };
  return { cwd, sources, trial: { cwd, env: {}, isDev: false, isWorker } };
}

test.each([
  ["data", undefined],
  ["data/deep/er", undefined],
  ["file", "file is no folder"],
  ["file/deep/er", "file is no folder"],
])("flags may be kept in %s, or why they cannot: %s", async (dataFolder, reason) => {
  const { cwd, sources, trial } = setUp(`${environment}[Wye]\ndataFolder = ${dataFolder}\n`);
  const { problems, warnings } = await loadUsable(sources, trial);
  expect(problems).toEqual([]);
  const message = `flags will not be kept: ${join(cwd, reason ?? "")}`;
  expect(warnings).toEqual(reason === undefined ? [] : [{ at: "relay.conf:4", message }]);
});

test("flags are kept in a folder that can be entered and takes files, and not in another", async () => {
  const access = everywhere(vi.spyOn(fs, "access").mockRejectedValue(new Error("it is closed")));
  const { cwd, sources, trial } = setUp(`${environment}[Wye]\ndataFolder = data\n`);
  const { warnings } = await loadUsable(sources, trial);
  expect(warnings).toEqual([{ at: "relay.conf:4", message: "flags will not be kept: it is closed" }]);
  expect(access.mock.calls).toEqual([[cwd, fs.constants.W_OK | fs.constants.X_OK]]);
});

test("whether flags can be kept is the business of the process that has started workers", async () => {
  const { sources, trial } = setUp(`${environment}[Wye]\ndataFolder = file\n`, true);
  expect((await loadUsable(sources, trial)).warnings).toEqual([]);
});

test("what is doubtful of values comes before what shows when they are tried", async () => {
  const text = `${environment}[Datadog]\nenabled = true\n[Wye]\ndataFolder = file\n`;
  const { sources, trial } = setUp(text);
  const { warnings } = await loadUsable(sources, trial);
  expect(warnings.map(({ at }) => at)).toEqual(["relay.conf:4", "relay.conf:6"]);
});

test("what shows when values are tried is told in the order of lines with all else", async () => {
  const tls = "[Main]\ntlsEnabled = true\ntlsCert = none.pem\ntlsKey = none.pem\n";
  const { sources, trial } = setUp(`${tls}port = x\n${environment}`);
  const { problems } = await loadUsable(sources, trial);
  expect(problems.map(({ at }) => at)).toEqual(["relay.conf:3", "relay.conf:4", "relay.conf:5"]);
});

test("of a wrong configuration that is read again each mistake is told, and that nothing changes", async () => {
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const log = { debug() {}, info: print, warn: print, error: print, follow() {} };
  const wrong = setUp(`[Main]\nport = x\ninitTimeout = 1\n${environment}`);
  expect(await readAgain(wrong.sources, wrong.trial, log)).toBeUndefined();
  expect(printed).toEqual([
    expect.stringMatching(/relay\.conf:2\b.*port/),
    expect.stringMatching(/relay\.conf:3\b.*initTimeout/),
    "the configuration stays as it was",
  ]);
  const right = setUp(environment);
  expect((await readAgain(right.sources, right.trial, log))?.problems).toEqual([]);
  expect(printed).toHaveLength(3);
});
