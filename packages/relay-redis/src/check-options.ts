import { createSecureContext } from "node:tls";
import { checkStoreOptions, messageOf, type OptionReader, parseDuration } from "@wye/relay";
import type { RedisOptions } from "./redis-options.js";
import { serverFromUrl } from "./server-from-url.js";

const waysToConnect = ["url", "sentinel", "cluster", "command"] as const;
/** What a connection of the host has already. */
const ofConnections = ["username", "password", "credentials", "tls", "connectTimeout"] as const;

const known = [...waysToConnect, ...ofConnections, "prefix", "cacheTtl"] as const;

/** The time spans among the options. */
interface CheckedOptions {
  readonly connectTimeoutMs: number;
  readonly cacheTtlMs: number | undefined;
}

/** Refuses what contradicts the documentation, every mistake at once. */
export function checkOptions(options: RedisOptions, caller: string): CheckedOptions {
  const { cacheTtlMs } = checkStoreOptions(options, { caller, known, look });
  return { connectTimeoutMs: parseDuration(options.connectTimeout ?? "5s") ?? 0, cacheTtlMs };
}

function look(options: RedisOptions, _report: unknown, reader: OptionReader): void {
  const [first, ...others] = waysToConnect.filter((name) => options[name] !== undefined);
  if (first !== undefined && others.length > 0)
    reader.report(first, `and ${others.join(" and ")} exclude each other`);
  for (const name of ofConnections) {
    if (options.command !== undefined && options[name] !== undefined)
      reader.report(name, "is of no use with a command: the connection is the host's");
  }
  const url = reader.string("url");
  if (url !== undefined && serverFromUrl(url) === undefined)
    reader.report("url", 'must be like "redis://host:6379" or "rediss://user:password@host:6379/0"');
  lookAtUser(options, reader);
  for (const name of ["credentials", "command"]) reader.function(name, undefined);
  lookAtTls(options.tls, reader);
  if (options.sentinel !== undefined) {
    const sentinel = reader.section("sentinel", ["name", "nodes", "credentials"]);
    if (!sentinel.string("name")) sentinel.report("name", "must be the name of the leader");
    const { credentials, nodes }: { credentials?: unknown; nodes?: unknown } = { ...options.sentinel };
    lookAtNodes(nodes, "nodes", sentinel);
    if (credentials !== undefined) {
      const user = sentinel.section("credentials", ["username", "password"]);
      for (const name of ["username", "password"]) user.string(name);
    }
  }
  if (options.cluster !== undefined) lookAtNodes(options.cluster, "cluster", reader);
  lookAtPrefix(options.prefix, reader);
  reader.timeLimit("connectTimeout", 5000);
}

function lookAtUser({ username, password, credentials, url }: RedisOptions, reader: OptionReader): void {
  for (const name of ["username", "password"]) reader.string(name);
  const inUrl = typeof url === "string" ? serverFromUrl(url) : undefined;
  if (password !== undefined || inUrl?.password !== undefined) return;
  if (username !== undefined) reader.report("username", "needs a password");
  // Without one nothing of it is sent, and what was meant as the password would be in the status.
  else if (inUrl?.username !== undefined && credentials === undefined)
    reader.report(
      "url",
      'has a user without a password; a password alone is written "redis://:password@host"',
    );
}

function lookAtTls(tls: unknown, reader: OptionReader): void {
  if (tls === undefined) return;
  if (typeof tls !== "object" || tls === null || Array.isArray(tls)) {
    reader.report("tls", 'must be an object, {} if nothing is special; a URL with "rediss:" needs none');
    return;
  }
  try {
    createSecureContext(tls);
  } catch (error) {
    reader.report("tls", `cannot be used: ${messageOf(error)}`);
  }
}

function lookAtNodes(nodes: unknown, name: string, reader: OptionReader): void {
  const isNode = (node: unknown) => {
    const { host, port }: { host?: unknown; port?: unknown } = Object(node);
    return typeof host === "string" && host !== "" && isPort(port);
  };
  if (Array.isArray(nodes) && nodes.length > 0 && nodes.every(isNode)) return;
  reader.report(name, 'must be a list of nodes like { host: "10.0.0.1", port: 6379 }, at least one');
}

function isPort(port: unknown): boolean {
  return typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536;
}

function lookAtPrefix(prefix: unknown, reader: OptionReader): void {
  if (prefix === undefined || typeof prefix === "function") return;
  if (typeof prefix !== "string" || prefix === "")
    reader.report("prefix", "must be text that is not empty, or a function that gives it");
}
