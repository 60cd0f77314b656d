import { paths } from "../../protocol.js";
import { type Awaitable, isPending, whenThere } from "../awaitable.js";
import type { Catalogue } from "../catalogue.js";
import { Fingerprint } from "../fingerprint.js";
import type { Logger } from "../logger.js";
import type { Authorise } from "./authoriser.js";
import type { Endpoint } from "./endpoint.js";
import { type RouterRequest, type RouterResponse, splitTarget } from "./exchange.js";
import { checkContentType, negotiateMediaType } from "./media-type.js";
import type { Platform } from "./platform.js";
import type { RateLimit } from "./rate-limit.js";
import { isRefusal, type Refusal, refuse } from "./refusal.js";
import { allowedMethods, type Replies } from "./replies.js";
import { createRepresentation, type Representation } from "./representation.js";
import type { RepresentationCache } from "./representation-cache.js";

/** What the responder is made of; `createVehicleRouter` puts it together. */
export interface ResponderParts {
  readonly catalogue: Catalogue;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The OpenAPI description, which needs no key. */
  readonly openApi: () => Representation;
  readonly prefix: string;
  readonly authorise: Authorise;
  readonly rateLimit: RateLimit | undefined;
  readonly replies: Replies;
  readonly cache: RepresentationCache;
  readonly platform: Platform;
  readonly logger: Logger;
  readonly maxQueryLength: number;
}

/** Answers a request; undefined when its path is none of ours. Never throws and never rejects. */
export type Responder = (request: RouterRequest) => Awaitable<RouterResponse> | undefined;

/**
 * The order of the checks is fixed, so that an unauthorised caller learns nothing about parameters: path, method, key,
 * rate, media types, parameters.
 */
export function createResponder(parts: ResponderParts): Responder {
  const { catalogue, replies, cache, platform, prefix, logger } = parts;

  return (request) => {
    const { path, search } = splitTarget(request.url);
    const local = path.startsWith(prefix) ? path.slice(prefix.length) : "";
    const endpoint = parts.endpoints.get(local);
    if (endpoint === undefined && local !== paths.openapi) return undefined;
    const fail = (error: unknown): RouterResponse => {
      logger.error(`${request.method} ${path} failed: ${describe(error, request.headers.get("api-key"))}`);
      return replies.refuse(request, refuse("INTERNAL_SERVER_ERROR"));
    };
    try {
      const response = respond(request, endpoint, local, search);
      return isPending(response) ? response.then(undefined, fail) : response;
    } catch (error) {
      return fail(error);
    }
  };

  function respond(
    request: RouterRequest,
    endpoint: Endpoint | undefined,
    path: string,
    search: string,
  ): Awaitable<RouterResponse> {
    const { method, headers } = request;
    if (method === "OPTIONS") return replies.preflight(request);
    if (method !== "GET" && method !== "HEAD") return replies.refuse(request, wrongMethod);
    if (endpoint === undefined) return replies.represent(request, parts.openApi(), "application/json");
    return whenThere(parts.authorise(headers.get("api-key")), (authorised) => {
      if (isRefusal(authorised)) return replies.refuse(request, authorised);
      return whenThere(parts.rateLimit?.take(authorised.holder) ?? 0, (waitMs) => {
        if (waitMs > 0) return replies.refuse(request, tooMany(waitMs));
        const wrongType = checkContentType(headers.get("content-type"));
        if (wrongType !== undefined) return replies.refuse(request, wrongType);
        const mediaType = negotiateMediaType(headers.get("accept"));
        if (typeof mediaType !== "string") return replies.refuse(request, mediaType);
        return show({ request, endpoint, path, search, full: authorised.full, mediaType });
      });
    });
  }

  /** Answers from the cache, or asks the endpoint. */
  function show({ request, endpoint, path, search, full, mediaType }: Showing): Awaitable<RouterResponse> {
    if (search.length > parts.maxQueryLength) {
      const detail = `The query must have at most ${parts.maxQueryLength} characters.`;
      return replies.refuse(request, refuse("URI_TOO_LONG", { detail }), mediaType);
    }
    const key = `${full ? "full" : "restricted"} ${path}?${search}`;
    return whenThere(catalogue.version(), (present) => {
      const kept = cache.get(key, present);
      if (kept !== undefined) return replies.represent(request, kept, mediaType);
      return whenThere(endpoint(search, full), (answer) => {
        if (isRefusal(answer)) return replies.refuse(request, answer, mediaType);
        const { version, body } = answer;
        const name = `${version}-${new Fingerprint().text(key)}`;
        const representation = createRepresentation(version, name, body, platform);
        cache.set(key, representation);
        return replies.represent(request, representation, mediaType);
      });
    });
  }
}

/** A request that passed all checks but those of its parameters. */
interface Showing {
  readonly request: RouterRequest;
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly search: string;
  readonly full: boolean;
  readonly mediaType: string;
}

const wrongMethod = refuse(
  "METHOD_NOT_ALLOWED",
  { detail: `Use one of ${allowedMethods}.` },
  { Allow: allowedMethods },
);

function tooMany(waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  const detail = `Try again in ${seconds} s.`;
  return refuse("TOO_MANY_REQUESTS", { detail }, { "Retry-After": String(seconds) });
}

/** An error for the log. A look-up that failed may have the key in its message, so it is taken out. */
function describe(error: unknown, apiKey: string | null | undefined): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return apiKey ? text.replaceAll(apiKey, "[key]") : text;
}
