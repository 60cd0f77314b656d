import { createPipelineClient, isPipelineClientError, type PipelineClient } from "@wye/pipeline-client";
import { discoverConnection, tokenFile } from "@wye/pipeline-client/node";
import { type ExitCode, UsageError } from "../../exit-code.js";
import type { Host } from "../../host.js";
import { messageOf } from "../../message-of.js";

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
async function connect(options: ConnectOptions, { env }: Host): Promise<PipelineClient> {
  const { host, namespace, kubeContext, maxBodyBytes } = options;
  try {
    const connection = await discoverConnection({ env, host, namespace, kubeContext });
    const token = options.tokenFile === undefined ? {} : { token: tokenFile(options.tokenFile) };
    return createPipelineClient({ ...connection, maxBodyBytes, auth: { ...connection.auth, ...token } });
  } catch (error) {
    throw new UsageError(`${messageOf(error)}; name the server: --host http://localhost:8888`);
  }
}

/** Does something with a server. What it refuses, or that it cannot be reached, is told in a line. */
export async function withCluster(
  options: ConnectOptions,
  host: Host,
  work: (client: PipelineClient) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work(await connect(options, host));
  } catch (error) {
    if (host.interrupted.aborted) return 130;
    if (isPipelineClientError(error)) {
      const isLacking = error.code === "credentials" && options.tokenFile === undefined;
      throw new UsageError(isLacking ? `${error.message}; here: --token-file FILE` : error.message);
    }
    throw error;
  }
}
