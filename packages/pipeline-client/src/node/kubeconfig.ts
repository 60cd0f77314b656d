import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isObject } from "@wye/pipeline-spec";
import { parse } from "yaml";
import type { PipelineFetch } from "../client-options.js";
import type { Credentials } from "../http/credentials.js";
import { nodeFetch } from "./node-fetch.js";
import { tokenFile } from "./token-file.js";

/** How to reach the API of a cluster. */
export interface ClusterAccess {
  readonly server: string;
  readonly auth: Credentials;
  readonly fetch?: PipelineFetch;
}

type Json = Readonly<Record<string, unknown>>;

/** Reads how a kubeconfig file reaches the cluster of a context: of the current one if none is named. */
export async function readKubeconfig(path: string, contextName?: string): Promise<ClusterAccess> {
  const file: unknown = parse(await readFile(path, "utf8"), { maxAliasCount: 100 });
  const config = isObject(file) ? file : {};
  const name = contextName ?? textOf(config["current-context"]);
  const context = part(named(config.contexts, name), "context");
  const cluster = part(named(config.clusters, textOf(context.cluster)), "cluster");
  const user = part(named(config.users, textOf(context.user)), "user");
  const server = textOf(cluster.server);
  if (server === "") throw new Error(`${path} has no cluster for the context ${JSON.stringify(name)}`);
  if (user.exec !== undefined || user["auth-provider"] !== undefined) {
    throw new Error(
      `the context ${JSON.stringify(name)} of ${path} gets its token from another program, which is not run here: give \`auth\` a token`,
    );
  }
  const fetch = await secured(cluster, user, dirname(path));
  return { server, auth: authOf(user, dirname(path)), ...(fetch !== undefined && { fetch }) };
}

function authOf(user: Json, folder: string): Credentials {
  const token = textOf(user.token);
  if (token !== "") return { token };
  const path = textOf(user.tokenFile);
  return path === "" ? {} : { token: tokenFile(resolve(folder, path)) };
}

/** A fetch with the certificates of the file; none where it has none. */
async function secured(cluster: Json, user: Json, folder: string): Promise<PipelineFetch | undefined> {
  if (cluster["insecure-skip-tls-verify"] === true) {
    throw new Error(
      "a cluster whose certificate nobody checks is not talked to: give `certificate-authority`",
    );
  }
  const [ca, cert, key] = await Promise.all([
    pem(cluster, "certificate-authority", folder),
    pem(user, "client-certificate", folder),
    pem(user, "client-key", folder),
  ]);
  const serverName = textOf(cluster["tls-server-name"]) || undefined;
  if (ca === undefined && cert === undefined && serverName === undefined) return undefined;
  return nodeFetch({ ca, cert, key, serverName });
}

/** A certificate that is in the file itself, or in another one. */
async function pem(entry: Json, name: string, folder: string): Promise<string | undefined> {
  const data = textOf(entry[`${name}-data`]);
  if (data !== "") return Buffer.from(data, "base64").toString("latin1");
  const path = textOf(entry[name]);
  return path === "" ? undefined : readFile(resolve(folder, path), "latin1");
}

function named(list: unknown, name: string): Json {
  const found: unknown = Array.isArray(list)
    ? list.find((one) => isObject(one) && one.name === name)
    : undefined;
  return isObject(found) ? found : {};
}

function part(value: Json, name: string): Json {
  const found = value[name];
  return isObject(found) ? found : {};
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
