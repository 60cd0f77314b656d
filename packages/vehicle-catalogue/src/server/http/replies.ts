import { jsonApiMediaType } from "../../protocol.js";
import { type Awaitable, whenThere } from "../awaitable.js";
import { isAny, namesStrongTag, namesTag } from "./conditional.js";
import { type ContentCoding, negotiateCoding } from "./content-coding.js";
import type { Cors } from "./cors.js";
import type { Reply, RouterRequest, RouterResponse } from "./exchange.js";
import { type Refusal, refuse } from "./refusal.js";
import { entityTag, type Representation } from "./representation.js";

/** The methods of every path. */
export const allowedMethods = "GET, HEAD, OPTIONS";

/** The kinds of answers, with the headers that all of them have. */
export interface Replies {
  /** The document that was asked for: compressed, or not at all when the client has it. */
  represent(request: RouterRequest, representation: Representation, mediaType: string): Awaitable<Reply>;
  /**
   * The answer to a client that has the document, when that is certain before the document is made: whether a small one is
   * compressed is not.
   */
  unchanged(request: RouterRequest, name: string, codings: readonly ContentCoding[]): Reply | undefined;
  /** An error document. */
  refuse(request: RouterRequest, refusal: Refusal, mediaType?: string): Reply;
  /** An answer with further headers, which pages of other origins may read if they may read any. */
  withExposed(response: Reply, headers: Readonly<Record<string, string>>): Reply;
  /** The answer to `OPTIONS`, which also is what a browser asks before it sends a key. */
  preflight(request: RouterRequest): Reply;
  /**
   * The answer where nothing is, to who asks the router alone. A page may read it like any other: without that, it could not tell a wrong
   * address from a server that is away.
   */
  notFound(request: RouterRequest): Reply;
}

const nothing = new Uint8Array(0);
const encoder = new TextEncoder();

/** Makes the answers, with these CORS headers; documents may be used for so many seconds without asking again. */
export function createReplies(cors: Cors, maxAgeSeconds: number): Replies {
  const cacheControl = maxAgeSeconds > 0 ? `private, max-age=${maxAgeSeconds}` : "private, no-cache";

  /** Adds what differs by origin, if anything does. */
  const forOrigin = (constant: Record<string, string>, { headers }: RouterRequest) =>
    cors.headersFor === undefined
      ? constant
      : Object.assign(constant, cors.headersFor(headers.get("origin")));

  const validators = (tag: string): Record<string, string> => ({
    ETag: tag,
    "Cache-Control": cacheControl,
  });

  const notModified = (request: RouterRequest, tag: string): Reply => ({
    status: 304,
    headers: forOrigin(Object.assign(validators(tag), cors.constant), request),
    body: nothing,
  });

  const replies: Replies = {
    represent(request, representation, mediaType) {
      const { method, headers } = request;
      const coding = negotiateCoding(headers.get("accept-encoding"), representation.codings);
      const tag = entityTag(representation.name, coding);
      const wanted = headers.get("if-match");
      if (typeof wanted === "string" && !isAny(wanted) && !namesStrongTag(wanted, tag)) {
        return replies.refuse(request, failedPrecondition, mediaType);
      }
      const known = headers.get("if-none-match");
      if (typeof known === "string" && (isAny(known) || namesTag(known, tag))) {
        return notModified(request, tag);
      }
      return whenThere(representation.encoded(coding), (body) => {
        const answered: Record<string, string> = {
          "Content-Type": mediaType,
          "Content-Length": String(body.length),
          ETag: tag,
          "Cache-Control": cacheControl,
        };
        if (coding !== "identity") answered["Content-Encoding"] = coding;
        return {
          status: 200,
          headers: forOrigin(Object.assign(answered, cors.constant), request),
          body: method === "HEAD" ? nothing : body,
        };
      });
    },

    unchanged(request, name, codings) {
      const known = request.headers.get("if-none-match");
      const isConditional = ["if-match", unmodifiedSince].some(
        (one) => typeof request.headers.get(one) === "string",
      );
      if (typeof known !== "string" || isConditional) return undefined;
      const tag = entityTag(name, negotiateCoding(request.headers.get("accept-encoding"), codings));
      return namesTag(known, tag) ? notModified(request, tag) : undefined;
    },

    refuse(request, refusal, mediaType) {
      const { status, headers, body } = errorResponse(refusal, mediaType);
      return {
        status,
        headers: forOrigin({ ...headers, ...cors.constant }, request),
        body: request.method === "HEAD" ? nothing : body,
      };
    },

    withExposed(response, headers) {
      const name = "Access-Control-Expose-Headers";
      const exposed = response.headers[name];
      const more = exposed === undefined ? {} : { [name]: [exposed, ...Object.keys(headers)].join(", ") };
      return { ...response, headers: { ...response.headers, ...headers, ...more } };
    },

    preflight(request) {
      const headers = { Allow: allowedMethods, ...cors.constant, ...cors.preflight };
      return { status: 204, headers: forOrigin(headers, request), body: nothing };
    },

    notFound(request) {
      const isPreflight =
        request.method === "OPTIONS" &&
        typeof request.headers.get("access-control-request-method") === "string";
      return isPreflight ? replies.preflight(request) : replies.refuse(request, refuse("NOT_FOUND"));
    },
  };
  return replies;
}

const failedPrecondition = refuse("PRECONDITION_FAILED", {
  detail: "The document has another tag now.",
  source: { header: "If-Match" },
});

const unmodifiedSince = "if-unmodified-since";

/** The refusal of a request for what has not changed since a time, where it has. Tags, where they are named, say more. */
export function refusalOfTime(
  { headers }: RouterRequest,
  updatedAt: number | undefined,
): Refusal | undefined {
  const since = headers.get(unmodifiedSince);
  if (updatedAt === undefined || typeof since !== "string" || typeof headers.get("if-match") === "string")
    return undefined;
  // What is no date of HTTP is passed over, as RFC 9110 asks.
  const latest = / GMT$/.test(since) ? Date.parse(since) + 999 : Number.NaN;
  return updatedAt > latest ? hasChanged : undefined;
}

const hasChanged = refuse("PRECONDITION_FAILED", {
  detail: "A vehicle has come, changed or gone since then.",
  source: { header: "If-Unmodified-Since" },
});

/** The response that carries an error document. */
export function errorResponse(
  { status, errors, headers }: Refusal,
  mediaType: string = jsonApiMediaType,
): RouterResponse {
  const body = encoder.encode(JSON.stringify({ errors }));
  return {
    status,
    headers: {
      "Content-Type": mediaType,
      "Content-Length": String(body.length),
      "Cache-Control": "no-store",
      ...headers,
    },
    body,
  };
}
