export {
  type CacheKeyParts,
  type CacheKeySource,
  type CustomCacheKey,
  cacheKey,
  cacheKeyParts,
} from "./cache-keys/cache-key.js";
export {
  type CacheKeyChange,
  type CacheKeyExplanation,
  type CacheKeyPart,
  explainCacheKey,
} from "./cache-keys/explain-cache-key.js";
export {
  type CompileExpressionOptions,
  type Condition,
  compileExpression,
  type Evaluation,
  type Selector,
} from "./expressions/compile-expression.js";
export type { ConditionExplanation, ConditionReason } from "./expressions/explain-condition.js";
export type { ExpressionKind } from "./expressions/expression-language.js";
export type * from "./expressions/expression-node.js";
export {
  defaultExpressionLimits,
  type ExpressionLimits,
  type ExpressionProblem,
  type ExpressionProblemCode,
} from "./expressions/expression-problem.js";
export type { ExpressionReference } from "./expressions/expression-reference.js";
export { printExpression } from "./expressions/print-expression.js";
export {
  type ContainerElement,
  type ElementPlace,
  type ParsedElement,
  parseContainerElement,
} from "./placeholders/container-element.js";
export {
  type PlaceholderProblem,
  type PlaceholderProblemCode,
  parsePlaceholders,
  type Template,
} from "./placeholders/parse-placeholders.js";
export {
  type ArtifactPart,
  type LiteralSegment,
  type Placeholder,
  type PlaceholderSegment,
  printPlaceholder,
  type RunFact,
  type TemplateSegment,
} from "./placeholders/placeholder.js";
export {
  type ContainerContext,
  type ContainerProblem,
  type ContainerResult,
  type ResolvedContainer,
  type ResolvedResources,
  resolveContainer,
  resolveCustomJob,
} from "./placeholders/resolve-container.js";
export {
  type PlaceholderContext,
  type ResolvedText,
  type RunFacts,
  resolvePlaceholders,
} from "./placeholders/resolve-placeholders.js";
export type { TextProblem, TextSpan } from "./text-problem.js";
export { buildExecutorInput, type OutputPlaces } from "./values/build-executor-input.js";
export { type CollectOptions, type ContainerResults, collectOutputs } from "./values/collect-outputs.js";
export { containerPath } from "./values/container-path.js";
export { type Conversion, convertParameter, type ResolverProfile } from "./values/convert-parameter.js";
export {
  type FinalState,
  type FinalStatus,
  type FinalStatusOptions,
  finalStatusPayload,
} from "./values/final-status.js";
export { collectIterations, type IterationOptions, resolveIterations } from "./values/iterations.js";
export { defaultPipelineRoot, runRoot, taskRoot } from "./values/output-uris.js";
export { type ParameterTypeName, parameterTypeOf } from "./values/parameter-type.js";
export { type DagOutputOptions, resolveDagOutputs } from "./values/resolve-dag-outputs.js";
export { type ImporterOptions, resolveImporter } from "./values/resolve-importer.js";
export { type RootInputOptions, resolveRootInputs } from "./values/resolve-root-inputs.js";
export { type ResolveInputsOptions, resolveTaskInputs } from "./values/resolve-task-inputs.js";
export type { Artifacts, ParameterValues, TaskInputs, TaskOutputs, TaskScope } from "./values/task-values.js";
export type { Resolved, ValueProblem, ValueProblemCode } from "./values/value-problem.js";
