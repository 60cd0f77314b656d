import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFinal, type PipelineRun, type RunTask, resumeRun, startRun } from "../src/index.js";
import { withoutCancellation } from "../src/run-snapshot.js";
import { failuresOf, randomDag, randomOf, resultOf, specOf } from "./random-pipeline.js";
import { interpret } from "./reference-interpreter.js";

function pipelineOf(spec: unknown): Pipeline {
  const parsed = parsePipeline(JSON.stringify(spec));
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
}

/** Carries out one of the tasks that are ready or running, chosen at random. */
function step(run: PipelineRun, random: () => number, seed: number): void {
  const running = run.tasks.filter(({ state, kind }) => state === "RUNNING" && kind === "container");
  const ready = run.ready();
  const chosen = Math.floor(random() * (ready.length + running.length));
  const task = ready[chosen];
  if (task !== undefined) {
    run.report(task.id, { state: "RUNNING" });
    return;
  }
  endOne(run, running[chosen - ready.length] ?? expect.unreachable("something is running"), seed);
}

/** An attempt ends as the seed says. */
function endOne(run: PipelineRun, { id, attempts, inputs }: RunTask, seed: number): void {
  if (attempts <= failuresOf(seed, id)) run.report(id, { state: "FAILED", error: { message: "by design" } });
  else {
    const x = inputs?.parameters.x;
    const y = resultOf(id, typeof x === "number" ? x : expect.unreachable("x is a number"));
    run.report(id, { state: "SUCCEEDED", outputs: { parameters: { y } } });
  }
}

/** A run that was cancelled, whose running tasks ended in one way or another, and that goes on. */
function interrupted(run: PipelineRun, random: () => number, seed: number): PipelineRun {
  const running = ({ state, kind }: RunTask) => state === "RUNNING" && kind === "container";
  run.cancel();
  for (const task of run.tasks.filter(running)) {
    if (random() < 0.5) run.report(task.id, { state: "CANCELLED" });
    else if (random() < 0.7) endOne(run, task, seed);
  }
  const again = resumeRun(withoutCancellation(JSON.parse(JSON.stringify(run))));
  for (const { id } of again.tasks.filter(running)) again.report(id, { state: "QUEUED" });
  return again;
}

const isOver = ({ state }: PipelineRun) => isFinal(state);
const numRuns = process.env.WYE_ALL_ROUNDS ? 1500 : 150;
const seeds = fc.integer({ min: 0, max: 2 ** 31 });

describe("random pipelines", () => {
  test("end as a plain interpreter says, in whatever order their tasks end, through snapshots, and however often they are interrupted", {
    timeout: 300_000,
  }, () => {
    let compared = 0;
    fc.assert(
      fc.property(seeds, seeds, (seed, order) => {
        const dag = randomDag(randomOf(seed));
        const expected = interpret(dag, seed, 4);
        const random = randomOf(order);
        let run = startRun(pipelineOf(specOf(dag)), { parameters: { x: 4 } });
        while (!isOver(run)) {
          step(run, random, seed);
          if (random() < 0.1) run = resumeRun(JSON.parse(JSON.stringify(run)));
          if (random() < 0.05) run = interrupted(run, random, seed);
        }
        const found = run.tasks.map(({ id, state, outputs }) => {
          const made = outputs?.parameters.y;
          return [id, { state, ...(made === undefined ? {} : { made }) }];
        });
        expect(Object.fromEntries(found)).toEqual(
          Object.fromEntries([...expected].filter(([id]) => id !== "")),
        );
        expect(run.state).toBe(expected.get("")?.state);
        expect(run.outputs?.parameters.y).toEqual(expected.get("")?.made);
        expect(run.ready()).toEqual([]);
        compared += expected.size;
      }),
      { numRuns, seed: 16 },
    );
    expect(compared).toBeGreaterThan(6 * numRuns);
  });

  test("start nothing more once they are cancelled, and end when what was running has", () => {
    fc.assert(
      fc.property(seeds, seeds, (seed, order) => {
        const random = randomOf(order);
        const run = startRun(pipelineOf(specOf(randomDag(randomOf(seed)))), { parameters: { x: 4 } });
        const before = Math.floor(random() * 12);
        for (let i = 0; i < before && !isOver(run); i++) step(run, random, seed);
        const running = run.tasks.filter(({ state, kind }) => state === "RUNNING" && kind === "container");
        const wasOver = isOver(run);
        const known = run.tasks.length;
        run.cancel();
        expect(run.ready()).toEqual([]);
        for (const { id } of running) run.report(id, { state: "CANCELLED" });
        expect(run.tasks.length).toBe(known);
        expect(run.tasks.filter(({ state }) => !isFinal(state))).toEqual([]);
        expect(wasOver || run.state === "CANCELLED").toBe(true);
      }),
      { numRuns, seed: 17 },
    );
  });
});
