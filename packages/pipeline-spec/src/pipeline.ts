import type { ApiRun } from "./api-run.js";
import type {
  PipelineDeploymentConfig,
  PipelineJob,
  PipelineSpec,
  PlatformSpec,
} from "./gen/ml_pipelines/pipeline_spec.js";
import type { VertexFields } from "./vertex-job.js";

/** What a pipeline file holds: plain data, which survive `structuredClone` and JSON. `locate` tells where they stand. */
export interface Pipeline {
  readonly spec: PipelineSpec;
  /** The executors: `spec.deploymentSpec`, read as the message that it is; empty when there is none. */
  readonly deployment: PipelineDeploymentConfig;
  /** The second document, with the settings of platforms. */
  readonly platform: PlatformSpec | undefined;
  /** The job around the specification, when the file is one. */
  readonly job: PipelineJob | undefined;
  /** What only Vertex AI has around a job, such as its service account, when there is any: for printing. */
  readonly vertex?: VertexFields;
  /** The run or recurring run of the KFP API around the specification, when the file is one. */
  readonly run?: ApiRun;
  /** JSON pointer of the specification in its document: `""`, or `"/pipelineSpec"` in a job. */
  readonly specPath: string;
  /** JSON pointer of the platform specification in its document: `""` unless it shares one with the specification. */
  readonly platformPath: string;
}
