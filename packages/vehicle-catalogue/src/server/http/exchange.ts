import { type BinaryText, bytesOf } from "../binary-text.js";

/** A request as the router sees it, whatever brought it. */
export interface RouterRequest {
  readonly method: string;
  /** Path and query (`/v2/vehicles?q=id3`), or a whole URL. */
  readonly url: string;
  /** The same before anything took a prefix off, where that is known. */
  readonly originalUrl?: string | undefined;
  /** Looks a header up by its lower-case name. The `Headers` of fetch have this form. */
  readonly headers: { get(name: string): string | null | undefined };
  /** Where it comes from, where that is known. */
  readonly clientAddress?: string | undefined;
  /** Aborted when nobody waits for the answer any more. Read only when the answer is not there at once. */
  readonly signal?: AbortSignal | undefined;
}

/** A response before anything carries it. */
export interface RouterResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for `HEAD`, whose headers are those of the `GET` nevertheless. They belong to the caller. */
  readonly body: Uint8Array;
}

/** The bytes of a response; a text of which each character stands for one is written out by what carries it. */
export type Body = Uint8Array | BinaryText;

/** A response as it is made. */
export interface Reply extends Omit<RouterResponse, "body"> {
  readonly body: Body;
}

/** The same with its bytes. */
export function responseOf(reply: Reply): RouterResponse {
  return { ...reply, body: asBytes(reply.body) };
}

/** The bytes of a body, written out if they are not yet. */
export function asBytes(body: Body): Uint8Array {
  return typeof body === "string" ? bytesOf(body) : body;
}

/** Path and query of a request target; a whole URL (which HTTP/1.1 allows) loses its origin, anything its fragment. */
export function splitTarget(target: string): { readonly path: string; readonly search: string } {
  const hash = target.indexOf("#");
  const clean = hash < 0 ? target : target.slice(0, hash);
  const origin = clean.startsWith("/") ? "" : (/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i.exec(clean)?.[0] ?? "");
  const local = clean.slice(origin.length);
  const mark = local.indexOf("?");
  return mark < 0
    ? { path: local, search: "" }
    : { path: local.slice(0, mark), search: local.slice(mark + 1) };
}
