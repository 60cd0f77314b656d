import { BodyBuffer } from "./body-buffer.js";
import type { RelayRequest } from "./relay-response.js";
import type { GivenUp, Upload, Uploads } from "./uploads.js";

/** A body, or why there is none. */
export type BodyResult =
  | {
      readonly kind: "body";
      readonly bytes: Buffer;
      /** Whether the encoding that the headers name has been undone by what read the body before. */
      readonly decoded: boolean;
    }
  | { readonly kind: "too-large" }
  /** It was given up in favour of newer ones. */
  | { readonly kind: "crowded-out" }
  /** It was given up because the relay is closed. */
  | { readonly kind: "closed" }
  /** What read the body before has left something that cannot be written as JSON. */
  | { readonly kind: "malformed" }
  /** Something in front of the relay has read the body and left nothing of it. */
  | { readonly kind: "consumed" }
  /** The client went away. */
  | { readonly kind: "aborted" };

/** What bounds a body. */
export interface BodyBounds {
  readonly maxBytes: number;
  /** All that are on their way to the relay. */
  readonly uploads: Uploads;
}

/** A request whose body a framework in front of the relay has already read and put here. */
type ParsedRequest = RelayRequest & {
  readonly body?: unknown;
  /** Requests of HTTP/2 have one. */
  readonly stream?: unknown;
};

/** Reads the body of a request up to a bound, and gives it to `use`; until that is done it counts among the uploads. */
export async function withBody<Result>(
  req: ParsedRequest,
  { maxBytes, uploads }: BodyBounds,
  use: (body: BodyResult) => Promise<Result> | Result,
): Promise<Result> {
  if (req.readableEnded || req.readableDidRead) {
    const left = leftBody(req);
    return use(left.kind === "body" && left.bytes.length > maxBytes ? { kind: "too-large" } : left);
  }
  if (req.destroyed) return use({ kind: "aborted" });
  if (Number(req.headers["content-length"] ?? 0) > maxBytes) return use({ kind: "too-large" });
  let giveUp: (why: GivenUp) => void = () => {};
  const upload = uploads.begin((why) => giveUp(why));
  try {
    const body = await receiveBody(req, maxBytes, upload, (how) => {
      giveUp = how;
    });
    return await use(body);
  } finally {
    upload.release();
  }
}

function receiveBody(
  req: ParsedRequest,
  maxBytes: number,
  upload: Upload,
  whenGivenUp: (giveUp: (why: GivenUp) => void) => void,
): Promise<BodyResult> {
  return new Promise((resolve) => {
    const body = new BodyBuffer();
    const stop = (result: BodyResult) => {
      body.clear();
      req.off("data", take);
      req.pause();
      resolve(result);
    };
    const take = (chunk: Buffer | string) => {
      // What stands in front of the relay may have asked for text.
      const bytes = typeof chunk === "string" ? Buffer.from(chunk, req.readableEncoding ?? undefined) : chunk;
      if (body.size + bytes.length > maxBytes) {
        stop({ kind: "too-large" });
        return;
      }
      body.add(bytes);
      upload.hold(body.held);
    };
    whenGivenUp((kind) => stop({ kind }));
    req.on("data", take);
    req.on("end", () => {
      upload.arrived();
      const arrive = () => resolve({ kind: "body", bytes: body.bytes, decoded: false });
      // A request of HTTP/2 also ends when it is broken off, and says only then that it was.
      if (req.stream === undefined) arrive();
      else setImmediate(arrive);
    });
    req.on("close", () => resolve({ kind: "aborted" }));
    req.on("error", () => resolve({ kind: "aborted" }));
    // It may have been held back while something in front of the relay took its time.
    req.resume();
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
