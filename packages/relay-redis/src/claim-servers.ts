import type { DatabasePlaces } from "@wye/relay";
import type { RedisOptions } from "./redis-options.js";
import { serverFromUrl } from "./server-from-url.js";

/** Takes a place in all servers that the options name, or in none, until the returned function is called. */
export function claimServers(
  places: DatabasePlaces,
  options: RedisOptions,
  place: string,
  environment: string,
): () => void {
  const releases: (() => void)[] = [];
  const release = () => {
    for (const one of releases) one();
  };
  try {
    for (const server of serversOf(options)) releases.push(places.claim(server, place, environment));
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/**
 * What tells one database from another, however it is spelled and whoever comes: of sentinels and of a cluster one common node is
 * enough. Two names of one machine look like two.
 */
function serversOf({ command, cluster, sentinel, url = "" }: RedisOptions): readonly unknown[] {
  if (command !== undefined) return [command];
  const address = (host: string, port: number) => `${host.toLowerCase()}:${port}`;
  if (cluster !== undefined) return cluster.map(({ host, port }) => `cluster ${address(host, port)}`);
  if (sentinel !== undefined)
    return sentinel.nodes.map(({ host, port }) => `${sentinel.name} of ${address(host, port)}`);
  const { host, port, database = 0 } = serverFromUrl(url) ?? { host: "localhost", port: 6379 };
  return [`${address(host, port)}/${database}`];
}
