import type { Run } from "@wye/pipeline-client";
import type { ExitCode } from "../../exit-code.js";
import type { Host } from "../../host.js";
import { printable } from "../../printable.js";
import { type ClusterOptions, withCluster } from "./connect.js";

/** The options of `wye pipeline runs`. */
export interface RunsOptions extends ClusterOptions {
  readonly experiment?: string;
  readonly state: readonly string[];
  readonly limit: number;
  readonly json?: boolean;
}

const widths = { id: 36, state: 10, time: 20 } as const;

/** Lists runs, the latest first. */
export function listRuns(options: RunsOptions, host: Host): Promise<ExitCode> {
  const { experiment, state, limit, json } = options;
  return withCluster(options, host, async (client) => {
    const runs: Run[] = [];
    const list = client.runs.list({
      experiment,
      ...(state.length === 0 ? {} : { filter: { state: { in: state } } }),
      sortBy: "createdAt",
      descending: true,
      pageSize: Math.min(limit, 200),
      signal: host.interrupted,
    });
    for await (const run of list) {
      runs.push(run);
      if (runs.length >= limit) break;
    }
    if (json) for (const run of runs) host.out.write(`${JSON.stringify(run)}\n`);
    else if (runs.length === 0) host.err.write("no runs\n");
    else host.out.write(runs.map((run) => `${lineOf(run)}\n`).join(""));
    return 0;
  });
}

function lineOf({ runId, state = "", createdAt, displayName = "" }: Run): string {
  const when = createdAt === undefined ? "" : createdAt.toISOString().replace(/\.\d+/, "");
  const columns = [
    printable(runId).padEnd(widths.id),
    printable(state).padEnd(widths.state),
    when.padEnd(widths.time),
  ];
  return `${columns.join("  ")}  ${printable(displayName)}`.trimEnd();
}
