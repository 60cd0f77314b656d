import { paths } from "../../protocol.js";
import { type Awaitable, isPending, whenThere } from "../awaitable.js";
import { bytesOf } from "../binary-text.js";
import type { Catalogue, CatalogueCall, CatalogueSnapshot } from "../catalogue.js";
import { Fingerprint } from "../fingerprint.js";
import type { Logger } from "../logger.js";
import { updatedSinceName } from "../query/attribute-parameters.js";
import { createCall, untilDeadline } from "./abortable-call.js";
import type { Authorise } from "./authoriser.js";
import type { Endpoint } from "./endpoint.js";
import { type Reply, type RouterRequest, splitTarget } from "./exchange.js";
import type { FailedKeys } from "./failed-keys.js";
import { explainFailure, isSuperseded, longestWaitSeconds, newerSnapshot } from "./failure.js";
import { checkContentType, negotiateMediaType } from "./media-type.js";
import { createOutageLog } from "./outage-log.js";
import type { Platform } from "./platform.js";
import { publicBase } from "./public-base.js";
import { checkedWait, type RateLimit, rateLimitHeaders } from "./rate-limit.js";
import { isRefusal, type Refusal, refuse } from "./refusal.js";
import { allowedMethods, type Replies, refusalOfTime } from "./replies.js";
import { createRepresentation, type Representation } from "./representation.js";
import type { RepresentationCache } from "./representation-cache.js";
import { createSingleFlight } from "./single-flight.js";

/** What the responder is made of; `createVehicleRouter` puts it together. */
export interface ResponderParts {
  readonly catalogue: Catalogue;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** Names the form of the documents: what may differ between routers over the same data. */
  readonly form: () => string;
  /** The OpenAPI description, which needs no key. */
  readonly openApi: (base: string) => Representation;
  readonly prefix: string;
  readonly authorise: Authorise;
  readonly rateLimit: RateLimit | undefined;
  /** Called when the limit has told what is left, before anything is answered. */
  readonly onAnnouncedLimit: () => void;
  readonly failedKeys: FailedKeys;
  readonly replies: Replies;
  readonly cache: RepresentationCache;
  /** Whether answers say when the catalogue last changed. */
  readonly withTimes: boolean;
  readonly platform: Platform;
  readonly logger: Logger;
  readonly maxQueryLength: number;
  readonly timeoutMs: number;
}

/** Answers a request; undefined when its path is none of ours. Never throws and never rejects. */
export type Responder = (request: RouterRequest) => Awaitable<Reply> | undefined;

/**
 * The order of the checks is fixed, so that an unauthorised caller learns nothing about parameters: path, method, key,
 * rate, media types, parameters.
 */
export function createResponder(parts: ResponderParts): Responder {
  const { replies, prefix, timeoutMs } = parts;
  const answer = createAnswer(parts);
  const tellOutage = createOutageLog(parts.logger);

  return (request) => {
    const { path, search } = splitTarget(request.url);
    const local = path.startsWith(prefix) ? path.slice(prefix.length) : "";
    const endpoint = parts.endpoints.get(local);
    if (endpoint === undefined && local !== paths.openapi) return undefined;
    const call = createCall();
    const fail = (error: unknown): Reply => {
      const { refusal, line, outage } = explainFailure(error, request, path);
      if (line !== undefined) parts.logger.error(line);
      if (outage !== undefined) tellOutage(outage);
      return replies.refuse(request, refusal);
    };
    try {
      const response = respond(request, endpoint, { path: local, search, call });
      if (!isPending(response)) return response;
      return untilDeadline(response, call, timeoutMs, request.signal).then(undefined, fail);
    } catch (error) {
      return fail(error);
    }
  };

  function respond(request: RouterRequest, endpoint: Endpoint | undefined, target: Target): Awaitable<Reply> {
    const { method, headers } = request;
    if (method === "OPTIONS") return replies.preflight(request);
    if (method !== "GET" && method !== "HEAD") return replies.refuse(request, wrongMethod);
    if (endpoint === undefined) {
      return replies.represent(request, parts.openApi(publicBase(request)), "application/json");
    }
    const blockedMs = parts.failedKeys.waitOf(request);
    if (blockedMs > 0) return replies.refuse(request, tooMany(blockedMs));
    return whenThere(parts.authorise(headers.get("api-key")), (authorised) =>
      whenThere(parts.failedKeys.judge(request, !isRefusal(authorised)), (waitMs) => {
        if (waitMs > 0) return replies.refuse(request, tooMany(waitMs));
        if (isRefusal(authorised)) return replies.refuse(request, authorised);
        const { holder, seesWithheld } = authorised;
        const within = (): Awaitable<Reply> => {
          const wrongType = checkContentType(headers.get("content-type"));
          if (wrongType !== undefined) return replies.refuse(request, wrongType);
          const mediaType = negotiateMediaType(headers.get("accept"));
          if (typeof mediaType !== "string") return replies.refuse(request, mediaType);
          const { path, search, call } = target;
          return answer({ path, search, call, request, endpoint, seesWithheld, mediaType });
        };
        return parts.rateLimit === undefined ? within() : limited(parts.rateLimit, request, holder, within);
      }),
    );
  }

  /** Counts the request, and tells what is left when the limit says so. */
  function limited(
    limit: RateLimit,
    request: RouterRequest,
    holder: string,
    within: () => Awaitable<Reply>,
  ): Awaitable<Reply> {
    return whenThere(limit.take(holder), (taken) => {
      const waitMs = checkedWait(taken);
      if (typeof taken !== "number") parts.onAnnouncedLimit();
      const response = waitMs > 0 ? replies.refuse(request, tooMany(waitMs)) : within();
      if (typeof taken === "number") return response;
      return whenThere(response, (answered) => replies.withExposed(answered, rateLimitHeaders(taken)));
    });
  }
}

/** What a request asks for, and the call on whose behalf the catalogue is asked. */
interface Target {
  readonly path: string;
  readonly search: string;
  readonly call: CatalogueCall;
}

/** A request that passed all checks but those of its parameters. */
interface Question extends Target {
  readonly request: RouterRequest;
  readonly endpoint: Endpoint;
  readonly seesWithheld: boolean;
  readonly mediaType: string;
}

/** How often a snapshot whose version is gone is replaced by a new one. */
const mostSnapshots = 4;

/** Makes what answers from the cache, or asks the catalogue. */
function createAnswer(parts: ResponderParts): (question: Question) => Awaitable<Reply> {
  const { catalogue, replies, cache, platform } = parts;
  const share = createSingleFlight<Representation>();

  return function answer(
    question: Question,
    snapshotsLeft = mostSnapshots,
    newer?: CatalogueSnapshot,
  ): Awaitable<Reply> {
    const { request, path, search, seesWithheld, mediaType, call } = question;
    if (search.length > parts.maxQueryLength) {
      const detail = `The query must have at most ${parts.maxQueryLength} characters.`;
      return replies.refuse(request, refuse("URI_TOO_LONG", { detail }), mediaType);
    }
    const key = `${parts.form()} ${seesWithheld ? "all" : "withheld"} ${path}?${search}`;
    return whenThere(newer ?? catalogue.snapshot(call), (snapshot) => {
      const updatedAt = parts.withTimes ? checkedTime(snapshot) : undefined;
      const version = versionOf(snapshot, { search, updatedAt, seesWithheld });
      const kept = cache.get(key, version);
      const outdated = refusalOfTime(request, updatedAt);
      const represent = (representation: Representation): Awaitable<Reply> =>
        outdated
          ? replies.refuse(request, outdated, mediaType)
          : whenThere(replies.represent(request, representation, mediaType), (reply) =>
              withTime(reply, updatedAt),
            );
      if (kept !== undefined) return represent(kept);
      const document = question.endpoint(search);
      if (isRefusal(document)) return replies.refuse(request, document, mediaType);
      const name = `${version}-${new Fingerprint().text(key)}`;
      const unchanged = replies.unchanged(request, name, platform.codings);
      if (unchanged !== undefined) return withTime(unchanged, updatedAt);
      const make = (shared: CatalogueCall): Awaitable<Representation> =>
        whenThere(document(snapshot, seesWithheld, shared), (text) => {
          const body = cache.keeps ? bytesOf(text) : text;
          const representation = createRepresentation(version, name, body, platform);
          cache.set(key, representation);
          return representation;
        });
      const askAnew = (error: unknown): Awaitable<Reply> => {
        if (!isSuperseded(error) || snapshotsLeft <= 1) throw error;
        return answer(question, snapshotsLeft - 1, newerSnapshot(error));
      };
      let made: Awaitable<Representation>;
      try {
        made = share(`${version} ${key}`, call, make);
      } catch (error) {
        return askAnew(error);
      }
      return isPending(made) ? made.then(represent, askAnew) : represent(made);
    });
  };
}

/** A version goes into a header: one that a header cannot carry is a fault of the catalogue. */
function checkedVersion(version: unknown): string {
  if (typeof version === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(version)) return version;
  throw new TypeError(
    `the version of the catalogue must be 1 to 64 of the characters A–Z a–z 0–9 . _ -; got ${JSON.stringify(version)?.slice(0, 80)}`,
  );
}

/** What decides which version an answer shows. */
interface VersionOptions {
  readonly search: string;
  readonly updatedAt: number | undefined;
  readonly seesWithheld: boolean;
}

/**
 * The version of an answer, of as much of the data as the key sees; one about times also depends on when the catalogue
 * changed, because a version may come back.
 */
function versionOf(
  snapshot: CatalogueSnapshot | undefined | null,
  { search, updatedAt, seesWithheld }: VersionOptions,
): string {
  const whole = checkedVersion(snapshot?.version);
  const restricted = snapshot?.restrictedVersion;
  const version = seesWithheld || restricted === undefined ? whole : checkedVersion(restricted);
  if (updatedAt === undefined || !/updated_since|%/.test(search)) return version;
  const isAboutTimes = new URLSearchParams(`?${search}`).has(updatedSinceName);
  return isAboutTimes ? `${version}.${updatedAt.toString(36)}` : version;
}

function checkedTime(snapshot: CatalogueSnapshot | undefined | null): number {
  const time: unknown = snapshot?.updatedAt;
  if (typeof time === "number" && time >= 0 && time <= latestTime) return Math.floor(time);
  throw new TypeError(`updatedAt of the catalogue must be in milliseconds since 1970; got ${String(time)}`);
}

/** The last moment that a date can have. */
const latestTime = 8.64e15;

/** Says when the catalogue last changed: to the second before, and never a time to come. */
function withTime(response: Reply, updatedAt: number | undefined): Reply {
  if (updatedAt === undefined || (response.status !== 200 && response.status !== 304)) return response;
  const time = new Date(Math.min(updatedAt, Date.now())).toUTCString();
  return { ...response, headers: { ...response.headers, "Last-Modified": time } };
}

const wrongMethod = refuse(
  "METHOD_NOT_ALLOWED",
  { detail: `Use one of ${allowedMethods}.` },
  { Allow: allowedMethods },
);

function tooMany(waitMs: number): Refusal {
  const seconds = Math.min(Math.ceil(waitMs / 1000), longestWaitSeconds);
  const detail = `Try again in ${seconds} s.`;
  return refuse("TOO_MANY_REQUESTS", { detail }, { "Retry-After": String(seconds) });
}
