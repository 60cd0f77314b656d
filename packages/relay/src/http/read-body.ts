import { IncomingMessage } from "node:http";
import { types } from "node:util";
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
  /** What read the body before has left something that cannot be written as JSON, or it does not come as bytes. */
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
  bounds: BodyBounds,
  use: (body: BodyResult) => Promise<Result> | Result,
): Promise<Result> {
  const { maxBytes, uploads } = bounds;
  if (req.readableEnded || req.readableDidRead) {
    const left = leftBody(req);
    return use(left.kind === "body" && left.bytes.length > maxBytes ? { kind: "too-large" } : left);
  }
  if (req.destroyed) return use({ kind: "aborted" });
  if (Number(req.headers["content-length"] ?? 0) > maxBytes) return use({ kind: "too-large" });
  const arriving = new ArrivingBody(req, bounds);
  try {
    return await use(await arriving.result);
  } finally {
    uploads.release(arriving);
  }
}

/** A body that is being received. */
class ArrivingBody implements Upload {
  readonly result: Promise<BodyResult>;
  counted = 0;
  readonly #req: ParsedRequest;
  readonly #bounds: BodyBounds;
  readonly #body: BodyBuffer;
  /** Whether nobody else has what comes: a host may fill anew, or give away, what it has made a stream of. */
  readonly #isOfSocket: boolean;
  #resolve: (result: BodyResult) => void = () => {};

  constructor(req: ParsedRequest, bounds: BodyBounds) {
    this.#req = req;
    this.#bounds = bounds;
    this.#body = new BodyBuffer(bounds.maxBytes);
    this.#isOfSocket = req instanceof IncomingMessage || req.stream !== undefined;
    this.result = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    bounds.uploads.begin(this);
    const aborted = () => this.#resolve({ kind: "aborted" });
    req.on("data", this.#take);
    req.on("end", () => this.#end());
    req.on("close", aborted);
    req.on("error", aborted);
    // It may have been held back while something in front of the relay took its time.
    req.resume();
  }

  giveUp(kind: GivenUp): void {
    this.#stop({ kind });
  }

  #stop(result: BodyResult): void {
    this.#body.clear();
    this.#req.off("data", this.#take);
    this.#req.pause();
    this.#resolve(result);
  }

  readonly #take = (chunk: unknown): void => {
    const bytes = bytesOf(chunk, this.#req.readableEncoding);
    if (bytes === undefined) {
      this.#stop({ kind: "malformed" });
      return;
    }
    if (this.#body.size + bytes.length > this.#bounds.maxBytes) {
      this.#stop({ kind: "too-large" });
      return;
    }
    this.#body.add(this.#isOfSocket ? bytes : ownCopy(bytes));
    this.#bounds.uploads.hold(this, this.#body.held);
  };

  #end(): void {
    this.#bounds.uploads.arrived(this);
    const arrive = () => this.#resolve({ kind: "body", bytes: this.#body.bytes, decoded: false });
    // A request of HTTP/2 also ends when it is broken off, and says only then that it was.
    if (this.#req.stream === undefined) arrive();
    else setImmediate(arrive);
  }
}

/**
 * A chunk of a request, which a host may have made from a stream of another kind; `undefined` when that is none of bytes, or they
 * belong to another thread by now.
 */
function bytesOf(chunk: unknown, encoding: BufferEncoding | null): Buffer | undefined {
  // What stands in front of the relay may have asked for text.
  if (typeof chunk === "string") return Buffer.from(chunk, encoding ?? undefined);
  try {
    if (types.isAnyArrayBuffer(chunk)) return Buffer.from(chunk);
    if (!ArrayBuffer.isView(chunk)) return undefined;
    if (Buffer.isBuffer(chunk)) return chunk;
    return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  } catch {
    return undefined;
  }
}

function ownCopy(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

/** What a body parser has left in `body`. */
function leftBody({ body }: ParsedRequest): BodyResult {
  if (body === undefined || body === null) return { kind: "consumed" };
  const bytes = typeof body === "string" ? undefined : bytesOf(body, null);
  if (bytes !== undefined) return { kind: "body", bytes: ownCopy(bytes), decoded: !isGzip(bytes) };
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
