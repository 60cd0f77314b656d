import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import type { RuntimeArtifact } from "@wye/pipeline-spec";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import type { ReadyContainer } from "../ready-task.js";
import { type CacheTools, ResultCache, stampOf } from "./result-cache.js";

interface Told {
  readonly command?: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly input?: string;
  readonly name?: string;
  readonly id?: string;
  readonly key?: string;
  readonly isKeyNamed?: true;
}

/** The entry of a task of which this is told, in a run of which that is. */
function entryOf(
  { command = "true", env = [], input = "", name = "a", id = "a", key = "key", isKeyNamed }: Told = {},
  { job = "job", workspace = "/run/workspace", pipeline = "p", own = "own" as unknown } = {},
) {
  const container = { image: "alpine", command: [command], args: [], env };
  const inputs = { parameters: { input }, artifacts: {}, defaulted: [] };
  const task = { kind: "container", container, inputs, name, id, cacheKey: key, isKeyNamed };
  const tools: CacheTools = {
    executor: { cacheKey: () => own },
    folder: { workspace },
    facts: { pipeline_job_name: job },
  };
  // Only what entries are made of is asked for.
  return new ResultCache(makeFolder(), pipeline).entryOf(task as unknown as ReadyContainer, tools);
}

const filled = (fact: string): Told => ({ command: `echo {{$.${fact}}}` });
const env = [{ name: "A", value: "1" }];

test.each<[string, Parameters<typeof entryOf>, Parameters<typeof entryOf>]>([
  ["of another pipeline", [{}, {}], [{}, { pipeline: "q" }]],
  ["of another key", [{}], [{ key: "other" }]],
  ["of another executor", [{}, {}], [{}, { own: "other" }]],
  ["with other variables", [{ env }], [{}]],
  ["that is told another id", [filled("pipeline_task_uuid")], [{ ...filled("pipeline_task_uuid"), id: "b" }]],
  [
    "that is told another name",
    [filled("pipeline_task_name")],
    [{ ...filled("pipeline_task_name"), name: "b" }],
  ],
  ["that is told another job", [filled("pipeline_job_name")], [filled("pipeline_job_name"), { job: "b" }]],
  [
    "that is told another workspace",
    [filled("workspace_path")],
    [filled("workspace_path"), { workspace: "/b" }],
  ],
  [
    "that is given the workspace",
    [{ input: "/run/workspace/x" }],
    [{ input: "/run/workspace/x" }, { workspace: "/b" }],
  ],
])("a task %s has another entry", async (_, one, other) => {
  expect(await entryOf(...one)).toMatch(/^[\da-f]{64}\.json$/);
  expect(await entryOf(...other)).not.toBe(await entryOf(...one));
});

test.each<[string, Parameters<typeof entryOf>, Parameters<typeof entryOf>]>([
  ["another id", [{}], [{ id: "b", name: "b" }]],
  ["another job and workspace", [{}], [{}, { job: "b", workspace: "/b" }]],
  [
    "another job, whose name it only mentions",
    [{ command: "echo pipeline_job_name" }],
    [{ command: "echo pipeline_job_name" }, { job: "b" }],
  ],
  [
    "other variables, where the author has named the key",
    [{ env, isKeyNamed: true }],
    [{ isKeyNamed: true }],
  ],
])("a task that is not told of it has the same entry with %s", async (_, one, other) => {
  expect(await entryOf(...other)).toBe(await entryOf(...one));
});

test.each([
  ["a promise", () => Promise.resolve("key")],
  ["a promise that fails", () => Promise.reject(new Error("late"))],
])("what an executor depends on cannot be %s", async (_, own) => {
  await expect(entryOf({}, { own: own() })).rejects.toThrow("`cacheKey` of the executor gave a promise");
});

test("of what is old in the folder only drafts go", async () => {
  const folder = makeFolder();
  const draft = "1.json.00000000-0000-4000-8000-000000000000";
  const others = ["1.json", "2.json.txt", "notes.txt"];
  const longAgo = new Date(Date.now() - 86_400_000);
  for (const name of [draft, ...others]) {
    writeFileSync(join(folder, name), "");
    utimesSync(join(folder, name), longAgo, longAgo);
  }
  await new ResultCache(folder, "p").keep("0.json", { parameters: {}, artifacts: {} }, {});
  expect(readdirSync(folder).toSorted()).toEqual(["0.json", ...others]);
});

test("a result that cannot be put in its place leaves nothing else there", async () => {
  const { rename } = promises;
  const change = (call: unknown): void => {
    Object.assign(promises, { rename: call });
    syncBuiltinESMExports();
  };
  onTestFinished(() => change(rename));
  change(() => Promise.reject(new Error("EACCES")));
  const folder = makeFolder();
  const cache = new ResultCache(folder, "p");
  await expect(cache.keep("0.json", { parameters: {}, artifacts: {} }, {})).rejects.toThrow("EACCES");
  expect(readdirSync(folder)).toEqual([]);
  change(rename);
  await cache.keep("0.json", { parameters: { a: 1 }, artifacts: {} }, {});
  expect(readdirSync(folder)).toEqual(["0.json"]);
  expect((await cache.find("0.json"))?.outputs).toEqual({ parameters: { a: 1 }, artifacts: {} });
  expect(await cache.find("1.json")).toBeUndefined();
});

test("what artifacts are like is the same wherever they are, and another one when they are others", async () => {
  const folder = makeFolder();
  const at = new Date(2026, 0, 31);
  const stamp = (name: string, text: string) => {
    const uri = join(folder, name);
    writeFileSync(uri, text);
    utimesSync(uri, at, at);
    return stampOf({ data: { artifacts: [{ name, uri, metadata: {} } as RuntimeArtifact] } });
  };
  const [one, moved, other] = [await stamp("a", "text"), await stamp("b", "text"), await stamp("c", "else")];
  expect(one).toMatch(/^[\da-f]{64}$/);
  expect(moved).toBe(one);
  expect(other).not.toBe(one);
});
