/** What can go wrong on the wire: each code with its status and its usual title. */
export const errorKinds = {
  BAD_REQUEST: { status: 400, title: "invalid query parameter" },
  FORBIDDEN: { status: 403, title: "forbidden" },
  NOT_FOUND: { status: 404, title: "not found" },
  METHOD_NOT_ALLOWED: { status: 405, title: "method not allowed" },
  NOT_ACCEPTABLE: { status: 406, title: "not acceptable" },
  REQUEST_TIMEOUT: { status: 408, title: "request timeout" },
  PRECONDITION_FAILED: { status: 412, title: "precondition failed" },
  URI_TOO_LONG: { status: 414, title: "uri too long" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: "unsupported media type" },
  TOO_MANY_REQUESTS: { status: 429, title: "too many requests" },
  HEADERS_TOO_LARGE: { status: 431, title: "request header fields too large" },
  INTERNAL_SERVER_ERROR: { status: 500, title: "unexpected error" },
  SERVICE_UNAVAILABLE: { status: 503, title: "service unavailable" },
} as const;

/** The codes that the router answers; a client must expect others. */
export type ErrorCode = keyof typeof errorKinds;

/** What is to blame for an error. */
export interface ErrorSource {
  readonly parameter?: string;
  readonly header?: string;
  readonly pointer?: string;
}

/** One error on the wire. Only `status`, `code` and `title` are promised. */
export interface ErrorObject {
  readonly status: string;
  readonly code: ErrorCode | (string & {});
  readonly title: string;
  readonly detail?: string;
  readonly source?: ErrorSource;
  readonly meta?: { readonly [name: string]: unknown };
}

/** The body of every answer that is not a success. */
export interface ErrorDocument {
  readonly errors: readonly ErrorObject[];
}
