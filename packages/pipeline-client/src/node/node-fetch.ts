import { X509Certificate } from "node:crypto";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { pipeline, Readable, type Transform } from "node:stream";
import { createSecureContext } from "node:tls";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { checkOptions } from "@wye/pipeline-spec";
import type { PipelineFetch } from "../client-options.js";

/** How connections are secured. */
export interface NodeFetchOptions {
  /** Certificates of authorities that are trusted, in PEM: instead of those that Node knows. */
  readonly ca?: string | readonly string[] | undefined;
  /** A certificate of this side, in PEM. */
  readonly cert?: string | undefined;
  /** The key of that certificate, in PEM. */
  readonly key?: string | undefined;
  /** The name that the certificate of the server must have, where it is not that of the host. */
  readonly serverName?: string | undefined;
}

/**
 * A `fetch` for clusters with an authority of their own. That of Node cannot be told which certificates to trust, but for the
 * whole process.
 */
export function nodeFetch(options: NodeFetchOptions): PipelineFetch {
  checkOptions("nodeFetch", options, { ca: "any", cert: "text", key: "text", serverName: "text" });
  const { ca, cert, key, serverName } = options;
  checkAuthorities(ca);
  const secured = {
    ...(ca !== undefined && { ca: typeof ca === "string" ? ca : [...ca] }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
  checkSecured(secured);
  const agent = new Agent({
    ...{ keepAlive: true, ...secured },
    ...(serverName !== undefined && { servername: serverName }),
  });
  return (url, init) => send(new URL(url), init, agent);
}

/** Node takes an empty text for no wish, and would trust every authority that it knows. */
function checkAuthorities(ca: unknown): void {
  if (ca === undefined) return;
  const list: readonly unknown[] = Array.isArray(ca) ? ca : [ca];
  if (list.length === 0 || !list.every(isCertificate))
    throw new TypeError("`ca` is a certificate in PEM, or a list of them");
}

function isCertificate(text: unknown): boolean {
  if (typeof text !== "string" || !text.includes("-----BEGIN CERTIFICATE-----")) return false;
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

/** What cannot be read would else end every connection, without a request. */
function checkSecured(secured: { readonly cert?: string; readonly key?: string }): void {
  if ((secured.cert === undefined) !== (secured.key === undefined))
    throw new TypeError("`cert` and `key` go together: a certificate proves nothing without its key");
  try {
    createSecureContext(secured);
  } catch (error) {
    throw new TypeError(`\`ca\`, \`cert\` and \`key\` cannot be used together: ${(error as Error).message}`);
  }
}

function send(
  url: URL,
  { method = "GET", headers, body, signal }: RequestInit,
  agent: Agent,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const isSecure = url.protocol === "https:";
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      method,
      // Without a word about it, a server may encode as it likes.
      headers: { "accept-encoding": "gzip, deflate, br", ...Object.fromEntries(new Headers(headers)) },
      ...(isSecure && { agent }),
      ...(signal != null && { signal }),
    });
    request.once("error", reject);
    request.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(switched());
    });
    request.once("response", (message) => {
      try {
        resolve(responseOf(message));
      } catch (error) {
        message.destroy();
        reject(error);
      }
    });
    // The client sends texts and bytes, and nothing else.
    request.end(body == null ? undefined : (body as string | Uint8Array));
  });
}

const switched = (): TypeError =>
  new TypeError("the server answered 101 Switching Protocols, which nobody has asked for");

function responseOf(message: IncomingMessage): Response {
  const { statusCode = 500 } = message;
  if (statusCode < 200) throw switched();
  const headers = new Headers();
  for (let i = 0; i + 1 < message.rawHeaders.length; i += 2) {
    headers.append(message.rawHeaders[i] ?? "", message.rawHeaders[i + 1] ?? "");
  }
  const isEmpty = [204, 205, 304].includes(statusCode);
  if (isEmpty) message.resume();
  // Node's stream of bytes is that of the platform, under another name.
  const body = isEmpty ? null : (Readable.toWeb(decoded(message, headers)) as ReadableStream<Uint8Array>);
  // No Response can be made with other statuses; gateways invent some.
  if (statusCode < 600) return new Response(body, { status: statusCode, headers });
  return Object.defineProperty(new Response(body, { status: 599, headers }), "status", { value: statusCode });
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The body as it was before it was sent, as every `fetch` gives it. How much that may be is for the reader to say. */
function decoded(message: IncomingMessage, headers: Headers): Readable {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decode === undefined) return message;
  headers.delete("content-encoding");
  headers.delete("content-length");
  // Whoever reads it is told of a failure; here it is over.
  return pipeline(message, decode(), () => {});
}
