import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { UpstreamAnswer, UpstreamDispatcher, UpstreamRequest } from "../options/resolved-sections.js";

/** How long a connection is kept for the next request, as long as servers do that say nothing about it. */
const idleMs = 4000;

/** Connections to upstream without anything in between. */
export class UpstreamConnections implements UpstreamDispatcher {
  readonly #connectMs: number;
  readonly #plain = new HttpAgent({ keepAlive: true, timeout: idleMs });
  readonly #secure = new HttpsAgent({ keepAlive: true, timeout: idleMs });
  #closed = false;

  constructor(connectMs: number) {
    this.#connectMs = connectMs;
  }

  request(asked: UpstreamRequest): Promise<UpstreamAnswer> {
    return new Promise((resolve, reject) => {
      asked.signal.throwIfAborted();
      if (this.#closed) throw new Error("closed");
      const request = this.#ask(asked);
      const cancelLimit = this.#limit(request, asked);
      let answer: IncomingMessage | undefined;
      // An answer tells its reader why it ends, a request only that it did.
      const stop = () => (answer ?? request).destroy(asked.signal.reason);
      asked.signal.addEventListener("abort", stop, { once: true });
      request
        .on("error", (error) => {
          // A kept connection may be ended by upstream just when a question is put on it; another one has the answer.
          const isStale =
            request.reusedSocket && answer === undefined && asked.method === "GET" && wasCut(error);
          if (isStale) resolve(this.request(asked));
          else reject(error);
        })
        .once("response", (response) => {
          answer = response;
          cancelLimit();
          const { bodyTimeout } = asked;
          request.setTimeout(bodyTimeout, () => response.destroy(new Error(`silent for ${bodyTimeout} ms`)));
          resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, body: response });
        })
        .once("close", () => {
          cancelLimit();
          asked.signal.removeEventListener("abort", stop);
          // Of an answer that Node does not take for one, such as another protocol, this is all it tells.
          reject(new Error("upstream closed the connection"));
        })
        .end(asked.body);
    });
  }

  /** Cuts off everything; afterwards nothing is asked any more. */
  close(): void {
    this.#closed = true;
    this.#plain.destroy();
    this.#secure.destroy();
  }

  #ask({ origin, path, method, headers }: UpstreamRequest): ClientRequest {
    const { protocol, hostname, port } = new URL(origin);
    const options = { hostname: hostname.replace(/^\[|\]$/g, ""), port, path, method, headers };
    return protocol === "https:"
      ? requestHttps({ ...options, agent: this.#secure })
      : requestHttp({ ...options, agent: this.#plain });
  }

  /** Gives connecting its time, and then the answer; the result ends the watch. */
  #limit(request: ClientRequest, { origin, headersTimeout }: UpstreamRequest): () => void {
    const fail = (what: string) => () => request.destroy(new Error(what));
    let timer = setTimeout(fail(`no connection within ${this.#connectMs} ms`), this.#connectMs);
    const connected = () => {
      clearTimeout(timer);
      timer = setTimeout(fail(`no answer within ${headersTimeout} ms`), headersTimeout);
    };
    request.once("socket", (socket) => {
      if (request.reusedSocket) connected();
      else socket.once(origin.startsWith("https:") ? "secureConnect" : "connect", connected);
    });
    return () => clearTimeout(timer);
  }
}

function wasCut({ code }: NodeJS.ErrnoException): boolean {
  return code === "ECONNRESET" || code === "EPIPE";
}
