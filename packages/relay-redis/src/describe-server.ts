import { describeAddress } from "@wye/relay";
import type { RedisOptions } from "./redis-options.js";

/** The server as the status shows it: never with a password. `undefined` for a connection of the host. */
export function describeServer({
  url = "redis://localhost:6379",
  sentinel,
  cluster,
  command,
}: Pick<RedisOptions, "url" | "sentinel" | "cluster" | "command">): string | undefined {
  if (command !== undefined) return undefined;
  const list = (nodes: readonly { readonly host: string; readonly port: number }[]) =>
    nodes.map(({ host, port }) => `${host}:${port}`).join(",");
  if (cluster !== undefined) return `redis-cluster://${list(cluster)}`;
  if (sentinel !== undefined) return `redis-sentinel://${list(sentinel.nodes)}/${sentinel.name}`;
  return describeAddress(url);
}
