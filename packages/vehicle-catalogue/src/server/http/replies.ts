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

export function createReplies(cors: Cors): Replies {
  const vary = `Accept, Accept-Encoding${cors.varies ? ", Origin" : ""}`;
  return {
    represent({ method, headers }, representation, mediaType) {
      const coding = negotiateCoding(headers.get("accept-encoding"), representation.codings);
      const tag = representation.tag(coding);
      const common = {
        ETag: tag,
        "Cache-Control": "private, no-cache",
        Vary: vary,
        ...cors.headersFor(headers.get("origin")),
      };
      if (matchesTag(headers.get("if-none-match"), tag))
        return { status: 304, headers: common, body: nothing };
      return whenThere(representation.encoded(coding), (body) => ({
        status: 200,
        headers: {
          "Content-Type": mediaType,
          "Content-Length": String(body.length),
          ...(coding === "identity" ? {} : { "Content-Encoding": coding }),
          ...common,
        },
        body: method === "HEAD" ? nothing : body,
      }));
    },

    refuse({ method, headers }, refusal, mediaType) {
      const response = errorResponse(refusal, mediaType);
      return {
        ...response,
        headers: { ...response.headers, Vary: vary, ...cors.headersFor(headers.get("origin")) },
        body: method === "HEAD" ? nothing : response.body,
      };
    },

    preflight({ headers }) {
      const crossOrigin = { ...cors.headersFor(headers.get("origin")), ...cors.preflight };
      return { status: 204, headers: { Allow: allowedMethods, Vary: vary, ...crossOrigin }, body: nothing };
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
