import { readFileSync } from "node:fs";
import {
  buildGraph,
  type ComponentNode,
  type DagSpec,
  ExecutorInput,
  isExitTask,
  parsePipeline,
  RuntimeArtifact,
} from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import {
  collectIterations,
  compileExpression,
  finalStatusPayload,
  type LoopIterations,
  type Resolved,
  resolveDagOutputs,
  resolveIterations,
  resolveRootInputs,
  resolveTaskInputs,
  type TaskInputs,
  type TaskOutputs,
} from "../src/index.js";

// Recorded runs of the reference runner, replayed: tasks are not executed, their recorded outputs are fed to the resolver, which must
// come to the recorded inputs, conditions and pipeline outputs.

interface TaskRecord {
  readonly component: string;
  readonly task: string;
  readonly status?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}
interface Run {
  readonly args: Readonly<Record<string, unknown>>;
  readonly tasks: readonly TaskRecord[];
  readonly pipeline_outputs: Readonly<Record<string, unknown>>;
  readonly conditions?: readonly { readonly condition: string; readonly result: boolean }[];
}

const folder = new URL("../../pipeline-spec/testdata/pipelines/", import.meta.url);
const { cases }: { readonly cases: Readonly<Record<string, { readonly [kind: string]: Run | undefined }>> } =
  JSON.parse(readFileSync(new URL("expected.json", folder), "utf8"));

const isArtifact = (
  value: unknown,
): value is { readonly name: string; readonly uri: string; readonly metadata?: object } =>
  typeof value === "object" && value !== null && "artifact" in value;

function outputsOf(record: TaskRecord): TaskOutputs {
  const parameters: [string, unknown][] = [];
  const artifacts: [string, TaskOutputs["artifacts"][string]][] = [];
  for (const [name, value] of Object.entries(record.outputs)) {
    const list = Array.isArray(value) && value.some(isArtifact) ? value : [value];
    if (!list.every(isArtifact)) parameters.push([name, value]);
    else
      artifacts.push([
        name,
        {
          artifacts: list.map(({ name: own, uri, metadata }) =>
            RuntimeArtifact.create({ name: own, uri, metadata: { ...metadata } }),
          ),
        },
      ]);
  }
  return { parameters: Object.fromEntries(parameters), artifacts: Object.fromEntries(artifacts) };
}

/** Recorded inputs are before conversion to text and before placeholders in constants: what depends on that is not compared. */
function agrees(recorded: unknown, own: unknown): boolean {
  if (typeof recorded === "string" && recorded.includes("{{$")) return typeof own === "string";
  if (recorded === null) return own === undefined || own === null;
  if (isArtifact(recorded)) return true;
  if (typeof recorded === "object" && "state" in recorded) return typeof own === "object" && own !== null;
  try {
    expect(typeof own === "string" && typeof recorded !== "string" ? JSON.parse(own) : own).toEqual(recorded);
    return true;
  } catch {
    return false;
  }
}

class Replay {
  readonly conditions: { readonly condition: string; readonly result: boolean }[] = [];
  readonly remaining: TaskRecord[];

  constructor(records: readonly TaskRecord[]) {
    this.remaining = [...records];
  }

  /** Runs a DAG; undefined when one of its tasks failed. */
  dag(dag: ComponentNode, inputs: TaskInputs): TaskOutputs | undefined {
    const outputs = new Map<string, TaskOutputs>();
    const ended = new Map<string, "SUCCEEDED" | "FAILED" | "SKIPPED">();
    const waiting = new Set(dag.tasks?.values());
    while (waiting.size > 0) {
      const next = [...waiting].find(({ dependencies }) =>
        dependencies.every(({ to }) => ended.has(to.name)),
      );
      const node = next ?? expect.unreachable("the tasks form no cycle");
      const { name, spec: task } = node;
      waiting.delete(node);
      const all = node.dependencies.every(({ to }) => ended.get(to.name) === "SUCCEEDED");
      if (!all && !isExitTask(node)) {
        ended.set(name, "SKIPPED");
        continue;
      }
      const finalStatus = (producer: string): unknown =>
        finalStatusPayload({
          state: ended.get(producer) ?? "SKIPPED",
          taskName: producer,
          jobResourceName: "job",
        });
      const facts = {
        workspace_path: "/ws",
        pipeline_job_name: "j",
        pipeline_job_uuid: "u",
        pipeline_task_name: "t",
      };
      const component = node.component ?? expect.unreachable("the component is there");
      const given = must(resolveTaskInputs(task, component.spec, { ...inputs, outputs, finalStatus, facts }));
      if (task.triggerPolicy?.condition && !this.#met(task.triggerPolicy.condition, given)) {
        ended.set(name, "SKIPPED");
        continue;
      }
      const displayName = task.taskInfo?.name ?? name;
      const made = task.iterator
        ? this.#loop(component, must(resolveIterations(task, component.spec, given)), displayName)
        : this.#execute(component, given, displayName);
      if (made) outputs.set(name, made);
      ended.set(name, made ? "SUCCEEDED" : "FAILED");
    }
    if ([...ended.values()].includes("FAILED")) return undefined;
    return must(resolveDagOutputs(dagOf(dag), outputs));
  }

  #loop(component: ComponentNode, iterations: LoopIterations, name: string): TaskOutputs | undefined {
    const made = Array.from({ length: iterations.count }, (_, index) =>
      this.#execute(component, iterations.inputsOf(index), name),
    );
    return made.some((one) => !one)
      ? undefined
      : collectIterations(
          component.spec,
          made.filter((one) => one !== undefined),
        );
  }

  #execute(component: ComponentNode, inputs: TaskInputs, name: string): TaskOutputs | undefined {
    if (component.tasks !== undefined) return this.dag(component, inputs);
    const found = this.remaining.findIndex(
      (record) =>
        record.component === component.name &&
        record.task === name &&
        Object.entries(record.inputs).every(
          ([key, value]) => Object.hasOwn(inputs.artifacts, key) || agrees(value, inputs.parameters[key]),
        ),
    );
    const [record] = this.remaining.splice(found < 0 ? this.remaining.length : found, 1);
    if (!record)
      expect.unreachable(`${name} was executed with other inputs than ${JSON.stringify(inputs.parameters)}`);
    return record.status === "FAILURE" ? undefined : outputsOf(record);
  }

  #met(condition: string, inputs: TaskInputs): boolean {
    const input = ExecutorInput.create({
      inputs: { parameterValues: inputs.parameters, artifacts: inputs.artifacts },
    });
    const result = compileExpression(condition, "condition").evaluate(input);
    const value = result.ok ? result.value : expect.unreachable(result.problem.message);
    this.conditions.push({ condition, result: value });
    return value;
  }
}

function dagOf({ spec }: ComponentNode): DagSpec {
  return spec.implementation?.$case === "dag" ? spec.implementation.value : expect.unreachable("it is a DAG");
}

function must<T>(result: Resolved<T>): T {
  return result.ok
    ? result.value
    : expect.unreachable(result.problems.map(({ path, message }) => `${path} ${message}`).join("\n"));
}

const runs = Object.entries(cases).flatMap(([file, { derived_run, reference_local_run }]) => {
  const run = derived_run ?? reference_local_run;
  return run?.tasks ? [{ file, run }] : [];
});

describe("recorded runs", () => {
  test("there are many of them", () => expect(runs.length).toBeGreaterThan(40));

  for (const { file, run } of runs) {
    test(`${file} resolves to the recorded inputs, conditions and outputs`, () => {
      const parsed = parsePipeline(readFileSync(new URL(`valid/${file}`, folder), "utf8"));
      const graph = buildGraph(parsed.ok ? parsed.pipeline : expect.unreachable(`${file} is valid`));
      const root = graph.root ?? expect.unreachable("there is a root");
      const replay = new Replay(run.tasks);
      const inputs = must(resolveRootInputs(root.spec, { parameterValues: { ...run.args } }));
      const outputs = replay.dag(root, inputs);
      expect(replay.remaining).toEqual([]);
      const recorded = Object.entries(run.pipeline_outputs).filter(([, value]) => !isArtifact(value));
      for (const [name, value] of recorded) expect(outputs?.parameters[name]).toEqual(value);
      for (const { condition, result } of run.conditions ?? []) {
        expect(replay.conditions).toContainEqual({ condition, result });
      }
    });
  }
});
