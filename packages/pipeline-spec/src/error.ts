/**
 * What can go wrong beyond a bad input, which is a list of problems:
 *
 * - `unwritable`: a message holds something that JSON or YAML has no form for, such as a Value that is not finite.
 * - `archive`: an archive cannot be read. `unpackPipeline` makes a problem with this code of it.
 */
export type PipelineSpecErrorCode = "unwritable" | "archive";

/** The error that this package throws. */
export class PipelineSpecError extends Error {
  override readonly name = "PipelineSpecError";
  readonly code: PipelineSpecErrorCode;
  /** What it is about, as a JSON pointer. */
  readonly path: string;

  constructor(code: PipelineSpecErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(path === "" ? message : `${path}: ${message}`, options);
    this.code = code;
    this.path = path;
  }
}
