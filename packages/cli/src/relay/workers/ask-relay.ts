import type { OutgoingHttpHeaders } from "node:http";
import { Readable, Writable } from "node:stream";
import type { Relay, RelayRequest, RelayResponse } from "@wye/relay";
import type { Answer } from "./messages.js";

/** What a relay answers to operators at a path, without a connection. */
export function askRelay({ statusHandler }: Pick<Relay, "statusHandler">, path: string): Promise<Answer> {
  return new Promise((resolve) => {
    const req = Object.assign(Readable.from([]), { method: "GET", url: path, headers: {} });
    statusHandler(req satisfies RelayRequest, new Recorder(resolve));
  });
}

/** A response that is kept. */
class Recorder extends Writable implements RelayResponse {
  statusCode = 200;
  headersSent = false;
  readonly #done: (answer: Answer) => void;
  readonly #chunks: Buffer[] = [];
  #contentType = "";

  constructor(done: (answer: Answer) => void) {
    super();
    this.#done = done;
  }

  writeHead(status: number, headers: OutgoingHttpHeaders = {}): void {
    this.statusCode = status;
    this.headersSent = true;
    this.#contentType = String(headers["Content-Type"] ?? "");
  }

  override _write(chunk: Buffer, _: string, taken: () => void): void {
    this.#chunks.push(chunk);
    taken();
  }

  override _final(ended: () => void): void {
    const body = Buffer.concat(this.#chunks).toString();
    this.#done({ status: this.statusCode, contentType: this.#contentType, body });
    ended();
  }
}
