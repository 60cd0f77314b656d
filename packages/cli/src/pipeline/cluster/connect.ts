import {
  createPipelineClient,
  isPipelineClientError,
  type PipelineClient,
  type PipelineClientError,
} from "@wye/pipeline-client";
import { discoverConnection, tokenFile } from "@wye/pipeline-client/node";
import { type ExitCode, UsageError } from "../../exit-code.js";
import type { Host } from "../../host.js";
import { messageOf } from "../../message-of.js";
import { Outage } from "./outage.js";

/** Which server, and who asks. */
export interface ClusterOptions {
  readonly host?: string;
  readonly namespace?: string;
  readonly kubeContext?: string;
  readonly tokenFile?: string;
}

/** The same, for commands whose answers are larger than usual. */
interface ConnectOptions extends ClusterOptions {
  readonly maxBodyBytes?: number;
}

/** Finds the server where `kfp` would, unless the options name it. */
async function connect(options: ConnectOptions, { env }: Host, { take }: Outage): Promise<PipelineClient> {
  const { host, namespace, kubeContext, maxBodyBytes } = options;
  try {
    const connection = await discoverConnection({ env, host, namespace, kubeContext });
    const token = options.tokenFile === undefined ? {} : { token: tokenFile(options.tokenFile) };
    const auth = { ...connection.auth, ...token };
    return createPipelineClient({ ...connection, maxBodyBytes, auth, onRetry: take });
  } catch (error) {
    throw new UsageError(`${messageOf(error)}; name the server: --host http://localhost:8888`);
  }
}

/** Does something with a server. What it refuses, or that it cannot be reached, is told in a line. */
export async function withCluster(
  options: ConnectOptions,
  host: Host,
  work: (client: PipelineClient, outage: Outage) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    const outage = new Outage();
    return await work(await connect(options, host, outage), outage);
  } catch (error) {
    if (host.interrupted.aborted) return 130;
    if (isPipelineClientError(error)) throw new UsageError(inOptions(error, options));
    throw error;
  }
}

/** What of the client a remedy names, and the option that it is here. */
const optionOf: readonly (readonly [named: RegExp, option: string])[] = [
  [/`auth`/, "--token-file FILE"],
  [/`experiment`/, "--experiment NAME"],
  [/`namespace`/, "--namespace NAME"],
];

/** The message of an error, with the option that its remedy is in this program, unless it was given. */
function inOptions(
  { message, remedy = "", code }: PipelineClientError,
  { tokenFile }: ClusterOptions,
): string {
  if (code === "credentials" && tokenFile !== undefined) return `${message}: --token-file ${tokenFile}`;
  const option = optionOf.find(([named]) => named.test(remedy))?.[1];
  return option === undefined ? message : `${message}; here: ${option}`;
}
