import { jsonApiMediaType } from "../../protocol.js";
import { type Awaitable, whenThere } from "../awaitable.js";
import { matchesTag } from "./conditional.js";
import { negotiateCoding } from "./content-coding.js";
import type { Cors } from "./cors.js";
import type { RouterRequest, RouterResponse } from "./exchange.js";
import type { Refusal } from "./refusal.js";
import type { Representation } from "./representation.js";

/** The methods of every path. */
export const allowedMethods = "GET, HEAD, OPTIONS";

/** The three kinds of answers, with the headers that all of them have. */
export interface Replies {
  /** The document that was asked for: compressed, or not at all when the client has it. */
  represent(
    request: RouterRequest,
    representation: Representation,
    mediaType: string,
  ): Awaitable<RouterResponse>;
  /** An error document. */
  refuse(request: RouterRequest, refusal: Refusal, mediaType?: string): RouterResponse;
  /** The answer to `OPTIONS`, which also is what a browser asks before it sends a key. */
  preflight(request: RouterRequest): RouterResponse;
}

const nothing = new Uint8Array(0);
const encoder = new TextEncoder();

/** Makes the answers, with these CORS headers. */
export function createReplies(cors: Cors): Replies {
  /** Adds what differs by origin, if anything does. */
  const forOrigin = (constant: Readonly<Record<string, string>>, { headers }: RouterRequest) =>
    cors.headersFor === undefined ? constant : { ...constant, ...cors.headersFor(headers.get("origin")) };

  const common = (tag: string): Readonly<Record<string, string>> => ({
    ETag: tag,
    "Cache-Control": "private, no-cache",
    ...cors.constant,
  });

  return {
    represent(request, representation, mediaType) {
      const { method, headers } = request;
      const coding = negotiateCoding(headers.get("accept-encoding"), representation.codings);
      const tag = representation.tag(coding);
      if (matchesTag(headers.get("if-none-match"), tag)) {
        const constant = representation.headers(coding, () => common(tag));
        return { status: 304, headers: forOrigin(constant, request), body: nothing };
      }
      return whenThere(representation.encoded(coding), (body) => {
        const constant = representation.headers(`${coding} ${mediaType}`, () => ({
          "Content-Type": mediaType,
          "Content-Length": String(body.length),
          ...(coding === "identity" ? {} : { "Content-Encoding": coding }),
          ...common(tag),
        }));
        return {
          status: 200,
          headers: forOrigin(constant, request),
          body: method === "HEAD" ? nothing : body,
        };
      });
    },

    refuse(request, refusal, mediaType) {
      const { status, headers, body } = errorResponse(refusal, mediaType);
      return {
        status,
        headers: forOrigin({ ...headers, ...cors.constant }, request),
        body: request.method === "HEAD" ? nothing : body,
      };
    },

    preflight(request) {
      const headers = { Allow: allowedMethods, ...cors.constant, ...cors.preflight };
      return { status: 204, headers: forOrigin(headers, request), body: nothing };
    },
  };
}

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
