import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Readable, Writable } from "node:stream";

/** What a relay needs of a request. Those of `node:http`, of `node:http2` and of frameworks fit. */
export interface RelayRequest extends Readable {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** What a relay needs of a response. Those of `node:http`, of `node:http2` and of frameworks fit. */
export interface RelayResponse extends Writable {
  readonly headersSent: boolean;
  readonly statusCode: number;
  /** What a response of `node:http2` is written to. */
  readonly stream?: { readonly destroyed: boolean };
  writeHead(status: number, headers?: OutgoingHttpHeaders): unknown;
}

/** Whether whoever reads a response has gone away: nothing will tell so any more. */
export function hasGone(res: RelayResponse): boolean {
  // Responses of HTTP/2 have no `destroyed` of their own.
  return res.destroyed || res.stream?.destroyed === true;
}
