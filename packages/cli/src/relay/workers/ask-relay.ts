import type { OutgoingHttpHeaders } from "node:http";
import { Readable, Writable } from "node:stream";
import type { Relay, RelayRequest, RelayResponse } from "@wye/relay";
import type { Answer, OperatorRequest } from "./messages.js";

/** What a relay answers to operators, without a connection. */
export function askRelay(
  { statusHandler }: Pick<Relay, "statusHandler">,
  { method, path }: OperatorRequest,
): Promise<Answer> {
  return new Promise((resolve) => {
    const req = Object.assign(Readable.from([]), { method, url: path, headers: {} });
    statusHandler(req satisfies RelayRequest, new Recorder(resolve));
  });
}

/** A response that is kept. */
class Recorder extends Writable implements RelayResponse {
  statusCode = 200;
  headersSent = false;
  readonly #done: (answer: Answer) => void;
  readonly #chunks: Buffer[] = [];
  #headers: Record<string, string> = {};

  constructor(done: (answer: Answer) => void) {
    super();
    this.#done = done;
  }

  writeHead(status: number, headers: OutgoingHttpHeaders = {}): void {
    this.statusCode = status;
    this.headersSent = true;
    this.#headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
  }

  override _write(chunk: Buffer, _: string, taken: () => void): void {
    this.#chunks.push(chunk);
    taken();
  }

  override _final(ended: () => void): void {
    const body = Buffer.concat(this.#chunks).toString();
    this.#done({ status: this.statusCode, headers: this.#headers, body });
    ended();
  }
}
