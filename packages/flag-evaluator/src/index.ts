// What the signatures above are made of.

export { clauseOperators, clauseValueFault } from "./clause-operators.js";
export type { ItemChange } from "./compile/build-snapshot.js";
export type { BigSegmentsStatus, EvaluationErrorKind, EvaluationReason } from "./compile/outcome.js";
export { type CompileOptions, compileFlags } from "./compile-flags.js";
export { FlagEvaluatorError, type FlagEvaluatorErrorCode } from "./error.js";
export type { Audience } from "./evaluate/all-flags.js";
export type { BigSegmentMembership, BigSegmentNeed, BigSegments } from "./evaluate/big-segments.js";
export type { EvaluationDetail, ValueLike } from "./evaluate/evaluation-detail.js";
export type {
  DataProblem,
  EvaluateAllBytesOptions,
  EvaluateAllOptions,
  EvaluateOptions,
  Evaluator,
} from "./evaluator.js";
export { type Explanation, type FlagExplanation, formatExplanation } from "./explain/explanation.js";
export type { Fields, JsonValue } from "./json.js";
export type { Context, ContextPart } from "./read/context.js";
export type { ContextFailure } from "./read/context-failure.js";
export { contextFromBase64 } from "./read/context-from-base64.js";
export type { FlagData, ItemInputs } from "./read/flag-data.js";
export { type Item, type ItemKind, parseItem, tombstone } from "./read/item.js";
export type { ItemProblem } from "./read/item-reader.js";
export {
  type ContextResult,
  createContext,
  type ParseContextOptions,
  parseContext,
} from "./read/parse-context.js";
export type { ItemInput } from "./read/read-item.js";
export type { AttributeUse, References } from "./read/references.js";
export type { Steps } from "./steps.js";
