import { apiKeyHeader } from "../../protocol.js";
import { isRecord, show } from "../../records/check-value.js";
import type { Addition } from "../additions.js";
import { checkMembers, checkOption, type Names } from "../check-option.js";

/** Which pages may use the API in a browser. */
export interface CorsOptions {
  /** Pages of which origins may use the API in a browser (`https://example.org`); `*` for all. Default: `*`. */
  readonly origins?: "*" | readonly string[];
  /** Request headers that pages may send beside those of the API (`traceparent`). Default: none. */
  readonly allowedHeaders?: readonly string[];
  /** For how long a browser may remember the answer to its preflight. Default: 600. */
  readonly maxAgeSeconds?: number;
}

/** Headers that let browsers use the API from other origins. */
export interface Cors {
  /** Headers that every response has. */
  readonly constant: Readonly<Record<string, string>>;
  /** What is added for one origin; undefined when responses do not differ by origin. */
  readonly headersFor?: (origin: string | null | undefined) => Readonly<Record<string, string>>;
  /** Further headers of the answer to `OPTIONS`. */
  readonly preflight: Readonly<Record<string, string>>;
}

/** Reads the option; false is no CORS at all. Pages may read what additions there are send in headers. */
export function createCors(options: CorsOptions | false, additions: readonly Addition[] = []): Cors {
  const vary = `Accept, Accept-Encoding, ${apiKeyHeader}`;
  if (options === false) return { constant: { Vary: vary }, preflight: {} };
  checkForm(options);
  const { origins = "*", allowedHeaders = [], maxAgeSeconds = 600 } = options;
  if (!Array.isArray(allowedHeaders) || !allowedHeaders.every(isHeaderName)) {
    throw new TypeError("cors.allowedHeaders must be a list of names of headers.");
  }
  checkOption("cors.maxAgeSeconds", maxAgeSeconds, "a whole number from 0");
  const times = additions.includes("updated_since") ? ", Last-Modified" : "";
  const exposed = { "Access-Control-Expose-Headers": `ETag, Retry-After${times}` };
  const preflight = {
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": [apiKeyHeader, "Content-Type", ...preconditions, ...allowedHeaders].join(
      ", ",
    ),
    "Access-Control-Max-Age": String(maxAgeSeconds),
  };
  if (origins === "*") {
    return { constant: { Vary: vary, "Access-Control-Allow-Origin": "*", ...exposed }, preflight };
  }
  checkOrigins(origins);
  const allowed = new Set(origins);
  return {
    constant: { Vary: `${vary}, Origin` },
    headersFor: (origin) =>
      origin !== null && origin !== undefined && allowed.has(origin)
        ? { "Access-Control-Allow-Origin": origin, ...exposed }
        : {},
    preflight,
  };
}

/** Of these the API itself is made, and no page may send them unasked. */
const preconditions = ["If-None-Match", "If-Match", "If-Unmodified-Since"];

const names: Names<CorsOptions> = { origins: 1, allowedHeaders: 1, maxAgeSeconds: 1 };

function checkForm(options: unknown): void {
  if (!isRecord(options)) throw new TypeError(`cors must be an object or false; got ${show(options)}.`);
  checkMembers("cors", options, names);
}

/** An origin that no browser sends would let nobody in, without a word. */
function checkOrigins(origins: unknown): void {
  const expected = `cors.origins must be "*" or a list of origins such as "https://example.org"`;
  if (!Array.isArray(origins)) throw new TypeError(`${expected}; got ${show(origins)}.`);
  for (const origin of origins) {
    const sent = originSent(origin);
    if (sent === origin) continue;
    const remedy = sent === undefined ? "" : `, for which browsers send ${show(sent)}`;
    throw new TypeError(`${expected}; got ${show(origin)} in the list${remedy}.`);
  }
}

/** What a browser sends for pages there; `undefined` for what is no origin. */
function originSent(origin: unknown): string | undefined {
  if (typeof origin !== "string") return undefined;
  // Pages of files and sandboxes, and of apps, whose schemes the standard does not know.
  if (origin === "null" || /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(origin)) return origin;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return url === undefined || url.origin === "null" ? undefined : url.origin;
}

function isHeaderName(name: unknown): boolean {
  return typeof name === "string" && /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name);
}
