import { posix } from "node:path";

/** What a request asks for, or why that cannot be told. */
export type RequestTarget =
  | { readonly kind: "path"; readonly segments: readonly string[]; readonly query: URLSearchParams }
  /** The path has empty or dot segments; there is a clean spelling of it. */
  | { readonly kind: "unclean"; readonly location: string }
  /** The percent-encoding is broken. */
  | { readonly kind: "malformed" }
  /** The path is not below the prefix. */
  | { readonly kind: "outside" };

const noQuery = new URLSearchParams();

/** Reads the target of a request: `/path?query`, or a whole address as proxies send it. */
export function readRequestTarget(url: string, prefix = ""): RequestTarget {
  const target = url.startsWith("/") ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
  const mark = target.indexOf("?");
  const whole = mark < 0 ? target : target.slice(0, mark);
  if (!whole.startsWith(`${prefix}/`)) return { kind: "outside" };
  const path = whole.slice(prefix.length);
  // Looking for two characters is quick, also where a long context follows.
  if (path.includes("//") || (path.includes("/.") && /\/\.\.?(?:\/|$)/.test(path))) {
    const search = mark < 0 ? "" : target.slice(mark);
    return { kind: "unclean", location: prefix + posix.normalize(path) + search };
  }
  const segments = path.slice(1).split("/");
  if (path.includes("%")) {
    try {
      for (const [index, segment] of segments.entries()) segments[index] = decodeURIComponent(segment);
    } catch {
      // Only broken escapes make it throw.
      return { kind: "malformed" };
    }
  }
  return { kind: "path", segments, query: mark < 0 ? noQuery : new URLSearchParams(target.slice(mark + 1)) };
}
