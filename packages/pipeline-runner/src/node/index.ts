export type { ArtifactStore, ArtifactStores } from "./artifact-access.js";
export { type ArtifactIndex, type ArtifactResolver, artifactResolver } from "./artifact-resolver.js";
export type { DockerOptions } from "./docker-command.js";
export { dockerExecutor } from "./docker-executor.js";
export type { Executor, Work, WorkContext, WorkResult } from "./executor.js";
export {
  type ComponentFunction,
  type FunctionExecutorOptions,
  functionExecutor,
} from "./function-executor.js";
export type { ProgressStream } from "./progress/progress-stream.js";
export {
  type TerminalProgress,
  type TerminalProgressOptions,
  terminalProgress,
} from "./progress/terminal-progress.js";
export { type FinishedTask, type RunResult, runPipeline } from "./run-pipeline.js";
export type { RunPipelineOptions } from "./run-pipeline-options.js";
export { type LocalImage, type SubprocessOptions, subprocessExecutor } from "./subprocess-executor.js";
export { writeRunReport } from "./write-run-report.js";
