import { type RouterResponse, responseOf } from "./exchange.js";
import type { Replies } from "./replies.js";
import type { Responder } from "./responder.js";

/** Answers a request of the Fetch standard: Hono, Bun, Deno, workers. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Makes a handler for hosts of the Fetch standard. */
export function fetchHandler(respond: Responder, { notFound }: Replies): FetchHandler {
  return async (request) => {
    if (typeof request?.url !== "string" || typeof request.headers?.get !== "function")
      throw new TypeError("fetch of a router needs a Request: new Request(url, { headers }).");
    const answer = await (respond(request) ?? notFound(request));
    return toResponse(responseOf(answer));
  };
}

function toResponse({ status, headers, body }: RouterResponse): Response {
  // The standard wants to know that these bytes are not shared with another thread; ours never are.
  return new Response(body.length === 0 ? null : (body as Uint8Array<ArrayBuffer>), { status, headers });
}
