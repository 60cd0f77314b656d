/** What a {@link FlagEvaluatorError} can be about; the list is closed. */
export type FlagEvaluatorErrorCode =
  /** `createContext` was given something that is not an evaluation context. */
  "invalid_context";

/** The one error class of this package. Data from outside never throws: it gives results, reasons and problems. */
export class FlagEvaluatorError extends Error {
  override readonly name = "FlagEvaluatorError";
  readonly code: FlagEvaluatorErrorCode;

  constructor(code: FlagEvaluatorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
