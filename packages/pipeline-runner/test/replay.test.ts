import { readFileSync } from "node:fs";
import { parsePipeline, RuntimeArtifact } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type PipelineRun, type ReadyTask, resumeRun, startRun, type TaskReport } from "../src/index.js";

// Recorded runs of the reference runner: tasks are not executed, their recorded outputs are reported, and the run must ask for exactly
// these tasks with these inputs, and come to the recorded end. After every report the run is made again from its snapshot.

interface TaskRecord {
  readonly component: string;
  readonly task: string;
  readonly status?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}
interface Recorded {
  readonly status: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly tasks: readonly TaskRecord[];
  readonly pipeline_outputs: Readonly<Record<string, unknown>>;
}

const folder = new URL("../../pipeline-spec/testdata/pipelines/", import.meta.url);
const {
  cases,
}: { readonly cases: Readonly<Record<string, { readonly [kind: string]: Recorded | undefined }>> } =
  JSON.parse(readFileSync(new URL("expected.json", folder), "utf8"));
const runs = Object.entries(cases).flatMap(([file, { derived_run, reference_local_run }]) => {
  const run = derived_run ?? reference_local_run;
  return run?.tasks ? [{ file, run }] : [];
});

const isArtifact = (
  value: unknown,
): value is { readonly name: string; readonly uri: string; readonly metadata?: object } =>
  typeof value === "object" && value !== null && "artifact" in value;

/** Recorded inputs are before conversion to text and before placeholders in constants: what depends on that is not compared. */
function agrees(recorded: unknown, own: unknown): boolean {
  if (typeof recorded === "string" && recorded.includes("{{$")) return typeof own === "string";
  if (recorded === null) return own === undefined || own === null;
  if (isArtifact(recorded)) return true;
  if (typeof recorded === "object" && "state" in recorded) return typeof own === "object" && own !== null;
  const plain = typeof own === "string" && typeof recorded !== "string" ? JSON.parse(own) : own;
  return JSON.stringify(plain) === JSON.stringify(recorded);
}

function reportOf(record: TaskRecord, { definition }: ReadyTask): TaskReport {
  if (record.status === "FAILURE") return { state: "FAILED", error: { message: "recorded", code: 1 } };
  const declared = definition.outputDefinitions;
  const parameters: [string, unknown][] = [];
  const artifacts: [string, { readonly artifacts: RuntimeArtifact[] }][] = [];
  for (const [name, value] of Object.entries(record.outputs)) {
    if (Object.hasOwn(declared?.parameters ?? {}, name)) parameters.push([name, value]);
    else {
      const list = [value].flat().filter(isArtifact);
      const made = list.map(({ name: own, uri, metadata }) =>
        RuntimeArtifact.create({ name: own, uri, metadata: { ...metadata } }),
      );
      artifacts.push([name, { artifacts: made }]);
    }
  }
  const outputs = { parameters: Object.fromEntries(parameters), artifacts: Object.fromEntries(artifacts) };
  return { state: "SUCCEEDED", outputs };
}

/** Carries out what is ready with what was recorded. */
function carryOut(start: PipelineRun, records: TaskRecord[]): PipelineRun {
  let run = start;
  for (let [task] = run.ready(); task !== undefined; [task] = run.ready()) {
    const { inputs, component, displayName } = task;
    const found = records.findIndex(
      (record) =>
        record.component === component &&
        record.task === displayName &&
        Object.entries(record.inputs).every(
          ([key, value]) => Object.hasOwn(inputs.artifacts, key) || agrees(value, inputs.parameters[key]),
        ),
    );
    const [record] = records.splice(found < 0 ? records.length : found, 1);
    if (record === undefined) expect.unreachable(`${task.id}: ${JSON.stringify(inputs.parameters)}`);
    run.report(task.id, reportOf(record, task));
    const events = run.events;
    run = resumeRun(JSON.parse(JSON.stringify(run)));
    expect(run.events).toEqual(events);
  }
  return run;
}

describe("recorded runs", () => {
  test("there are many of them", () => expect(runs.length).toBeGreaterThan(40));

  for (const { file, run: recorded } of runs) {
    test(`${file} asks for the recorded tasks and comes to the recorded end`, () => {
      const parsed = parsePipeline(readFileSync(new URL(`valid/${file}`, folder), "utf8"));
      const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable(`${file} is valid`);
      const records = [...recorded.tasks];
      const facts = { workspace_path: "/workspace" };
      const run = carryOut(startRun(pipeline, { parameters: recorded.args, facts }), records);
      expect(records).toEqual([]);
      expect(run.state).toBe(recorded.status === "FAILURE" ? "FAILED" : "SUCCEEDED");
      const outputs = Object.entries(recorded.pipeline_outputs).filter(([, value]) => !isArtifact(value));
      for (const [name, value] of outputs) expect(run.outputs?.parameters[name]).toEqual(value);
    });
  }
});
