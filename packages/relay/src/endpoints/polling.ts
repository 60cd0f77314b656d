import type { ItemKind } from "@wye/flag-evaluator";
import { type Headers, sendBody, sendEmpty } from "../http/answers.js";
import type { Exchange } from "../http/exchange.js";
import type { RelayResponse } from "../http/relay-response.js";
import { varying } from "../http/vary.js";
import { polledData, polledFlags, polledItem, type TaggedBody } from "../streaming/representations.js";

/** `/sdk/flags`: all flags, for PHP. */
export function pollFlags(exchange: Exchange): void {
  sendTagged(exchange, exchange.environment.flags.derive(polledFlags));
}

/** `/sdk/latest-all`: everything, for server-side SDKs that poll. */
export function pollAll(exchange: Exchange): void {
  sendTagged(exchange, exchange.environment.flags.derive(polledData));
}

/** `/sdk/flags/{key}` and `/sdk/segments/{key}`: one item, for PHP. */
export function pollItem(exchange: Exchange, kind: ItemKind): void {
  const item = exchange.environment.flags.get(kind, exchange.match.variables.key ?? "");
  if (item === undefined) sendEmpty(exchange.res, 404, exchange.headers);
  else sendTagged(exchange, polledItem(item));
}

function sendTagged(
  { req, res, environment, headers, downloads }: Exchange,
  { body, tag }: TaggedBody,
): void {
  const caching = { ...headers, ...cachingHeaders(environment, res) };
  if (req.headers["if-none-match"]?.trim() === tag) sendEmpty(res, 304, caching);
  else sendBody(res, 200, "application/json", body, { ...caching, Etag: tag }, downloads);
}

/** `Expires` and not `Cache-Control`, so that what a shared cache hands out expires everywhere at once. */
function cachingHeaders({ settings, relayOptions }: Exchange["environment"], res: RelayResponse): Headers {
  if (settings.ttlMs === 0) return {};
  const expires = new Date(relayOptions.clock.now() + settings.ttlMs).toUTCString();
  return { Vary: varying(res, "Authorization"), Expires: expires };
}
