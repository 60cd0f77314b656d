import { ServerResponse } from "node:http";
import type { Downloads } from "./downloads.js";
import type { RelayResponse } from "./relay-response.js";

/** Headers of a response. */
export type Headers = Readonly<Record<string, string | number>>;

export const noHeaders: Headers = {};

/** Ends the connection after an answer, where answers have a connection: HTTP/2 has none that an answer may name. */
export function closing(res: RelayResponse, headers: Headers): Headers {
  return res instanceof ServerResponse ? { ...headers, Connection: "close" } : headers;
}

/** Sends a body of a known type; one that may be large, by way of `downloads`. */
export function sendBody(
  res: RelayResponse,
  status: number,
  contentType: string,
  body: string | Uint8Array,
  headers: Headers = noHeaders,
  downloads?: Downloads,
): void {
  res.writeHead(status, {
    ...headers,
    "Content-Type": contentType,
    "Content-Length": Buffer.byteLength(body),
  });
  if (downloads === undefined) res.end(body);
  else downloads.end(res, body);
}

export function sendJson(res: RelayResponse, status: number, body: string | Buffer, headers?: Headers): void {
  sendBody(res, status, "application/json", body, headers);
}

export function sendText(res: RelayResponse, status: number, text: string, headers?: Headers): void {
  sendBody(res, status, "text/plain; charset=utf-8", text, headers);
}

/** The JSON form of errors that endpoints find. */
export function sendMessage(res: RelayResponse, status: number, message: string, headers?: Headers): void {
  sendJson(res, status, JSON.stringify({ message }), headers);
}

export function sendEmpty(res: RelayResponse, status: number, headers: Headers = noHeaders): void {
  res.writeHead(status, status === 304 ? headers : { ...headers, "Content-Length": 0 });
  res.end();
}
