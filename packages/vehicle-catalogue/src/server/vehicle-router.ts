import { paths } from "../protocol.js";
import { vehicleRules } from "../records/vehicle-rules.js";
import { type Addition, type AdditionSources, additionsOf, type QueryAdditions } from "./additions.js";
import { type Awaitable, whenThere } from "./awaitable.js";
import type { Catalogue } from "./catalogue.js";
import { checkRouterOptions } from "./check-router-options.js";
import { Fingerprint } from "./fingerprint.js";
import { createAuthoriser, type KeyEntry, type KeyLookup } from "./http/authoriser.js";
import { type CorsOptions, createCors } from "./http/cors.js";
import { brandsEndpoint, type Endpoint, vehiclesEndpoint } from "./http/endpoint.js";
import { type Reply, type RouterRequest, type RouterResponse, responseOf } from "./http/exchange.js";
import { createFailedKeys, type FailedKeysOptions } from "./http/failed-keys.js";
import { type FetchHandler, fetchHandler } from "./http/fetch-adapter.js";
import { type NodeHandler, nodeHandler } from "./http/node-adapter.js";
import { findPlatform, type Platform } from "./http/platform.js";
import type { RateLimit } from "./http/rate-limit.js";
import { createReplies, type Replies } from "./http/replies.js";
import { createRepresentation, type Representation } from "./http/representation.js";
import { createRepresentationCache } from "./http/representation-cache.js";
import { createResponder, type Responder } from "./http/responder.js";
import { harmlessLogger, type Logger, silentLogger } from "./logger.js";
import { openApiDescription } from "./openapi.js";
import { createPreparation } from "./preparation.js";
import { vehicleParametersFor } from "./query/parameter-table.js";

/** What a router serves, to whom, and within which limits. */
export interface VehicleRouterOptions {
  /** Where the vehicles are. */
  readonly catalogue: Catalogue;
  /** The keys and what each may do; or a function that finds that out, in a database say. */
  readonly keys: readonly KeyEntry[] | KeyLookup;
  /** Where the API is mounted, if what calls the router leaves that in the URL: `/api`. Default: at the root. */
  readonly prefix?: string;
  /** Pagination links in the documents. Default: true. */
  readonly links?: boolean;
  /** How often the holder of a key may ask; `createTokenBucket()` makes one. Default: no limit. */
  readonly rateLimit?: RateLimit;
  /** How often an address may come with keys that are refused. Default: as often as it likes. */
  readonly failedKeys?: FailedKeysOptions;
  /** What clients may ask for beyond the documented API; the catalogue has to understand it. Default: nothing. */
  readonly additions?: QueryAdditions;
  /** For how long a client may use a document without asking again. Default: 0, which has it ask each time. */
  readonly maxAgeSeconds?: number;
  /** Which pages may use the API in a browser. Default: all. False: none, and no CORS headers. */
  readonly cors?: CorsOptions | false;
  /** Memory for documents that were asked for before, in bytes; 0 keeps none. Default: 32 MiB. */
  readonly cacheBytes?: number;
  /** Memory for vehicles that are written out already, in bytes. Default: 64 MiB. */
  readonly preparedBytes?: number;
  /** How long the catalogue and a function of keys may take; then the answer is 503. Default: 10,000. */
  readonly timeoutMs?: number;
  /** The longest query string, in characters; a longer one is answered with 414. Default: 65,536. */
  readonly maxQueryLength?: number;
  /** Where unexpected errors are reported. Default: nowhere. */
  readonly logger?: Logger;
  /** Hash and compression. Default: those of the runtime. */
  readonly platform?: Platform;
}

/** The API as a handler, in three forms that answer alike. */
export interface VehicleRouter {
  /** For `node:http`, `node:http2`, Express, Connect and the like: `http.createServer(router.node)`. */
  readonly node: NodeHandler;
  /** For Hono, Bun, Deno, workers: `export default { fetch: router.fetch }`. */
  readonly fetch: FetchHandler;
  /** What both are made of, for other hosts and for tests. */
  readonly respond: (request: RouterRequest) => Awaitable<RouterResponse>;
}

/**
 * The number of the layout of documents. It is part of their ETags: whoever changes what a document looks like for the
 * same data raises it, so that no client keeps the old one.
 */
const documentFormat = 2;

/** Makes a router that serves a catalogue. */
export function createVehicleRouter(options: VehicleRouterOptions): VehicleRouter {
  checkRouterOptions(options);
  const { catalogue, keys, links = true, cors = {}, cacheBytes = 32 * 1024 * 1024 } = options;
  const { rateLimit, platform = findPlatform(), maxQueryLength = 65_536 } = options;
  const logger = harmlessLogger(options.logger ?? silentLogger);
  const { additions = {}, maxAgeSeconds = 0, timeoutMs = 10_000 } = options;
  const rules = vehicleRules(catalogue.extension);
  const { names, added } = rules;
  const { extension } = catalogue;
  const sources = createSources(
    { extension, additions, maxAgeSeconds },
    rateLimit?.announces === true,
    [documentFormat, links ? "with links" : "", ...added, "+"].join(" "),
  );
  const preparation = createPreparation(options.preparedBytes ?? 64 * 1024 * 1024, names);
  const form = { preparation, withLinks: links, additions: sources.additions };
  const replies = createReplies(createCors(cors, sources.additions()), maxAgeSeconds);
  const responder = createResponder({
    catalogue,
    endpoints: new Map<string, Endpoint>([
      [paths.vehicles, vehiclesEndpoint(form, vehicleParametersFor(rules, additions))],
      [paths.brands, brandsEndpoint(form)],
    ]),
    form: sources.form,
    openApi: describedAt(platform, sources),
    onAnnouncedLimit: sources.announceLimit,
    withTimes: additions.updatedSince === true,
    prefix: options.prefix ?? "",
    authorise: createAuthoriser(keys, platform),
    rateLimit,
    replies,
    failedKeys: createFailedKeys(options.failedKeys, timeoutMs),
    cache: createRepresentationCache(cacheBytes),
    platform,
    logger,
    maxQueryLength,
    timeoutMs,
  });
  return {
    node: nodeHandler(responder, replies, logger),
    fetch: fetchHandler(responder, replies),
    respond: withNotFound(responder, replies),
  };
}

function withNotFound(responder: Responder, { notFound }: Replies): VehicleRouter["respond"] {
  return (request) => {
    checkRequest(request);
    return whenThere(responder(request) ?? notFound(request), ownResponse);
  };
}

/** A caller may do with the bytes what it likes, and those that are kept answer others. */
function ownResponse(reply: Reply): RouterResponse {
  const { body } = reply;
  return responseOf(typeof body === "string" ? reply : { ...reply, body: new Uint8Array(body) });
}

function checkRequest(request: RouterRequest): void {
  const { method, url, headers } = request ?? {};
  if (typeof method === "string" && typeof url === "string" && typeof headers?.get === "function") return;
  throw new TypeError(
    "respond needs { method, url, headers }: two texts, and headers that have get(), such as new Headers({ … }).",
  );
}

/** What decides which additions there are; whether the rate limit tells what is left may turn out with a request. */
interface Sources {
  readonly present: () => AdditionSources;
  readonly additions: () => readonly Addition[];
  /** Names the form of the documents: what may differ between routers over the same data. */
  readonly form: () => string;
  readonly announceLimit: () => void;
}

function createSources(known: AdditionSources, announcesLimit: boolean, layout: string): Sources {
  const withLimit = (announces: boolean) => {
    const present: AdditionSources = { ...known, announcesLimit: announces };
    const additions = additionsOf(present);
    return { present, additions, form: new Fingerprint().value([layout, ...additions]).toString() };
  };
  let now = withLimit(announcesLimit);
  return {
    present: () => now.present,
    additions: () => now.additions,
    form: () => now.form,
    announceLimit() {
      if (now.present.announcesLimit !== true) now = withLimit(true);
    },
  };
}

/** So many mounts of one router are remembered. */
const mostDescriptions = 20;

/** The description for callers who find the API at a base; at an unknown one, it says so relative to itself. */
function describedAt(platform: Platform, { present }: Sources): (base: string) => Representation {
  let described = new Map<string, Representation>();
  let sourcesThen: AdditionSources | undefined;
  return (base) => {
    const sources = present();
    if (sources !== sourcesThen) described = new Map();
    sourcesThen = sources;
    const known = described.get(base);
    if (known !== undefined) return known;
    const text = JSON.stringify(openApiDescription(base === "" ? ".." : base, sources));
    const name = new Fingerprint().text(text).toString();
    const made = createRepresentation(name, name, new TextEncoder().encode(text), platform);
    if (described.size < mostDescriptions) described.set(base, made);
    return made;
  };
}
