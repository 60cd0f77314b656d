import { locate, type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { expect } from "vitest";
import { type ArgoOptions, type ArgoProblem, toArgoWorkflow } from "../src/index.js";

/** Parts of a file. */
export type Json = Readonly<Record<string, unknown>>;

/** A task that runs a component. */
export const to = (name: string, more: Json = {}): Json => ({ componentRef: { name }, ...more });
/** A component that runs the executor. */
export const leaf: Json = { executorLabel: "e" };
/** A component with one task. */
export const dag: Json = { dag: { tasks: { x: to("leaf") } } };
export const container: Json = { container: { image: "alpine", command: ["true"] } };
export const importer: Json = {
  importer: {
    artifactUri: { constant: "gs://x" },
    typeSchema: { schemaTitle: "system.Model", schemaVersion: "0.0.1" },
  },
};
export const exit: Json = { triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" } };
export const retries = (maxRetryCount: number): Json => ({ retryPolicy: { maxRetryCount } });
export const loop: Json = { parameterIterator: { items: { raw: "[1]" }, itemInput: "i" } };

/** What a small pipeline is made of. */
export interface Parts {
  readonly tasks: Json;
  readonly components?: Json;
  readonly executor?: Json;
  readonly platforms?: Json;
  readonly name?: string;
}

/** A pipeline whose components run one executor. */
export function pipelineOf({
  tasks,
  components = {},
  executor = container,
  platforms,
  name = "t",
}: Parts): Pipeline {
  const spec = {
    pipelineInfo: { name },
    schemaVersion: "2.1.0",
    root: { dag: { tasks } },
    components: { leaf, ...components },
    deploymentSpec: { executors: { e: executor } },
  };
  const documents = [spec, ...(platforms === undefined ? [] : [{ platforms }])];
  const parsed = parsePipeline(documents.map((one) => JSON.stringify(one)).join("\n---\n"));
  return parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
}

/** Problems that are about what bears a name, and are told at the name. */
const atNames: ReadonlySet<string> = new Set([
  ...[
    "argo-component-name",
    "argo-task-name",
    "artifact-iterator",
    "circular-dependency",
    "duplicate-template",
  ],
  ...[
    "executor-root",
    "exit-loop",
    "importer-does-not-wait",
    "long-argument",
    "lost-exit-task",
    "lost-retries",
  ],
  ...[
    "no-component",
    "no-implementation",
    "repeated-exit-task",
    "reserved-template-name",
    "shared-container",
  ],
  ...["shared-retries", "workspace-patch"],
]);
/** Problems that are told now at a name, now at a value. */
const anywhere: ReadonlySet<string> = new Set([
  ...["ignored-setting", "invalid-kubernetes-settings", "kubernetes-label", "workspace-claim"],
]);

/** Expects a problem to stand at the name that it is about, or at the value. */
export function expectPlace({ code, path, range }: ArgoProblem, pipeline: Pipeline): void {
  const parts = anywhere.has(code)
    ? (["key", "value"] as const)
    : ([atNames.has(code) ? "key" : "value"] as const);
  // Long names are cut, so that the pointer leads nowhere.
  const places = path.includes("…") ? [range] : parts.map((part) => locate(pipeline, path, part));
  expect(range).toBeDefined();
  expect(places).toContainEqual(range);
}

/** What the export warns of: all of it has a place, and nothing of it is an error. */
export function warningsOf(
  parts: Parts,
  options: ArgoOptions = {},
): readonly (readonly [code: string, path: string, message: string])[] {
  const pipeline = pipelineOf(parts);
  const result = toArgoWorkflow(pipeline, { cacheDisabled: true, ...options });
  if (!result.ok) expect.unreachable(JSON.stringify(result.problems));
  for (const problem of result.problems) {
    expect(problem.severity).toBe("warning");
    expectPlace(problem, pipeline);
  }
  return result.problems.map(({ code, path, message }) => [code, path, message]);
}
