/** The codes of the problems that this package finds. */
export type SpecProblemCode =
  // The file as a whole
  /** There is no document in the text. */
  | "empty"
  /** The input is not text, or an archive. */
  | "not-text"
  /** An archive holds no file that can be taken out of it. */
  | "archive"
  /** A document is nothing that this package reads. */
  | "not-a-pipeline"
  /** A document belongs to version 1 of Kubeflow Pipelines. */
  | "version-1"
  /** There is no pipeline specification, or none in a job. */
  | "no-specification"
  /** There is more than one pipeline specification. */
  | "several-pipelines"
  /** There is more than one platform specification. */
  | "several-platforms"
  /** The documents come in an order that the Python SDK does not accept. */
  | "document-order"
  // Limits
  /** The text has more bytes or tokens than allowed, or a name more characters. */
  | "too-large"
  /** Something is nested more deeply than allowed. */
  | "too-deep"
  /** A text has more documents than anybody has a use for. */
  | "too-many-documents"
  /** Aliases stand for more values than allowed. */
  | "too-many-aliases"
  /** There are more problems than are listed. */
  | "too-many-problems"
  // YAML
  /** The text is neither YAML nor JSON. */
  | "yaml-syntax"
  /** A key is in a map twice. */
  | "duplicate-key"
  /** A key is a number, a list or something else that JSON has no keys of. */
  | "key-not-text"
  /** An alias has no anchor before it, or is inside its own. */
  | "invalid-alias"
  /** What is merged is not a map. */
  | "invalid-merge"
  /** A tag makes something that is no JSON value. */
  | "unsupported-tag"
  /** A scalar without quotes is read differently by the API server and the Python SDK. */
  | "ambiguous-scalar"
  // Fields
  /** A message has no such field. */
  | "unknown-field"
  /** A field is there twice: in both spellings, or in binary. */
  | "duplicate-field"
  /** A field is deprecated. */
  | "deprecated-field"
  /** In binary, the number of a field that was removed. */
  | "reserved-field"
  /** Two members of a oneof are set. */
  | "oneof-conflict"
  // Values
  /** A value is of another type than its field. */
  | "wrong-type"
  /** A number or duration does not fit its field, or is not finite. */
  | "out-of-range"
  /** A number is too large for all of its digits to be known. */
  | "inexact-number"
  /** An enum has no such value. */
  | "unknown-enum-value"
  /** An entry of a list or map is null. */
  | "unexpected-null"
  /** The key of a map is not of its type. */
  | "invalid-map-key"
  /** A text is not a duration. */
  | "invalid-duration"
  /** A text is not base64. */
  | "invalid-base64"
  /** A text holds half of a surrogate pair, or is not UTF-8 in binary. */
  | "invalid-unicode"
  /** A google.protobuf.Any with content, whose type is not known. */
  | "unsupported-any"
  // Binary
  /** Bytes are no message. */
  | "invalid-binary";
