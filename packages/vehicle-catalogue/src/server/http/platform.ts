import type { Awaitable } from "../awaitable.js";
import { builtinModules } from "../builtin-modules.js";
import type { ContentCoding } from "./content-coding.js";

/**
 * What the router needs of the runtime beyond the language: a hash and compression. Found by itself; a program may
 * bring its own.
 */
export interface Platform {
  /** The SHA-256 digest of a text in UTF-8, in hexadecimal digits. */
  digest(text: string): Awaitable<string>;
  /** The codings that `compress` knows, the preferred one first. */
  readonly codings: readonly ContentCoding[];
  compress(coding: ContentCoding, body: Uint8Array): Awaitable<Uint8Array>;
}

/** The built-in modules of Node where there are any (Node, Deno, Bun, some workers), otherwise what the Web has. */
export function findPlatform(): Platform {
  const builtin = builtinModules();
  if (builtin === undefined) return webPlatform();
  const crypto = builtin("node:crypto");
  const zlib = builtin("node:zlib");
  const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };
  return {
    // As a text, which Node makes several times faster than a buffer.
    digest: (text) => crypto.hash("sha256", text, "hex"),
    codings: ["br", "gzip"],
    compress: (coding, body) =>
      new Promise((resolve, reject) => {
        const done = (error: Error | null, result: Uint8Array): void =>
          error === null ? resolve(result) : reject(error);
        if (coding === "br") zlib.brotliCompress(body, quality, done);
        else zlib.gzip(body, done);
      }),
  };
}

/** Web Crypto and Compression Streams: slower, asynchronous, without brotli, but everywhere. */
export function webPlatform(): Platform {
  return {
    digest: async (text) => {
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
      return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
    codings: typeof CompressionStream === "undefined" ? [] : ["gzip"],
    compress: async (_coding, body) => {
      const stream = new Blob([Uint8Array.from(body)]).stream().pipeThrough(new CompressionStream("gzip"));
      return new Uint8Array(await new Response(stream).arrayBuffer());
    },
  };
}
