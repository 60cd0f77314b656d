import { Readable, Writable } from "node:stream";
import type { RelayHandler } from "../../src/http/handler.js";

/** A response without a network, which can be looked at in the same turn. */
export class FakeResponse extends Writable {
  statusCode = 0;
  headersSent = false;
  body = "";

  writeHead(status: number): this {
    this.statusCode = status;
    this.headersSent = true;
    return this;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.body += chunk.toString();
    done();
  }
}

/** Sends a request to a relay without a network. */
export function send(handler: RelayHandler, url: string, authorization?: string): FakeResponse {
  const headers = authorization === undefined ? {} : { authorization };
  const req = Object.assign(Readable.from([]), { method: "GET", url, headers });
  const res = new FakeResponse();
  handler(req, res);
  return res;
}
