import { createHash } from "node:crypto";
import type { ItemKind } from "@wye/flag-evaluator";
import { type Headers, sendBody, sendEmpty } from "../http/answers.js";
import type { Exchange } from "../http/exchange.js";
import { polledData, polledFlags } from "../streaming/representations.js";

/** `/sdk/flags`: all flags, for PHP. */
export function pollFlags(exchange: Exchange): void {
  const { body, tag } = exchange.environment.flags.derive(polledFlags);
  sendTagged(exchange, body, tag);
}

/** `/sdk/latest-all`: everything, for server-side SDKs that poll. */
export function pollAll(exchange: Exchange): void {
  const { body, tag } = exchange.environment.flags.derive(polledData);
  sendTagged(exchange, body, tag);
}

/** `/sdk/flags/{key}` and `/sdk/segments/{key}`: one item, for PHP. */
export function pollItem(exchange: Exchange, kind: ItemKind): void {
  const item = exchange.environment.flags.get(kind, exchange.match.variables.key ?? "");
  if (item === undefined) sendEmpty(exchange.res, 404, exchange.headers);
  else sendTagged(exchange, item.json, `relay-${item.version}`);
}

function sendTagged(
  { req, res, environment, headers, downloads }: Exchange,
  body: string | Buffer,
  versionTag: string,
): void {
  const tag = environment.flags.toldByVersions ? versionTag : `${versionTag}-${digestOf(body)}`;
  const caching = { ...headers, ...cachingHeaders(environment) };
  if (req.headers["if-none-match"]?.trim() === tag) sendEmpty(res, 304, caching);
  else sendBody(res, 200, "application/json", body, { ...caching, Etag: tag }, downloads);
}

function digestOf(body: string | Buffer): string {
  return createHash("sha1").update(body).digest("hex").slice(0, 15);
}

/** `Expires` and not `Cache-Control`, so that what a shared cache hands out expires everywhere at once. */
function cachingHeaders({ settings, relayOptions }: Exchange["environment"]): Headers {
  if (settings.ttlMs === 0) return {};
  const expires = new Date(relayOptions.clock.now() + settings.ttlMs).toUTCString();
  return { Vary: "Authorization", Expires: expires };
}
