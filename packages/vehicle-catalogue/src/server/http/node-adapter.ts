import { isPending } from "../awaitable.js";
import { bytesOf } from "../binary-text.js";
import type { Logger } from "../logger.js";
import { type Reply, type RouterRequest, splitTarget } from "./exchange.js";
import { describeError } from "./failure.js";
import type { Replies } from "./replies.js";
import type { Responder } from "./responder.js";
import { takesText } from "./takes-text.js";

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
  getHeader?(name: string): number | string | readonly string[] | undefined;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(): unknown;
  end(body: Uint8Array): unknown;
  end(body: string, encoding: "latin1"): unknown;
  once?(event: "close", listener: () => void): unknown;
  destroy?(): unknown;
}

/** Handles a request, or hands it to `next` when its path is not of this API; without `next` that is a 404. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse, next?: () => void) => void;

/** Makes a handler for Node. */
export function nodeHandler(respond: Responder, { notFound }: Replies, logger: Logger): NodeHandler {
  return (request, response, next) => {
    const exchange = new NodeExchange(request, response, logger);
    const answer = respond(exchange);
    if (answer === undefined) {
      if (next === undefined) exchange.send(notFound(exchange));
      else next();
    } else if (isPending(answer)) {
      answer.then((reply) => exchange.send(reply));
    } else {
      exchange.send(answer);
    }
  };
}

/** A request of Node as the router sees it, and where the answer goes. */
class NodeExchange implements RouterRequest {
  readonly method: string;
  readonly url: string;
  readonly originalUrl: string | undefined;
  readonly headers = this;
  readonly #request: NodeRequest;
  readonly #response: NodeResponse;
  readonly #logger: Logger;
  #signal: AbortSignal | undefined;

  constructor(request: NodeRequest, response: NodeResponse, logger: Logger) {
    this.method = request.method ?? "GET";
    this.url = request.url ?? "/";
    this.originalUrl = request.originalUrl;
    this.#request = request;
    this.#response = response;
    this.#logger = logger;
  }

  /** Looks a header up. */
  get(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }

  get clientAddress(): string | undefined {
    return this.#request.socket?.remoteAddress;
  }

  /** Aborted when the connection closes. After the answer that means nothing, and nobody listens. */
  get signal(): AbortSignal {
    if (this.#signal !== undefined) return this.#signal;
    const controller = new AbortController();
    this.#response.once?.("close", () => controller.abort());
    this.#signal = controller.signal;
    return this.#signal;
  }

  send(reply: Reply): void {
    try {
      write(this.#response, reply);
    } catch (error) {
      // Whatever wraps the response has failed: a client that is cut off can try again, one that waits cannot.
      this.#response.destroy?.();
      const target = `${this.method} ${splitTarget(this.url).path}`;
      this.#logger.error(`the answer to ${target} could not be sent: ${describeError(error, undefined)}`);
    }
  }
}

function write(response: NodeResponse, { status, headers, body }: Reply): void {
  // Something else, a timeout say, has answered while the catalogue was asked.
  if (response.headersSent) return;
  const vary = response.getHeader?.("vary");
  response.writeHead(status, vary === undefined ? headers : { ...headers, Vary: united(vary, headers.Vary) });
  if (body.length === 0) response.end();
  else if (typeof body !== "string") response.end(body);
  else if (takesText(response)) response.end(body, "latin1");
  else response.end(bytesOf(body));
}

/** What the host has said that its part of the answer depends on, and what ours does: each name once. */
function united(given: number | string | readonly string[], own = ""): string {
  const names = new Map<string, string>();
  for (const name of [given, own].flat().join(",").split(",")) {
    const trimmed = name.trim();
    if (trimmed !== "" && !names.has(trimmed.toLowerCase())) names.set(trimmed.toLowerCase(), trimmed);
  }
  return [...names.values()].join(", ");
}
