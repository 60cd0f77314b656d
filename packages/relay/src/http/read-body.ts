import type { IncomingMessage } from "node:http";

/** A body, or why there is none. */
export type BodyResult =
  | { readonly kind: "body"; readonly bytes: Buffer }
  | { readonly kind: "too-large" }
  /** The client went away. */
  | { readonly kind: "aborted" };

/** A request whose body a framework in front of the relay has already read and put here. */
type ParsedRequest = IncomingMessage & { readonly body?: unknown };

/** Reads the body of a request up to a bound. */
export function readBody(req: ParsedRequest, maxBytes: number): Promise<BodyResult> {
  const parsed = parsedBody(req);
  if (parsed !== undefined) {
    return Promise.resolve(
      parsed.length > maxBytes ? { kind: "too-large" } : { kind: "body", bytes: parsed },
    );
  }
  if (Number(req.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve({ kind: "too-large" });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        req.removeAllListeners("data");
        req.pause();
        resolve({ kind: "too-large" });
        return;
      }
      chunks.push(chunk);
    });
    req.on("end", () => {
      const [first] = chunks;
      resolve({
        kind: "body",
        bytes: chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, size),
      });
    });
    req.on("close", () => resolve({ kind: "aborted" }));
    req.on("error", () => resolve({ kind: "aborted" }));
  });
}

function parsedBody({ body, readableEnded }: ParsedRequest): Buffer | undefined {
  if (!readableEnded || body === undefined) return undefined;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}
