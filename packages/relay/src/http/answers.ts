import { ServerResponse } from "node:http";
import type { Downloads } from "./downloads.js";
import { giveBackBody } from "./lent-bodies.js";
import type { RelayResponse } from "./relay-response.js";

/** Headers of a response. */
export type Headers = Readonly<Record<string, string | number>>;

export const noHeaders: Headers = {};

/** Ends the connection after an answer, where answers have a connection: HTTP/2 has none that an answer may name. */
export function closing(res: RelayResponse, headers: Headers): Headers {
  return res instanceof ServerResponse ? { ...headers, Connection: "close" } : headers;
}

/** Sends a body in JSON that was lent, by way of `downloads`. */
export function sendLentJson(
  res: RelayResponse,
  body: Uint8Array<ArrayBuffer>,
  headers: Headers,
  downloads: Downloads,
): void {
  writeHead(res, 200, headers, { "Content-Type": "application/json", "Content-Length": body.length });
  downloads.end(res, body, () => giveBackBody(body));
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
  writeHead(res, status, headers, {
    "Content-Type": contentType,
    "Content-Length": Buffer.byteLength(body),
  });
  if (downloads === undefined) res.end(body);
  else downloads.end(res, body);
}

/** Headers go to Node in a row, which it takes faster than an object; what has been put around it may know objects only. */
function writeHead(res: RelayResponse, status: number, headers: Headers, own: Headers): void {
  if (!(res instanceof ServerResponse) || res.writeHead !== ServerResponse.prototype.writeHead) {
    res.writeHead(status, { ...headers, ...own });
    return;
  }
  const row: (string | number)[] = [];
  for (const name in headers) row.push(name, headers[name] ?? "");
  for (const name in own) row.push(name, own[name] ?? "");
  res.writeHead(status, row);
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
  if (status === 304) {
    sendHead(res, status, headers);
    return;
  }
  writeHead(res, status, headers, { "Content-Length": 0 });
  res.end();
}

/** Answers without a body and without a length, which would be that of a body sent for another request. */
export function sendHead(res: RelayResponse, status: number, headers: Headers): void {
  writeHead(res, status, headers, noHeaders);
  res.end();
}
