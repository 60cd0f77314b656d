import { isPipelineClientError, type PipelineClient, type RunTaskDetail } from "@wye/pipeline-client";
import { didYouMean } from "@wye/pipeline-spec";
import { type ExitCode, UsageError } from "../../exit-code.js";
import type { Host } from "../../host.js";
import { printable } from "../../printable.js";
import { type ClusterOptions, withCluster } from "./connect.js";

const mostLogBytes = 256 * 2 ** 20;

/** A pod, and the step that has run in it if the server tells. */
interface Pod {
  readonly name: string;
  readonly step?: string | undefined;
}

/** Prints what the steps of a run have printed, or one of them. */
export function readLogs(
  run: string,
  task: string | undefined,
  { json = false, ...options }: ClusterOptions & { readonly json?: boolean },
  host: Host,
): Promise<ExitCode> {
  // A log is one text, and there is no option for its size: as much as memory can well hold.
  return withCluster({ ...options, maxBodyBytes: mostLogBytes }, host, async (client) => {
    const { runId, runDetails } = await client.runs.get(run, { signal: host.interrupted });
    const steps = runDetails?.taskDetails ?? [];
    const pods = podsOf(steps);
    const wanted = task === undefined ? pods : pods.filter(({ step }) => step === task);
    if (wanted.length === 0) throw new UsageError(missing(run, task, steps, pods));
    let code: ExitCode = 0;
    for (const { name, step } of wanted) {
      if (wanted.length > 1 && !json) host.out.write(`==> ${headingOf(name, step)} <==\n`);
      const log = await logOf(client, runId, name, host);
      if (log === undefined) code = 1;
      else if (json) host.out.write(`${JSON.stringify({ run: runId, step, pod: name, log })}\n`);
      else host.out.write(log.endsWith("\n") || log === "" ? log : `${log}\n`);
    }
    return code;
  });
}

const nameOf = ({ displayName, taskId = "" }: RunTaskDetail): string => displayName || taskId;

function headingOf(pod: string, step: string | undefined): string {
  return step === undefined ? printable(pod) : `${printable(step)} (${printable(pod)})`;
}

/** The pods of a run. Servers up to 2.18 name them only as what comes after a step, and not those of which step they are. */
function podsOf(steps: readonly RunTaskDetail[]): readonly Pod[] {
  const named = new Map<string, Pod>();
  for (const step of steps)
    if (step.podName) named.set(step.podName, { name: step.podName, step: nameOf(step) });
  for (const { podName: name } of steps.flatMap(({ childTasks = [] }) => childTasks))
    if (name && !named.has(name)) named.set(name, { name });
  return [...named.values()];
}

function missing(
  run: string,
  task: string | undefined,
  steps: readonly RunTaskDetail[],
  pods: readonly Pod[],
): string {
  if (pods.length === 0) return `the server tells of no steps of the run ${run} that have a log`;
  const names = [...new Set(steps.map(nameOf))];
  if (task !== undefined && names.includes(task))
    return `the server does not tell in which pod the step ${JSON.stringify(task)} has run; without a step, the logs of all pods are shown`;
  const near = didYouMean(task ?? "", names);
  const help = near === undefined ? `it has ${names.join(", ")}` : `did you mean ${near}?`;
  return `the run has no step ${JSON.stringify(task)}; ${help}`;
}

/** A log that is gone does not keep the others. */
async function logOf(
  client: PipelineClient,
  runId: string,
  podName: string,
  { err, interrupted: signal }: Host,
): Promise<string | undefined> {
  try {
    return await client.runs.log({ id: runId }, { podName }, { signal });
  } catch (error) {
    if (!isPipelineClientError(error)) throw error;
    const isTooLong = error.remedy?.includes("maxBodyBytes") === true;
    const message = isTooLong
      ? `its log has more than ${mostLogBytes / 2 ** 20} MiB: read it with kubectl logs`
      : error.message;
    err.write(`wye: ${printable(podName)}: ${message}\n`);
    return undefined;
  }
}
