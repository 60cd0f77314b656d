import { isFinalState } from "@wye/pipeline-client";
import type { ExitCode } from "../../exit-code.js";
import type { Host } from "../../host.js";
import { printable } from "../../printable.js";
import { type ClusterOptions, withCluster } from "./connect.js";
import { type FollowViewOptions, followRun } from "./follow.js";

/** `wye pipeline wait`: follows a run to its end. */
export function waitForRun(
  run: string,
  options: ClusterOptions & FollowViewOptions,
  host: Host,
): Promise<ExitCode> {
  return withCluster(options, host, async (client, outage) => {
    // Who names a server or a run that is not there is told at once; only a run that was seen is waited for.
    const { runId } = await client.runs.get(run, { signal: host.interrupted });
    return followRun(client, runId, options, host, outage);
  });
}

/** `wye pipeline cancel`: asks for the end of a run, and waits for it if wished. */
export function cancelRun(
  run: string,
  options: ClusterOptions & FollowViewOptions & { readonly wait?: boolean },
  host: Host,
): Promise<ExitCode> {
  return withCluster(options, host, async (client, outage) => {
    const { runId, state } = await client.runs.get(run, { signal: host.interrupted });
    if (isFinalState(state)) {
      host.err.write(`it has already ended as ${printable(`${state}`)}: ${client.links.run(runId)}\n`);
      return 0;
    }
    await client.runs.terminate({ id: runId }, { signal: host.interrupted });
    host.err.write(`asked to end: ${client.links.run(runId)}\n`);
    if (!options.wait) return 0;
    const code = await followRun(client, runId, { ...options, isCanceled: true }, host, outage);
    // That it has not succeeded is what was wanted.
    return code === 130 ? 130 : 0;
  });
}
