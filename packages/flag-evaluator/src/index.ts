// What the signatures above are made of.
export type { Audience } from "./all-flags.js";
export type { BigSegmentMembership, BigSegmentNeed, BigSegments } from "./big-segments.js";
export type { ItemChange } from "./build-snapshot.js";
export { type CompileOptions, compileFlags } from "./compile-flags.js";
export type { Context, ContextPart } from "./context.js";
export type { ContextFailure } from "./context-failure.js";
export { contextFromBase64 } from "./context-from-base64.js";
export { FlagEvaluatorError, type FlagEvaluatorErrorCode } from "./error.js";
export type { EvaluationDetail, ValueLike } from "./evaluation-detail.js";
export type {
  DataProblem,
  EvaluateAllBytesOptions,
  EvaluateAllOptions,
  EvaluateOptions,
  Evaluator,
} from "./evaluator.js";
export { type Explanation, type FlagExplanation, formatExplanation } from "./explanation.js";
export type { FlagData, ItemInputs } from "./flag-data.js";
export { type Item, type ItemKind, parseItem, tombstone } from "./item.js";
export type { ItemProblem } from "./item-reader.js";
export type { Fields, JsonValue } from "./json.js";
export type { BigSegmentsStatus, EvaluationErrorKind, EvaluationReason } from "./outcome.js";
export {
  type ContextResult,
  createContext,
  type ParseContextOptions,
  parseContext,
} from "./parse-context.js";
export type { ItemInput } from "./read-item.js";
export type { AttributeUse, References } from "./references.js";
