import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as SecureServer } from "node:https";
import { Server as TcpServer } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as timer } from "node:timers/promises";

/** Those who ask one thing after the other do so within this time. */
const quietMs = 250;
const lookMs = 20;

/**
 * The open connections of a server, so that it can end without cutting anybody off: a client cannot know that the server closes a
 * connection on which its next request is on its way.
 */
export class OpenConnections {
  readonly #server: Server | SecureServer;
  /** Each with the answer that it is getting, or got last. */
  readonly #answers = new Map<Duplex, ServerResponse | undefined>();
  #isEnding = false;
  #lastAsked = 0;

  constructor(server: Server | SecureServer) {
    this.#server = server;
    server.on("setSecureContext" in server ? "secureConnection" : "connection", (socket: Duplex) => {
      this.#answers.set(socket, undefined);
      socket.once("close", () => this.#answers.delete(socket));
    });
    server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#answers.set(socket, response);
      this.#lastAsked = performance.now();
      if (this.#isEnding) response.shouldKeepAlive = false;
    });
  }

  /**
   * Takes no more connections. On those that are there everything is answered, with the word that it was the last; resolves when nobody
   * asks any more, or when the time is over. Answers that do not end stay.
   */
  async end(withinMs: number): Promise<void> {
    this.#isEnding = true;
    for (const response of this.#answers.values())
      if (response?.headersSent === false) response.shouldKeepAlive = false;
    // That of a server for HTTP closes connections on which nothing is asked at the moment.
    TcpServer.prototype.close.call(this.#server);
    const begun = performance.now();
    this.#lastAsked = begun;
    while (!this.#isQuiet() && performance.now() - begun < withinMs) await timer(lookMs);
  }

  #isQuiet(): boolean {
    if (performance.now() - this.#lastAsked >= quietMs) return true;
    return [...this.#answers.values()].every((answer) => answer?.headersSent && !answer.writableEnded);
  }
}
