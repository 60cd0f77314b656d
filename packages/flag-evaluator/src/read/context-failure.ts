/** Why a text is not a context. */
export interface ContextFailure {
  readonly ok: false;
  /** `base64`: not decodable; `json`: not JSON, or too long; `invalid`: JSON, but not a context. */
  readonly code: "base64" | "json" | "invalid";
  /** JSON pointer to the offending member; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** A failure with that place and message. */
export function failure(code: ContextFailure["code"], path: string, message: string): ContextFailure {
  return { ok: false, code, path, message };
}
