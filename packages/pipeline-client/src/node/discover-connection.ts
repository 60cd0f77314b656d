import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { checkOptions, isObject } from "@wye/pipeline-spec";
import type { PipelineClientOptions } from "../client-options.js";
import type { Credentials } from "../http/credentials.js";
import { readKubeconfig } from "./kubeconfig.js";
import { optionalTokenFile, podTokenPath } from "./token-file.js";

/** What is known already; everything else is looked for. */
export interface DiscoveryOptions {
  /** The environment of the process: `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The address, when it is known. */
  readonly host?: string | undefined;
  /** The namespace of the user. */
  readonly namespace?: string | undefined;
  /** The namespace that Kubeflow Pipelines is installed in: `kubeflow` if not given. */
  readonly installedIn?: string | undefined;
  /** A context of the kubeconfig file: the current one if not given. */
  readonly kubeContext?: string | undefined;
  /** The home of the user. */
  readonly home?: string | undefined;
  /** Where Kubernetes puts what a pod is told of itself. */
  readonly podFolder?: string | undefined;
}

/** What `createPipelineClient` takes. */
export type PipelineConnection = Pick<
  PipelineClientOptions,
  "host" | "namespace" | "uiHost" | "auth" | "fetch"
>;

/**
 * Finds a server of Kubeflow Pipelines where `kfp.Client` finds it: `host` or `KF_PIPELINES_ENDPOINT`; inside of a pod the service
 * `ml-pipeline`; elsewhere the cluster of the kubeconfig file, through its proxy. The context file of kfp gives namespace, cookie
 * and header. A token that the file leaves to another program is asked for in vain, unless `auth` of the client has one in its place.
 */
export async function discoverConnection(options: DiscoveryOptions): Promise<PipelineConnection> {
  checkOptions("discoverConnection", options, {
    env: "any",
    host: "text",
    namespace: "text",
    installedIn: "text",
    kubeContext: "text",
    home: "text",
    podFolder: "text",
  });
  const { env, home = homedir(), podFolder = "/var/run/secrets/kubernetes.io/serviceaccount" } = options;
  const context = await readContext(join(home, ".config", "kfp", "context.json"));
  const podNamespace = await textOfFile(join(podFolder, "namespace"));
  const found = await findHost(options, podNamespace !== undefined, home);
  const namespace = options.namespace ?? context.namespace ?? podNamespace?.trim();
  const uiHost = env.KF_PIPELINES_UI_ENDPOINT;
  return {
    ...found,
    auth: { ...found.auth, ...context.auth },
    ...(namespace !== undefined && namespace !== "" && { namespace }),
    ...(uiHost !== undefined && uiHost !== "" && { uiHost }),
  };
}

async function findHost(
  options: DiscoveryOptions,
  isInPod: boolean,
  home: string,
): Promise<PipelineConnection> {
  const { env, installedIn = "kubeflow", kubeContext } = options;
  const host = options.host || env.KF_PIPELINES_ENDPOINT;
  // The token of a pod is for the cluster that it is in, not for any host.
  if (host !== undefined && host !== "") return { host, auth: {} };
  if (isInPod) {
    const token = optionalTokenFile(env.KF_PIPELINES_SA_TOKEN_PATH || podTokenPath);
    return { host: `http://ml-pipeline.${installedIn}.svc.cluster.local:8888`, auth: { token } };
  }
  const listed = env.KUBECONFIG?.split(delimiter).filter((one) => one !== "") ?? [];
  const paths = listed.length > 0 ? listed : [join(home, ".kube", "config")];
  try {
    const { server, ...access } = await readKubeconfig(paths, kubeContext);
    const proxy = `/api/v1/namespaces/${encodeURIComponent(installedIn)}/services/ml-pipeline:http/proxy`;
    return { host: `${server.replace(/\/+$/, "")}${proxy}`, ...access };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "";
    throw new Error(
      `no server of Kubeflow Pipelines was found: no \`host\`, no KF_PIPELINES_ENDPOINT, no pod, and no use of the kubeconfig file (${reason})`,
      { cause },
    );
  }
}

/** What kfp remembers between its runs. */
async function readContext(
  path: string,
): Promise<{ readonly namespace?: string; readonly auth: Credentials }> {
  const text = await textOfFile(path);
  let file: unknown;
  try {
    file = JSON.parse(text ?? "{}");
  } catch (cause) {
    throw new Error(`${path} is no JSON`, { cause });
  }
  const context = isObject(file) ? file : {};
  const cookie = context.client_authentication_cookie;
  const name = context.client_authentication_header_name;
  const value = context.client_authentication_header_value;
  return {
    ...(typeof context.namespace === "string" &&
      context.namespace !== "" && { namespace: context.namespace }),
    auth: {
      ...(typeof cookie === "string" && cookie !== "" && { cookie }),
      ...(typeof name === "string" &&
        name !== "" &&
        typeof value === "string" && { headers: { [name]: value } }),
    },
  };
}

/** The text of a file; undefined when it is not there. */
async function textOfFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
