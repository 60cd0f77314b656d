import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, shellPipeline, wye } from "./run-program.js";

const countingPipeline = (cwd: string) =>
  shellPipeline(`printf x >> '${join(cwd, "times")}'; printf done > "$1"`).replace(
    '"taskInfo":{"name":"only"}',
    '"taskInfo":{"name":"only"},"cachingOptions":{"enableCache":true}',
  );

test("results of earlier runs are taken only when that is asked for", async () => {
  const host = folderWith({});
  writeFileSync(join(host.cwd, "counted.json"), countingPipeline(host.cwd));
  const times = async (...more: readonly string[]) => {
    expect((await wye(["pipeline", "run", "counted.json", ...more], host)).out).toBe('out = "done"\n');
    return readFileSync(join(host.cwd, "times"), "utf8").length;
  };
  expect([await times("--cache"), await times(), await times("--cache"), await times()]).toEqual([
    1, 2, 2, 3,
  ]);
});

test.each([
  [[], []],
  [["--profile", "spec"], ["spec"]],
])("a run with the options %j writes down whose rules it has: %j", async (args, profiles) => {
  const host = folderWith({ "good.json": shellPipeline(`printf done > "$1"`) });
  expect((await wye(["pipeline", "run", "good.json", ...args], host)).code).toBe(0);
  const [folder = ""] = readdirSync(join(host.cwd, "local_outputs"));
  const [head = ""] = readFileSync(join(host.cwd, "local_outputs", folder, "run.jsonl"), "utf8").split("\n");
  expect(Array.from(head.matchAll(/"profile":"(\w+)"/g), ([, name]) => name)).toEqual(profiles);
});

const twins = `
pipelineInfo: {name: twins}
schemaVersion: 2.1.0
root:
  dag:
    tasks:
      a: {taskInfo: {name: a}, componentRef: {name: comp-one}}
      b: {taskInfo: {name: b}, componentRef: {name: comp-one}}
components: {comp-one: {executorLabel: exec-one}}
deploymentSpec: {executors: {exec-one: {container: {image: alpine, command: ["true"]}}}}
`;

test("no more tasks run at once than are wished", async () => {
  const args = ["pipeline", "run", "twins.yaml", "--json", "--concurrency", "1"];
  const { out } = await wye(args, folderWith({ "twins.yaml": twins }));
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const told = events.filter(({ task, state }) => task && state !== "QUEUED");
  expect(told.map(({ task, state }) => `${task} ${state}`)).toEqual([
    "a RUNNING",
    "a SUCCEEDED",
    "b RUNNING",
    "b SUCCEEDED",
  ]);
});

test("the time of a run is one in seconds", async () => {
  const host = folderWith({ "long.json": shellPipeline("exec sleep 1000") });
  const { code, err } = await wye(["pipeline", "run", "long.json", "--timeout", "0.1"], host);
  expect([code, err]).toEqual([1, expect.stringContaining("its time of 0.1 s is over")]);
});
