/** A request to the API, ready to be sent and sent again. */
export interface ApiRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** What follows the host, encoded. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
  /** Of the body; JSON if not given. */
  readonly contentType?: string | undefined;
  /** True when doing it twice is as good as once, so that it may be sent again when nobody knows what became of it. */
  readonly isRepeatable: boolean;
}

/** The parameters of a query, in order; what is undefined is left out. */
export type Query = readonly (readonly [name: string, value: string | undefined])[];

/** A query as it is sent, with its question mark, or nothing. */
export function queryText(query: Query = []): string {
  const parts = query.flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`],
  );
  return parts.length > 0 ? `?${parts.join("&")}` : "";
}

/** An id as a part of a path: whatever it holds, it cannot lead elsewhere. */
export function pathSegment(id: string): string {
  // Dots alone are steps in a path, however they are encoded; nothing at all would ask for a list.
  if (typeof id !== "string" || /^\.{0,2}$/.test(id))
    throw new TypeError(`${JSON.stringify(id)} cannot be an id`);
  return encodeURIComponent(id.toWellFormed());
}
