/** Why flags do not arrive, in the words of the status document. */
export type SourceErrorKind = "UNKNOWN" | "NETWORK_ERROR" | "ERROR_RESPONSE" | "INVALID_DATA" | "STORE_ERROR";

/** Every reason why flags do not arrive. */
export const sourceErrorKinds: readonly SourceErrorKind[] = [
  "UNKNOWN",
  "NETWORK_ERROR",
  "ERROR_RESPONSE",
  "INVALID_DATA",
  "STORE_ERROR",
];

/** The reason that a source of the host has given; one that there is not is unknown. */
export function errorKindFrom(given: unknown): SourceErrorKind {
  return sourceErrorKinds.find((kind) => kind === given) ?? "UNKNOWN";
}
