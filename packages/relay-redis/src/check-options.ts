import { parseDuration, RelayError } from "@wye/relay";
import type { RedisOptions } from "./redis-options.js";

const known: readonly string[] = [
  "url",
  "username",
  "password",
  "credentials",
  "tls",
  "sentinel",
  "cluster",
  "command",
  "prefix",
  "cacheTtl",
  "connectTimeout",
] satisfies readonly (keyof RedisOptions)[];

const waysToConnect = ["url", "sentinel", "cluster", "command"] as const;

/** The time spans among the options. */
interface CheckedOptions {
  readonly connectTimeoutMs: number;
  readonly cacheTtlMs: number | undefined;
}

/** Refuses what contradicts the documentation, every mistake at once. */
export function checkOptions(options: RedisOptions): CheckedOptions {
  const problems: string[] = [];
  for (const name of Object.keys(options))
    if (!known.includes(name)) problems.push(`there is no option "${name}"`);
  const ways = waysToConnect.filter((name) => options[name] !== undefined);
  if (ways.length > 1) problems.push(`${ways.join(" and ")} exclude each other`);
  const { url, sentinel, cluster, prefix, cacheTtl, connectTimeout = "5s" } = options;
  if (url !== undefined && !isRedisUrl(url)) {
    problems.push('url must be like "redis://host:6379" or "rediss://user:password@host:6379/0"');
  }
  if (cluster !== undefined && cluster.length === 0) problems.push("cluster must name a node");
  if (sentinel !== undefined && sentinel.nodes.length === 0) problems.push("sentinel.nodes must name a node");
  if (sentinel?.name === "") problems.push("sentinel.name must not be empty");
  if (prefix === "") problems.push("prefix must not be empty");
  const connectTimeoutMs = parseDuration(connectTimeout);
  if (connectTimeoutMs === undefined || connectTimeoutMs === 0)
    problems.push('connectTimeout must be a time span like "5s"');
  const cacheTtlMs = cacheTtl === undefined ? undefined : parseDuration(cacheTtl);
  if (cacheTtl !== undefined && (cacheTtlMs ?? 0) < 1000) problems.push('cacheTtl must be at least "1s"');
  if (problems.length > 0) throw new RelayError("invalid_options", problems.join("; "), { problems });
  return { connectTimeoutMs: connectTimeoutMs ?? 0, cacheTtlMs };
}

function isRedisUrl(url: string): boolean {
  return /^rediss?:$/.test(URL.canParse(url) ? new URL(url).protocol : "");
}
