/**
 * What can go wrong with a relay as a whole. Requests that cannot be served are answers, not errors.
 *
 * - `invalid_options`: the options contradict the documentation; `problems` has one sentence for each mistake.
 * - `unknown_environment`: a call names an environment that the relay does not have.
 * - `duplicate`: a name or a key is already in use by another environment.
 * - `malformed_data`: flags do not have the shape of the protocol.
 * - `store_failed`: a data store could not keep what it was given.
 * - `refused`: upstream does not accept the key of automatic configuration.
 * - `managed`: the environments come from automatic configuration or from a file, and are changed there.
 * - `closed`: the relay was closed before.
 */
export type RelayErrorCode =
  | "invalid_options"
  | "unknown_environment"
  | "duplicate"
  | "malformed_data"
  | "store_failed"
  | "refused"
  | "managed"
  | "closed";

/** The one error class of this package. */
export class RelayError extends Error {
  override readonly name = "RelayError";
  readonly code: RelayErrorCode;
  /** One sentence for each mistake; only `invalid_options` has several. */
  readonly problems: readonly string[];

  constructor(
    code: RelayErrorCode,
    message: string,
    options: ErrorOptions & { problems?: readonly string[] } = {},
  ) {
    super(message, options);
    this.code = code;
    this.problems = options.problems ?? [message];
  }
}

/** What options that contradict the documentation are answered with, every mistake at once. */
export function invalidOptions(problems: readonly string[]): RelayError {
  return new RelayError("invalid_options", problems.join("\n"), { problems });
}

/** What data that do not have the shape of the protocol are answered with. */
export function malformedData(message: string, cause?: unknown): RelayError {
  return new RelayError("malformed_data", message, { cause });
}

/** Tells whether something caught is an error of this package, whichever copy of it was loaded. */
export function isRelayError(error: unknown): error is RelayError {
  return error instanceof Error && error.name === "RelayError" && "code" in error && "problems" in error;
}
