import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { type Executor, type RunResult, runPipeline } from "../src/node/index.js";
import { artifact, type Part, pipelineOf, shell, takes, type } from "./cached-pipeline.js";
import { makeFolder } from "./make-folder.js";
import { randomOf } from "./random-pipeline.js";

const rounds = process.env.WYE_ALL_ROUNDS ? 300 : 5;

test("many equal tasks, cancelled, robbed of files and resumed, give what they give without a cache", {
  timeout: 300_000,
}, async () => {
  let [found, resumed] = [0, 0];
  for (let seed = 1; seed <= rounds; seed++) {
    const random = randomOf(seed);
    const pipeline = pipelineFrom(random);
    const concurrency = 1 + Math.floor(random() * 4);
    const alone = await live(pipeline, { concurrency, pipelineRoot: makeFolder() });
    const expected = outcomeOf(alone.result);

    const cached = await live(pipeline, { concurrency, pipelineRoot: makeFolder(), cache: true });
    expect(outcomeOf(cached.result), `seed ${seed}`).toEqual(expected);
    expect(cached.made, `seed ${seed}: each once`).toEqual(cached.made.filter(isFirst));
    found += cached.result.tasks.filter((task) => task.cached).length;

    const options = { concurrency, pipelineRoot: makeFolder(), cache: true };
    let { result } = await live(pipeline, { ...options, cancelAt: 1 + Math.floor(random() * 6) });
    for (; result.state === "CANCELLED"; resumed++) {
      rob(result.folder, random);
      const cancelAt = random() < 0.5 ? 1 + Math.floor(random() * 6) : undefined;
      ({ result } = await live(pipeline, { ...options, cancelAt, resumeFrom: result.folder }));
    }
    expect(outcomeOf(result, false), `seed ${seed}, resumed`).toEqual(outcomeOf(alone.result, false));
  }
  expect([found > rounds, resumed > rounds / 2]).toEqual([true, true]);
});

const isFirst = (work: string, i: number, all: readonly string[]): boolean => all.indexOf(work) === i;

/** Tasks that make one of three things, or read what one before them has made; some in loops with equal items. */
function pipelineFrom(random: () => number): Pipeline {
  const below = (n: number) => Math.floor(random() * n);
  const parts: Record<string, Part> = {};
  const outputDefinitions = { artifacts: { a: { artifactType: type } } };
  const single: string[] = [];
  for (let i = 0; i < 14; i++) {
    const producer = random() < 0.6 ? single[below(single.length)] : undefined;
    const isLoop = producer === undefined && random() < 0.3;
    const items = Array.from({ length: below(8) }, () => below(2));
    const loop = {
      parameterIterator: { items: { raw: JSON.stringify(items) }, itemInput: "item" },
      iteratorPolicy: { parallelismLimit: below(3) },
    };
    const item = { parameters: { item: { parameterType: "NUMBER_INTEGER" } } };
    const inputs = { ...(producer ? artifact : {}), ...(isLoop ? item : {}) };
    // One of the things that are made cannot be.
    parts[`t${i}`] = {
      task: { ...(producer ? takes(producer) : {}), ...(isLoop ? loop : {}) },
      component: { inputDefinitions: inputs, outputDefinitions },
      executor: shell(producer ? `read ${below(2)}` : below(12) === 0 ? "bad" : `make ${below(2)}`),
    };
    if (!isLoop) single.push(`t${i}`);
  }
  return pipelineOf("equal", parts);
}

interface Life {
  readonly concurrency: number;
  readonly pipelineRoot: string;
  readonly cache?: boolean;
  readonly resumeFrom?: string;
  /** Which attempt cancels the run. */
  readonly cancelAt?: number | undefined;
}

/** A run, or a part of one, with what was made in it; never more at once than there may be. */
async function live(pipeline: Pipeline, { cancelAt, ...options }: Life) {
  const controller = new AbortController();
  const made: string[] = [];
  let [running, most, begun] = [0, 0, 0];
  const executor: Executor = {
    execute: async ({ command, executorInput, task }) => {
      most = Math.max(most, ++running);
      if (++begun === cancelAt) controller.abort();
      for (let turn = 0; turn < (begun % 4) * 10; turn++)
        await new Promise((done) => void setImmediate(done));
      running--;
      const source = executorInput.inputs?.artifacts.x?.artifacts[0]?.uri;
      const line = command.at(-1) ?? "";
      if (line === "bad") return { ok: false, message: "bad" };
      const given = source === undefined ? task.inputs.parameters.item : readFileSync(source, "utf8");
      if (given === "") return { ok: false, message: "what was made is empty" };
      const to = executorInput.outputs?.artifacts.a?.artifacts[0]?.uri;
      writeFileSync(to ?? expect.unreachable("an output"), JSON.stringify([line, given]));
      made.push(JSON.stringify([line, source ?? given]));
      return { ok: true };
    },
  };
  const settings = { ...options, validate: false, executor, signal: controller.signal };
  const result = await runPipeline(pipeline, settings);
  expect(most).toBeLessThanOrEqual(options.concurrency);
  return { result, made };
}

/** What has become of the tasks and, unless it was taken away, what they have made. */
function outcomeOf({ state, tasks }: RunResult, withFiles = true): readonly unknown[] {
  const textsOf = (lists: NonNullable<RunResult["outputs"]>["artifacts"]) =>
    Object.values(lists).flatMap(({ artifacts }) => artifacts.map(({ uri }) => readFileSync(uri, "utf8")));
  return [
    state,
    ...tasks.map((task) => [task.id, task.state, withFiles ? textsOf(task.outputs?.artifacts ?? {}) : []]),
  ];
}

/** Removes some of the files that tasks have made, and empties others. */
function rob(folder: string, random: () => number): void {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const name of names.filter((name) => /(^|\/)a$/.test(name))) {
    const chance = random();
    if (chance < 0.2) rmSync(join(folder, name));
    else if (chance < 0.4) writeFileSync(join(folder, name), "");
  }
}
