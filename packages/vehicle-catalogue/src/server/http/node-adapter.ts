import { isPending } from "../awaitable.js";
import type { Logger } from "../logger.js";
import { type RouterResponse, splitTarget } from "./exchange.js";
import { describeError } from "./failure.js";
import { refuse } from "./refusal.js";
import { errorResponse } from "./replies.js";
import type { Responder } from "./responder.js";

/** What is used of a request of `node:http`, `node:http2`, Express, Connect, …. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Where Express and Connect keep the URL that they take a prefix off. */
  readonly originalUrl?: string | undefined;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined;
}

/** What is used of a response of the same. */
export interface NodeResponse {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(): unknown;
  end(body: Uint8Array): unknown;
  once?(event: "close", listener: () => void): unknown;
  destroy?(): unknown;
}

/** Handles a request, or hands it to `next` when its path is not of this API; without `next` that is a 404. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse, next?: () => void) => void;

/** Makes a handler for Node. */
export function nodeHandler(respond: Responder, logger: Logger): NodeHandler {
  return (request, response, next) => {
    const { method = "GET", url = "/", originalUrl, headers } = request;
    const send = (answer: RouterResponse): void => {
      try {
        write(response, answer, method);
      } catch (error) {
        // Whatever wraps the response has failed: a client that is cut off can try again, one that waits cannot.
        response.destroy?.();
        const { path } = splitTarget(url);
        logger.error(`the answer to ${method} ${path} could not be sent: ${describeError(error, undefined)}`);
      }
    };
    const answer = respond({
      method,
      url,
      originalUrl,
      headers: { get: (name) => headerText(headers[name]) },
      get clientAddress() {
        return request.socket?.remoteAddress;
      },
      get signal() {
        return closing(response);
      },
    });
    if (answer === undefined) {
      if (next === undefined) send(errorResponse(refuse("NOT_FOUND")));
      else next();
    } else if (isPending(answer)) {
      answer.then(send);
    } else {
      send(answer);
    }
  };
}

/** Aborted when the connection closes. After the answer that means nothing, and nobody listens. */
function closing(response: NodeResponse): AbortSignal {
  const controller = new AbortController();
  response.once?.("close", () => controller.abort());
  return controller.signal;
}

function headerText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "object" ? value.join(", ") : value;
}

function write(response: NodeResponse, { status, headers, body }: RouterResponse, method: string): void {
  // Something else, a timeout say, has answered while the catalogue was asked.
  if (response.headersSent) return;
  response.writeHead(status, headers);
  if (body.length === 0 || method === "HEAD") response.end();
  else response.end(body);
}
