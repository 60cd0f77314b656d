import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { expect } from "vitest";
import { type ArgoOptions, toArgoWorkflow } from "../src/index.js";

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

/** What the export warns of: all of it has a place, and nothing of it is an error. */
export function warningsOf(
  parts: Parts,
  options: ArgoOptions = {},
): readonly (readonly [code: string, path: string, message: string])[] {
  const result = toArgoWorkflow(pipelineOf(parts), { cacheDisabled: true, ...options });
  if (!result.ok) expect.unreachable(JSON.stringify(result.problems));
  for (const { severity, range } of result.problems)
    expect([severity, range]).toEqual(["warning", expect.anything()]);
  return result.problems.map(({ code, path, message }) => [code, path, message]);
}
