import { createHash } from "node:crypto";
import type { ItemKind } from "@wye/flag-evaluator";
import { type Headers, sendBody, sendEmpty } from "../http/answers.js";
import type { Exchange } from "../http/exchange.js";
import type { RelayResponse } from "../http/relay-response.js";
import { varying } from "../http/vary.js";
import { polledData, polledFlags } from "../streaming/representations.js";

/** `/sdk/flags`: all flags, for PHP. */
export function pollFlags(exchange: Exchange): void {
  const { body, tag } = exchange.environment.flags.derive(polledFlags);
  sendTagged(exchange, body, body, tag);
}

/** `/sdk/latest-all`: everything, for server-side SDKs that poll. */
export function pollAll(exchange: Exchange): void {
  const { body, tag } = exchange.environment.flags.derive(polledData);
  sendTagged(exchange, body, body, tag);
}

/** `/sdk/flags/{key}` and `/sdk/segments/{key}`: one item, for PHP. */
export function pollItem(exchange: Exchange, kind: ItemKind): void {
  const item = exchange.environment.flags.get(kind, exchange.match.variables.key ?? "");
  if (item === undefined) sendEmpty(exchange.res, 404, exchange.headers);
  else sendTagged(exchange, item, item.json, `relay-${item.version}`);
}

/** `owner` is what the body was made of, or the body itself: the same object for the same bytes. */
function sendTagged(
  { req, res, environment, headers, downloads }: Exchange,
  owner: object,
  body: string | Buffer,
  versionTag: string,
): void {
  const tag = environment.flags.toldByVersions ? versionTag : `${versionTag}-${digestOf(owner, body)}`;
  const caching = { ...headers, ...cachingHeaders(environment, res) };
  if (req.headers["if-none-match"]?.trim() === tag) sendEmpty(res, 304, caching);
  else sendBody(res, 200, "application/json", body, { ...caching, Etag: tag }, downloads);
}

// Bodies may be large and are asked for again and again, so each is digested once in its life.
const digests = new WeakMap<object, string>();

function digestOf(owner: object, body: string | Buffer): string {
  let digest = digests.get(owner);
  if (digest === undefined) {
    digest = createHash("sha1").update(body).digest("hex").slice(0, 15);
    digests.set(owner, digest);
  }
  return digest;
}

/** `Expires` and not `Cache-Control`, so that what a shared cache hands out expires everywhere at once. */
function cachingHeaders({ settings, relayOptions }: Exchange["environment"], res: RelayResponse): Headers {
  if (settings.ttlMs === 0) return {};
  const expires = new Date(relayOptions.clock.now() + settings.ttlMs).toUTCString();
  return { Vary: varying(res, "Authorization"), Expires: expires };
}
