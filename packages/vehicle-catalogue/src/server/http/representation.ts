import { type Awaitable, isPending, whenThere } from "../awaitable.js";
import type { ContentCoding } from "./content-coding.js";
import type { Platform } from "./platform.js";

/** A body that answers a request, compressed at most once per coding. */
export interface Representation {
  /** The version of the catalogue that it shows. */
  readonly version: string;
  readonly body: Uint8Array;
  /** The strong entity tag of the body in a coding. */
  tag(coding: ContentCoding): string;
  /** The codings that are worth it. */
  readonly codings: readonly ContentCoding[];
  encoded(coding: ContentCoding): Awaitable<Uint8Array>;
  /** The headers of that name, made when they are first asked for. */
  headers(name: string, make: () => Headers): Headers;
  /** Roughly the bytes that it holds in memory. */
  readonly size: number;
}

type Headers = Readonly<Record<string, string>>;

/** Smaller bodies fit one packet anyway. */
const leastToCompress = 1024;

/** Wraps a body; `name` has to differ for all bodies that one URL can answer. */
export function createRepresentation(
  version: string,
  name: string,
  body: Uint8Array,
  platform: Platform,
): Representation {
  const compressed = new Map<ContentCoding, Awaitable<Uint8Array>>();
  const headerSets = new Map<string, Headers>();
  const tags = new Map<ContentCoding, string>(
    [...platform.codings].map((coding) => [coding, `"${name}-${coding}"`]),
  );
  let size = body.length;
  return {
    version,
    body,
    tag: (coding) => tags.get(coding) ?? `"${name}"`,
    codings: body.length < leastToCompress ? [] : platform.codings,
    get size() {
      return size;
    },
    headers(of, make) {
      const known = headerSets.get(of) ?? make();
      headerSets.set(of, known);
      return known;
    },
    encoded(coding) {
      if (coding === "identity") return body;
      const known = compressed.get(coding);
      if (known !== undefined) return known;
      const coming = whenThere(platform.compress(coding, body), (bytes) => {
        // From now on it is there at once.
        compressed.set(coding, bytes);
        size += bytes.length;
        return bytes;
      });
      if (!isPending(coming)) return coming;
      compressed.set(coding, coming);
      // The next request tries again; this one reports the failure.
      coming.then(undefined, () => compressed.delete(coding));
      return coming;
    },
  };
}
