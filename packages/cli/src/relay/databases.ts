import { resolve } from "node:path";
import {
  type EnvironmentOptions,
  type FlagStoreContext,
  type FlagStoreFactory,
  fileStore,
  fillPlace,
  fillPrefix,
} from "@wye/relay";
import { loadOptional } from "../load-optional.js";
import { usedDatabases } from "./config/check-config.js";
import type { Config } from "./config/config.js";
import { readConfiguredText } from "./read-configured.js";

/** Where flags come from, if not from upstream, and are kept: the same for all environments, which then share a connection. */
export type Supplies = Pick<EnvironmentOptions, "source" | "store" | "bigSegments">;

/** Where one environment is in the database. */
interface Place {
  readonly prefix: string | undefined;
  readonly table: string | undefined;
}

/**
 * The stores that are configured. Only the package of the database that is used is loaded. `current` is asked when an
 * environment starts: it may have come with a later configuration.
 */
export async function storesFrom(
  config: Config,
  cwd: string,
  current: () => Config,
  worker?: number,
): Promise<Supplies> {
  const { dataFolder } = config.of("Wye");
  if (dataFolder !== undefined) {
    const store = fileStore({ directory: resolve(cwd, dataFolder) });
    // Databases are made for several writers, a folder is for one; all workers serve the same.
    return { store: worker === undefined || worker === firstWorker ? store : readOnly(store) };
  }
  const [database] = usedDatabases(config);
  const placeOf = (context: FlagStoreContext) => findPlace(current(), context);
  if (database === "Redis") return redisStores(config, placeOf);
  if (database === "Consul") return consulStores(config, cwd, placeOf);
  if (database === "DynamoDB") return dynamoStores(config, placeOf);
  return {};
}

const firstWorker = 1;

/** Gives what is there, and leaves it to somebody else to keep it; to take it away as well, where it is of another environment. */
function readOnly(open: FlagStoreFactory): FlagStoreFactory {
  const nothing = { replace: async () => {}, upsert: async () => [], noteKeys: async () => {} };
  const empty = { read: async () => undefined, close: async () => {} };
  // An object of its own for each environment: two may begin anew at once.
  return (context) => ({ ...(context.isStale === true ? empty : open(context)), ...nothing });
}

/** Where the configuration puts an environment, or a filter of it. */
export function findPlace(
  config: Config,
  { environment, filter }: Pick<FlagStoreContext, "environment" | "filter">,
): Place {
  const name = filter === undefined ? environment : environment.slice(0, -filter.length - 1);
  if (config.namesOf("Environment").includes(name)) {
    const { prefix, tableName } = config.of("Environment", name);
    return { prefix, table: tableName };
  }
  const automatic = config.of("AutoConfig").key !== undefined;
  const { envDatastorePrefix, envDatastoreTableName } = config.of(automatic ? "AutoConfig" : "OfflineMode");
  return { prefix: envDatastorePrefix, table: envDatastoreTableName };
}

type FindPlace = (context: FlagStoreContext) => Place;

export const defaultPrefix = "launchdarkly";
const shortestTtlMs = 1000;

/** A store reads again once a second at most; a negative time means never. */
function cacheTtl(localTtl: number | undefined): { readonly cacheTtl?: number } {
  return localTtl === undefined || localTtl < 0 ? {} : { cacheTtl: Math.max(localTtl, shortestTtlMs) };
}

async function redisStores(config: Config, placeOf: FindPlace): Promise<Supplies> {
  const { redisStore, redisBigSegments } = await loadOptional(
    "Redis",
    ["@wye/relay-redis"],
    () => import("@wye/relay-redis"),
  );
  const { host, port, url, tls, username, password, localTtl } = config.of("Redis");
  const address = url ?? `redis://${host}:${port}`;
  const options = {
    url: tls ? address.replace(/^redis:/i, "rediss:") : address,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    prefix: (context: FlagStoreContext) => fillPrefix(placeOf(context).prefix ?? defaultPrefix, context),
  };
  return { store: redisStore({ ...options, ...cacheTtl(localTtl) }), bigSegments: redisBigSegments(options) };
}

async function consulStores(config: Config, cwd: string, placeOf: FindPlace): Promise<Supplies> {
  const { consulStore } = await loadOptional(
    "Consul",
    ["@wye/relay-consul"],
    () => import("@wye/relay-consul"),
  );
  const { host, token, tokenFile, localTtl } = config.of("Consul");
  const file = tokenFile === undefined ? undefined : resolve(cwd, tokenFile);
  const given = file === undefined ? token : async () => (await readConfiguredText(file)).trim();
  const store = consulStore({
    address: consulAddress(host),
    ...(given === undefined ? {} : { token: given }),
    prefix: (context) => fillPrefix(placeOf(context).prefix ?? defaultPrefix, context),
    ...cacheTtl(localTtl),
  });
  return { store };
}

/** A host, a host with a port, or a URL. */
function consulAddress(host: string): string {
  if (host.includes("://")) return host;
  return /:\d+$/.test(host) ? `http://${host}` : `http://${host}:8500`;
}

async function dynamoStores(config: Config, placeOf: FindPlace): Promise<Supplies> {
  const { dynamoDbStore, dynamoDbBigSegments } = await loadOptional(
    "DynamoDB",
    ["@wye/relay-dynamodb"],
    () => import("@wye/relay-dynamodb"),
  );
  const { tableName = "", url, localTtl } = config.of("DynamoDB");
  const options = {
    table: (context: FlagStoreContext) => fillPlace(placeOf(context).table ?? tableName, context),
    prefix: (context: FlagStoreContext) => fillPrefix(placeOf(context).prefix ?? "", context),
    ...(url === undefined ? {} : { connect: { endpoint: url } }),
  };
  return {
    store: dynamoDbStore({ ...options, ...cacheTtl(localTtl) }),
    bigSegments: dynamoDbBigSegments(options),
  };
}
