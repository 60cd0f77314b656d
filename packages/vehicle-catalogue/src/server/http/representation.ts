import { type Awaitable, isPending, whenThere } from "../awaitable.js";
import type { ContentCoding } from "./content-coding.js";
import { asBytes, type Body } from "./exchange.js";
import type { Platform } from "./platform.js";

/** A body that answers a request, compressed at most once per coding. */
export interface Representation {
  /** The version of the catalogue that it shows. */
  readonly version: string;
  /** Differs for all bodies that one URL can answer. */
  readonly name: string;
  /** The codings that are worth it. */
  readonly codings: readonly ContentCoding[];
  encoded(coding: ContentCoding): Awaitable<Body>;
  /** The bytes that it holds in memory. */
  readonly size: number;
}

/** Smaller bodies fit one packet anyway. */
const leastToCompress = 1024;

/** The strong entity tag of a representation of that name, in a coding. */
export function entityTag(name: string, coding: ContentCoding): string {
  return coding === "identity" ? `"${name}"` : `"${name}-${coding}"`;
}

/** Wraps a document. */
export function createRepresentation(
  version: string,
  name: string,
  body: Body,
  platform: Platform,
): Representation {
  return new Compressible(version, name, body, platform);
}

/** A class, because there are tens of thousands of them in a cache, and closures would cost more than small bodies. */
class Compressible implements Representation {
  readonly version: string;
  readonly name: string;
  readonly #body: Body;
  readonly #platform: Platform;
  #compressed: Map<ContentCoding, Awaitable<Uint8Array>> | undefined;
  #size: number;

  constructor(version: string, name: string, body: Body, platform: Platform) {
    this.version = version;
    this.name = name;
    this.#body = body;
    this.#platform = platform;
    this.#size = body.length;
  }

  get codings(): readonly ContentCoding[] {
    return this.#body.length < leastToCompress ? [] : this.#platform.codings;
  }

  get size(): number {
    return this.#size;
  }

  encoded(coding: ContentCoding): Awaitable<Body> {
    if (coding === "identity") return this.#body;
    this.#compressed ??= new Map();
    const compressed = this.#compressed;
    const known = compressed.get(coding);
    if (known !== undefined) return known;
    const coming = whenThere(this.#platform.compress(coding, asBytes(this.#body)), (bytes) => {
      // From now on it is there at once.
      compressed.set(coding, bytes);
      this.#size += bytes.length + compressedOverhead;
      return bytes;
    });
    if (!isPending(coming)) return coming;
    compressed.set(coding, coming);
    // The next request tries again; this one reports the failure.
    coming.then(undefined, () => compressed.delete(coding));
    return coming;
  }
}

/** What another array takes beside its bytes. */
const compressedOverhead = 400;
