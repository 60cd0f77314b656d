import { createPipelineClient, type PipelineClient } from "@wye/pipeline-client";
import { createFakePipelineServer } from "@wye/pipeline-client/testing";

const steps: readonly (readonly string[])[] = [
  ["collect"],
  ["clean", "describe"],
  ["train"],
  ["publish"],
  ["tidy"],
];

/** Starts a run on a cluster that is only pretended, for those who have none at hand: tasks of `stepMs` each. */
export async function startPretendedRun(
  file: Uint8Array,
  stepMs: number,
): Promise<{ readonly client: PipelineClient; readonly run: string }> {
  const { fetch } = createFakePipelineServer({
    plan: () => [
      ...steps.map((tasks, index) => ({
        afterMs: stepMs * index,
        state: "RUNNING",
        tasks: { ...statesOf(steps[index - 1], "SUCCEEDED"), ...statesOf(tasks, "RUNNING") },
      })),
      { afterMs: stepMs * steps.length, state: "SUCCEEDED", tasks: statesOf(steps.at(-1), "SUCCEEDED") },
    ],
  });
  const client = createPipelineClient({ host: "http://pretended.example", fetch });
  const { runId } = await client.runs.create({ file, name: "nightly, pretended" });
  return { client, run: runId };
}

function statesOf(tasks: readonly string[] = [], state: string): Record<string, string> {
  return Object.fromEntries(tasks.map((task) => [task, state]));
}
