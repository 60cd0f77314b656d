import type { TaskInputs, TaskOutputs } from "@wye/pipeline-resolver";
import type {
  AIPlatformCustomJobSpec,
  ComponentSpec,
  ExecutorInput,
  PipelineContainerSpec,
  ResolverSpec,
} from "@wye/pipeline-spec";

/** A task that may start now: plain data, all that a host needs to carry it out. */
export type ReadyTask = ReadyContainer | ReadyImporter | ReadyResolver | ReadyCustomJob;

interface ReadyBase {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  /** The name of the component. */
  readonly component: string;
  readonly definition: ComponentSpec;
  /** Which attempt this is, from 1. */
  readonly attempt: number;
  /** The moment of the host's clock before which it must not start; 0 when it need not wait. */
  readonly notBefore: number;
  readonly inputs: TaskInputs;
  /**
   * Inputs, and where outputs go below the root of the run; a host with places of its own calls `buildExecutorInput`. Values and metadata are
   * those of the run, which may be large: who changes them changes a copy.
   */
  readonly executorInput: ExecutorInput;
}

/** A container to run. */
export interface ReadyContainer extends ReadyBase {
  readonly kind: "container";
  readonly container: PipelineContainerSpec;
  /** The key under which the result of an earlier run may be found; absent when caching is off for the task. */
  readonly cacheKey?: string;
  /** The author of the task has named the key: it stands for all that the task is given. */
  readonly isKeyNamed?: true;
}

/** An artifact to import: what to report once it is there. */
export interface ReadyImporter extends ReadyBase {
  readonly kind: "importer";
  readonly outputs: TaskOutputs;
  readonly reimport: boolean;
  /** Whether it is to be fetched into what the tasks of the run share. */
  readonly downloadToWorkspace: boolean;
}

/** Artifacts to look for. */
export interface ReadyResolver extends ReadyBase {
  readonly kind: "resolver";
  readonly resolver: ResolverSpec;
}

/** A job of a hosted platform. */
export interface ReadyCustomJob extends ReadyBase {
  readonly kind: "custom-job";
  readonly customJob: AIPlatformCustomJobSpec;
}
