export type { Any } from "./gen/google/protobuf/any.js";
export type { Duration } from "./gen/google/protobuf/duration.js";
export type { Status } from "./gen/google/rpc/status.js";
export type { MessageCodec, PartialMessage } from "./gen/ml_pipelines/pipeline_spec.js";
export * from "./messages.js";
export type { Position, Problem, Range, Severity } from "./problem.js";
