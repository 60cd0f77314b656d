import type { RelayRequest } from "./relay-response.js";

/** A body, or why there is none. */
export type BodyResult =
  | {
      readonly kind: "body";
      readonly bytes: Buffer;
      /** Whether the encoding that the headers name has been undone by what read the body before. */
      readonly decoded: boolean;
    }
  | { readonly kind: "too-large" }
  /** What read the body before has left something that cannot be written as JSON. */
  | { readonly kind: "malformed" }
  /** Something in front of the relay has read the body and left nothing of it. */
  | { readonly kind: "consumed" }
  /** The client went away. */
  | { readonly kind: "aborted" };

/** A request whose body a framework in front of the relay has already read and put here. */
type ParsedRequest = RelayRequest & { readonly body?: unknown };

/** Reads the body of a request up to a bound. */
export async function readBody(req: ParsedRequest, maxBytes: number): Promise<BodyResult> {
  if (req.readableEnded || req.readableDidRead) {
    const left = leftBody(req);
    return left.kind === "body" && left.bytes.length > maxBytes ? { kind: "too-large" } : left;
  }
  if (req.destroyed) return { kind: "aborted" };
  if (Number(req.headers["content-length"] ?? 0) > maxBytes) return { kind: "too-large" };
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        chunks.length = 0;
        req.off("data", take);
        req.pause();
        resolve({ kind: "too-large" });
        return;
      }
      chunks.push(chunk);
    };
    req.on("data", take);
    req.on("end", () => {
      const [first] = chunks;
      const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, size);
      resolve({ kind: "body", bytes, decoded: false });
    });
    req.on("close", () => resolve({ kind: "aborted" }));
    req.on("error", () => resolve({ kind: "aborted" }));
  });
}

/** What a body parser has left in `body`. */
function leftBody({ body }: ParsedRequest): BodyResult {
  if (body === undefined || body === null) return { kind: "consumed" };
  if (body instanceof Uint8Array) {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    return { kind: "body", bytes, decoded: !isGzip(bytes) };
  }
  try {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return { kind: "body", bytes: Buffer.from(text), decoded: true };
  } catch {
    // Nested deeper than can be written, or something of another parser than JSON's.
    return { kind: "malformed" };
  }
}

/** No JSON begins with these bytes. */
function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
