import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isObject } from "@wye/pipeline-spec";
import { type DocumentOptions, type ParseOptions, parse, type SchemaOptions, type ToJSOptions } from "yaml";
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

interface ConfigFile {
  readonly folder: string;
  readonly config: Json;
}

/** A cluster or a user, with the folder that its paths start from. */
interface Entry {
  readonly folder: string;
  readonly value: Json;
}

/**
 * Reads how kubeconfig files reach the cluster of a context: of the current one if none is named. Of several files the first that has
 * something counts, and those that are not there are passed over.
 */
export async function readKubeconfig(paths: readonly string[], contextName?: string): Promise<ClusterAccess> {
  const files = (await Promise.all(paths.map((path) => readConfig(path, paths.length > 1)))).flat();
  const current = files.map(({ config }) => textOf(config["current-context"])).find((name) => name !== "");
  const name = contextName ?? current ?? "";
  const { value: context } = find(files, "context", name);
  const cluster = find(files, "cluster", textOf(context.cluster));
  const userName = textOf(context.user);
  const user = find(files, "user", userName);
  const server = textOf(cluster.value.server);
  if (server === "")
    throw new Error(`${paths.join(", ")}: no cluster for the context ${JSON.stringify(name)}`);
  if (userName !== "" && user.folder === "")
    throw new Error(`${paths.join(", ")}: there is no user ${JSON.stringify(userName)}`);
  const where = `the context ${JSON.stringify(name)} of ${paths.join(", ")}`;
  if (textOf(cluster.value["proxy-url"]) !== "")
    throw new Error(`${where} goes through a proxy, which is not done here: give \`fetch\` and \`host\``);
  const fetch = await secured(cluster, user);
  return { server, auth: authOf(user, where), ...(fetch !== undefined && { fetch }) };
}

/** A token of digits is a text, and not what a number keeps of it. */
const asWritten: ParseOptions & DocumentOptions & SchemaOptions & ToJSOptions = {
  schema: "failsafe",
  customTags: ["null", "bool"],
  maxAliasCount: 100,
};

async function readConfig(path: string, mayLack: boolean): Promise<readonly ConfigFile[]> {
  try {
    const file: unknown = parse(await readFile(path, "utf8"), asWritten);
    return isObject(file) ? [{ folder: dirname(path), config: file }] : [];
  } catch (error) {
    if (mayLack && error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/**
 * The credentials of a user. What is not done here must not be passed over, because requests would go without a credential, or as somebody
 * else: it is an error as soon as a token is asked for, and none where another one is put in its place.
 */
function authOf({ value, folder }: Entry, where: string): Credentials {
  const obstacle = obstacleOf(value);
  if (obstacle !== undefined) {
    const message = `${where} ${obstacle}: give \`auth\` a token`;
    return { token: () => Promise.reject(new Error(message)) };
  }
  const token = textOf(value.token);
  if (token !== "") return { token };
  const path = textOf(value.tokenFile);
  return path === "" ? {} : { token: tokenFile(resolve(folder, path)) };
}

function obstacleOf(user: Json): string | undefined {
  // An empty text says as much as none.
  const has = (name: string) => Boolean(user[name]);
  if (has("exec") || has("auth-provider"))
    return "gets its token from another program, which is not run here";
  if (has("username") || has("password"))
    return "has a user and a password, which servers do not take any more";
  if (["as", "as-uid", "as-groups", "as-user-extra"].some(has))
    return "acts as somebody else, which is not done here";
  return undefined;
}

/** A fetch with the certificates of the file; none where it has none. */
async function secured(cluster: Entry, user: Entry): Promise<PipelineFetch | undefined> {
  if (cluster.value["insecure-skip-tls-verify"] === true) {
    throw new Error(
      "a cluster whose certificate nobody checks is not talked to: give `certificate-authority`",
    );
  }
  const [ca, cert, key] = await Promise.all([
    pem(cluster, "certificate-authority"),
    pem(user, "client-certificate"),
    pem(user, "client-key"),
  ]);
  const serverName = textOf(cluster.value["tls-server-name"]) || undefined;
  if (ca === undefined && cert === undefined && serverName === undefined) return undefined;
  return nodeFetch({ ca, cert, key, serverName });
}

/** A certificate that is in the file itself, or in another one. */
async function pem({ value, folder }: Entry, name: string): Promise<string | undefined> {
  const data = textOf(value[`${name}-data`]);
  const path = textOf(value[name]);
  if (data === "" && path === "") return undefined;
  const text =
    data === ""
      ? await readFile(resolve(folder, path), "latin1")
      : Buffer.from(data, "base64").toString("latin1");
  // What is nothing would be taken for no wish at all, and any authority trusted.
  if (!text.includes("-----BEGIN ")) throw new Error(`\`${name}\` of the kubeconfig file is not in PEM`);
  return text;
}

/** The entry of a name, of the first file that has one. */
function find(files: readonly ConfigFile[], kind: "context" | "cluster" | "user", name: string): Entry {
  for (const { folder, config } of files) {
    const list = config[`${kind}s`];
    const entry: unknown = Array.isArray(list)
      ? list.find((one) => isObject(one) && one.name === name)
      : undefined;
    if (isObject(entry)) return { folder, value: isObject(entry[kind]) ? entry[kind] : {} };
  }
  return { folder: "", value: {} };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
