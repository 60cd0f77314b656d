import type {
  PipelineDeploymentConfig,
  PipelineJob,
  PipelineSpec,
  PlatformSpec,
} from "./gen/ml_pipelines/pipeline_spec.js";
import type { Range } from "./problem.js";

/** What a pipeline file holds. */
export interface Pipeline {
  readonly spec: PipelineSpec;
  /** The executors: `spec.deploymentSpec`, read as the message that it is; empty when there is none. */
  readonly deployment: PipelineDeploymentConfig;
  /** The second document, with the settings of platforms. */
  readonly platform: PlatformSpec | undefined;
  /** The job around the specification, when the file is one. */
  readonly job: PipelineJob | undefined;
  /** JSON pointer of the specification in its document: `""`, or `"/pipelineSpec"` in a job. */
  readonly specPath: string;
  /** JSON pointer of the platform specification in its document: `""` unless it shares one with the specification. */
  readonly platformPath: string;
  /**
   * Where a part of the file stands: the value at a JSON pointer, or the key that leads to it. Pointers that start with
   * `/platforms` point into the document of the platform specification, all others into the one of the specification,
   * from its root (`specPath` included) or from the specification itself. Names may be in either spelling. Where there
   * is nothing, the nearest enclosing value is given, so that something missing can be reported as well.
   */
  readonly locate: (path: string, part?: "key" | "value") => Range;
}
