import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { type Executor, runPipeline } from "../src/node/index.js";
import { artifact, type Part, pipelineOf, shell, string, takes, type } from "./cached-pipeline.js";
import { makeFolder } from "./make-folder.js";

const makes: Part = {
  component: { outputDefinitions: { artifacts: { a: { artifactType: type } } } },
  executor: shell("true"),
};
const reads = (producer: string): Part => ({
  task: takes(producer),
  component: { inputDefinitions: artifact, outputDefinitions: { parameters: { o: string } } },
  executor: shell(`read ${producer}`),
});
const twins = ["one", "two", "three"];
const pipeline = pipelineOf("twins", {
  ...Object.fromEntries(twins.map((name) => [name, makes])),
  ...Object.fromEntries(twins.map((name) => [`after-${name}`, reads(name)])),
});

/** Runs tasks of which three make the same at once, and tells which were begun. */
async function run(pipelineRoot: string, failing = 0) {
  const begun: string[] = [];
  const executor: Executor = {
    execute: async ({ task: { id } }) => {
      begun.push(id);
      if (twins.includes(id)) return { ok: begun.length > failing, message: "no" };
      return { ok: true, outputs: { parameters: { o: id } } };
    },
  };
  const { state } = await runPipeline(pipeline, { pipelineRoot, cache: true, concurrency: 6, executor });
  return { state, begun };
}

test("of tasks that make the same at once one makes it, and the next run finds all that came after them", async () => {
  const root = makeFolder();
  const { state, begun } = await run(root);
  expect([state, begun.sort()]).toEqual(["SUCCEEDED", ["after-one", "after-three", "after-two", "one"]]);
  expect(await run(root)).toEqual({ state: "SUCCEEDED", begun: [] });
});

test("when one of them fails the others try for themselves", async () => {
  const { state, begun } = await run(makeFolder(), 1);
  expect([state, begun.sort()]).toEqual(["FAILED", ["after-three", "after-two", ...twins.sort()]]);
});

test("who waits for another to make it keeps no place from others", async () => {
  const other: Part = { component: {}, executor: shell("other") };
  const pipeline = pipelineOf("places", { one: makes, two: makes, three: makes, other });
  let onOther = () => {};
  const otherHasBegun = new Promise<void>((resolve) => {
    onOther = resolve;
  });
  const begun: string[] = [];
  const executor: Executor = {
    execute: async ({ task: { id } }) => {
      begun.push(id);
      if (id === "other") onOther();
      await otherHasBegun;
      return { ok: true };
    },
  };
  const options = { pipelineRoot: makeFolder(), cache: true, concurrency: 2, executor };
  // The cache is asked for both, and answers in any order.
  const { state } = await runPipeline(pipeline, options);
  expect([state, begun.sort()]).toEqual(["SUCCEEDED", ["one", "other"]]);
});

test("those that have waited are as many at once as there may be", async () => {
  let [begun, running, most] = [0, 0, 0];
  let onTwo = () => {};
  const two = new Promise<void>((resolve) => {
    onTwo = resolve;
  });
  const executor: Executor = {
    execute: async () => {
      most = Math.max(most, ++running);
      if (running === 2) onTwo();
      // The others wait for the first to make it.
      if (++begun > 1) await two;
      for (let turn = 0; turn < 20; turn++) await new Promise((done) => void setImmediate(done));
      running--;
      return { ok: false, message: "no" };
    },
  };
  const options = { pipelineRoot: makeFolder(), cache: true, concurrency: 2, executor };
  expect([(await runPipeline(pipeline, options)).state, most]).toEqual(["FAILED", 2]);
});

test("who has waited takes a place again", async () => {
  const others = ["v", "w", "x", "y", "z"];
  const parts = others.map((name) => [name, { component: {}, executor: shell(name) }] as const);
  const pipeline = pipelineOf("again", { one: makes, two: makes, ...Object.fromEntries(parts) });
  let begin = () => {};
  const otherHasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const begun: string[] = [];
  let [running, most] = [0, 0];
  const executor: Executor = {
    execute: async ({ task: { id } }) => {
      begun.push(id);
      most = Math.max(most, ++running);
      if (others.includes(id)) begin();
      // The first twin fails while the other waits for it.
      const isFirst = id === begun.find((name) => twins.includes(name));
      if (isFirst) await otherHasBegun;
      else for (let turn = 0; turn < 50; turn++) await new Promise((done) => void setImmediate(done));
      running--;
      return { ok: !isFirst, message: "no" };
    },
  };
  const options = { pipelineRoot: makeFolder(), cache: true, concurrency: 2, executor };
  await runPipeline(pipeline, options);
  expect([begun.sort(), most]).toEqual([["one", "two", ...others].sort(), 2]);
});

test("iterations that share a key of their author run side by side", async () => {
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "keyed" },
      schemaVersion: "2.1.0",
      sdkVersion: "kfp-2.0.0",
      root: {
        dag: {
          tasks: {
            loop: {
              componentRef: { name: "comp" },
              cachingOptions: { enableCache: true, cacheKey: "mine" },
              parameterIterator: { items: { raw: "[1,2]" }, itemInput: "item" },
            },
          },
        },
      },
      components: {
        comp: {
          executorLabel: "exec",
          inputDefinitions: { parameters: { item: { parameterType: "NUMBER_INTEGER" } } },
        },
      },
      deploymentSpec: { executors: { exec: shell("true") } },
    }),
  );
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  let begun = 0;
  let onBoth = () => {};
  const both = new Promise<void>((resolve) => {
    onBoth = resolve;
  });
  const executor: Executor = {
    execute: async () => {
      if (++begun === 2) onBoth();
      await both;
      return { ok: true };
    },
  };
  const options = { pipelineRoot: makeFolder(), cache: true, concurrency: 2, executor };
  expect((await runPipeline(parsed.pipeline, options)).state).toBe("SUCCEEDED");
});
