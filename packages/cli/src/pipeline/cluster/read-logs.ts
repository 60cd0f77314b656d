import { isPipelineClientError, type PipelineClient, type RunTaskDetail } from "@wye/pipeline-client";
import { didYouMean } from "@wye/pipeline-spec";
import { type ExitCode, UsageError } from "../../exit-code.js";
import type { Host } from "../../host.js";
import { printable } from "../../printable.js";
import { type ClusterOptions, withCluster } from "./connect.js";

const mostLogBytes = 256 * 2 ** 20;

/** A step with the pods that it has run in. */
interface Step {
  readonly name: string;
  readonly pods: readonly string[];
}

/** Prints what the steps of a run have printed, or one of them. */
export function readLogs(
  run: string,
  task: string | undefined,
  options: ClusterOptions,
  host: Host,
): Promise<ExitCode> {
  // A log is one text, and there is no option for its size: as much as memory can well hold.
  return withCluster({ ...options, maxBodyBytes: mostLogBytes }, host, async (client) => {
    const { runId, runDetails } = await client.runs.get(run, { signal: host.interrupted });
    const steps = (runDetails?.taskDetails ?? []).map(stepOf).filter(({ pods }) => pods.length > 0);
    const wanted = task === undefined ? steps : steps.filter(({ name }) => name === task);
    if (wanted.length === 0) throw new UsageError(missing(run, task, steps));
    let code: ExitCode = 0;
    for (const { name, pods } of wanted)
      for (const pod of pods) {
        if (wanted.length > 1 || pods.length > 1)
          host.out.write(`==> ${printable(name)} (${printable(pod)}) <==\n`);
        const log = await logOf(client, runId, pod, host);
        if (log === undefined) code = 1;
        else host.out.write(log.endsWith("\n") || log === "" ? log : `${log}\n`);
      }
    return code;
  });
}

function stepOf({ displayName, taskId = "", podName, childTasks = [] }: RunTaskDetail): Step {
  const pods = [podName, ...childTasks.map((child) => child.podName)].flatMap((pod) => pod || []);
  return { name: displayName ?? taskId, pods: [...new Set(pods)] };
}

function missing(run: string, task: string | undefined, steps: readonly Step[]): string {
  if (steps.length === 0) return `the server tells of no steps of the run ${run} that have a log`;
  const names = [...new Set(steps.map(({ name }) => name))];
  const near = didYouMean(task ?? "", names);
  const help = near === undefined ? `it has ${names.join(", ")}` : `did you mean ${near}?`;
  return `the run has no step ${JSON.stringify(task)} with a log; ${help}`;
}

/** A log that is gone does not keep the others. */
async function logOf(
  client: PipelineClient,
  runId: string,
  podName: string,
  { err, interrupted }: Host,
): Promise<string | undefined> {
  try {
    return await client.runs.log({ id: runId }, { podName }, { signal: interrupted });
  } catch (error) {
    if (!isPipelineClientError(error) || interrupted.aborted) throw error;
    const isTooLong = error.remedy?.includes("maxBodyBytes") === true;
    const message = isTooLong
      ? `its log has more than ${mostLogBytes / 2 ** 20} MiB: read it with kubectl logs`
      : error.message;
    err.write(`wye: ${printable(podName)}: ${message}\n`);
    return undefined;
  }
}
