import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type ArtifactStore,
  type Executor,
  functionExecutor,
  type RunPipelineOptions,
  runPipeline,
  subprocessExecutor,
} from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";

// Whoever is waited for may never answer, and may not hear that nobody waits any more: a run that is cancelled ends without them.

const type = { schemaTitle: "system.Artifact", schemaVersion: "0.0.1" };
const artifacts = { data: { artifactType: type } };

/** A task that takes the artifact of another one, which is made in this way. */
function pipelineOf(giver: object): Pipeline {
  const source = { taskOutputArtifact: { producerTask: "give", outputArtifactKey: "data" } };
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "never" },
      schemaVersion: "2.1.0",
      root: {
        dag: {
          tasks: {
            give: { componentRef: { name: "comp-give" } },
            take: { componentRef: { name: "comp-take" }, inputs: { artifacts: { data: source } } },
          },
        },
      },
      components: {
        "comp-give": { executorLabel: "give", outputDefinitions: { artifacts } },
        "comp-take": { executorLabel: "take", inputDefinitions: { artifacts } },
      },
      deploymentSpec: {
        executors: { give: giver, take: { container: { image: "alpine", command: ["true"] } } },
      },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
}

const container = { container: { image: "alpine", command: ["true"] } };
const importer = (more: object = {}) => ({
  importer: { artifactUri: { constant: "gs://bucket/data" }, typeSchema: type, ...more },
});
const resolver = { resolver: { outputArtifactQueries: { data: { filter: 'name="data"' } } } };

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

type Never = () => Promise<never>;
const stores = (fetch: ArtifactStore["fetch"]): RunPipelineOptions => ({ stores: { gs: { fetch } } });

describe("a run that is cancelled ends without", () => {
  const gaveUp = "after it was cancelled, and was given up";
  const goingOn = `${gaveUp}: what it does may be going on`;
  const noAnswer = `${gaveUp}: nothing waits for its answer any more`;
  test.each<[string, object, (never: Never) => RunPipelineOptions, number, string]>([
    [
      "a store that a task waits for",
      importer(),
      stores,
      5,
      "the store of gs://bucket/data has not ended 5 s after",
    ],
    [
      "a store that an importer waits for",
      importer({ downloadToWorkspace: true }),
      stores,
      5,
      "the store of gs://bucket/data has not ended 5 s after",
    ],
    ["a resolver", resolver, (resolve) => ({ resolve }), 5, `give has not ended 5 s ${noAnswer}`],
    [
      "a function",
      container,
      (give) => ({ executor: functionExecutor({ give }) }),
      5,
      `give has not ended 5 s ${goingOn}`,
    ],
    [
      "an executor",
      container,
      (execute) => ({ executor: { execute } }),
      30,
      `give has not ended 30 s ${goingOn}`,
    ],
    [
      "an executor that says how long it takes",
      container,
      (execute) => ({ executor: { execute, endsWithinMs: 70_000 } }),
      70,
      `give has not ended 70 s ${goingOn}`,
    ],
  ])("%s", async (_, giver, options, seconds, warning) => {
    const user = new AbortController();
    const asked = vi.fn(() => new Promise<never>(() => user.abort()));
    const pipelineRoot = makeFolder();
    const running = runPipeline(pipelineOf(giver), {
      pipelineRoot,
      validate: false,
      signal: user.signal,
      executor: subprocessExecutor(),
      ...options(asked),
    });
    const over = vi.fn();
    void running.finally(over);
    while (vi.getTimerCount() === 0) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(over).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    const { state, warnings, folder } = await running;
    expect([state, warnings.filter((one) => one.includes("was given up"))]).toEqual([
      "CANCELLED",
      [expect.stringContaining(warning)],
    ]);
    expect(asked).toHaveBeenCalledOnce();
    expect(existsSync(join(folder, "run.lock"))).toBe(false);
  });

  test("what an attempt says after it was given up", async () => {
    const user = new AbortController();
    let late = () => {};
    const logs: string[] = [];
    const executor: Executor = {
      endsWithinMs: 0,
      execute: (_, { log, warn }) => {
        log("early");
        user.abort();
        late = () => {
          log("late");
          warn("late");
        };
        return new Promise(() => {});
      },
    };
    const running = runPipeline(pipelineOf(container), {
      pipelineRoot: makeFolder(),
      executor,
      signal: user.signal,
      onLog: (_, chunk) => logs.push(Buffer.from(chunk).toString()),
    });
    while (vi.getTimerCount() === 0) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(0);
    const { warnings } = await running;
    const before = [...warnings];
    late();
    expect([warnings, logs.filter((line) => line !== "")]).toEqual([before, ["early"]]);
  });

  test("what a store brings after it was given up, whoever goes on with the run", async () => {
    const user = new AbortController();
    const paths: string[] = [];
    let late = () => {};
    const first = stores((_: string, path: string) => {
      paths.push(path);
      user.abort();
      return new Promise<void>((resolve) => {
        late = resolve;
      });
    });
    const pipeline = pipelineOf(importer());
    const options = { executor: subprocessExecutor(), validate: false };
    const running = runPipeline(pipeline, {
      ...options,
      ...first,
      pipelineRoot: makeFolder(),
      signal: user.signal,
    });
    while (vi.getTimerCount() === 0) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(5000);
    const { folder } = await running;
    vi.useRealTimers();
    const fetched = join(folder, "fetched");
    const second = stores(async (_: string, path: string) => {
      paths.push(path);
      writeFileSync(path, "the whole");
      // The other one ends in the middle.
      writeFileSync(paths[0] ?? "", "cut off");
      late();
      await new Promise(setImmediate);
      await expect.poll(() => readdirSync(fetched).length, { timeout: 20_000 }).toBe(1);
    });
    expect((await runPipeline(pipeline, { ...options, ...second, resumeFrom: folder })).state).toBe(
      "SUCCEEDED",
    );
    expect(new Set(paths).size).toBe(2);
    const files = readdirSync(fetched);
    expect(files.map((name) => readFileSync(join(fetched, name), "utf8"))).toEqual(["the whole"]);
  });

  test("a time for that is a time", async () => {
    const executor = { execute: async () => ({ ok: true }) as const, endsWithinMs: Number.NaN };
    await expect(runPipeline(pipelineOf(container), { executor })).rejects.toThrow(
      'the option "endsWithinMs" of the executor of runPipeline is a number of milliseconds from 0',
    );
  });
});
