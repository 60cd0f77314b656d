import type { CallOptions } from "../client-options.js";
import type { ExperimentFilter } from "../lists/filter.js";
import type { ListOptions } from "../lists/list-settings.js";
import type { PagedList } from "../lists/paged-list.js";
import type { Reference } from "../reference.js";
import type { Experiment } from "../wire/experiment.js";

/** By what experiments can be sorted. */
export type ExperimentSortKey =
  | "experimentId"
  | "displayName"
  | "createdAt"
  | "lastRunCreatedAt"
  | "description"
  | "namespace"
  | "storageState";

/** What a list of experiments takes. */
export interface ExperimentListOptions extends ListOptions<ExperimentFilter, ExperimentSortKey> {
  /** That of the client if not given. */
  readonly namespace?: string | undefined;
}

/** What an experiment is made of. */
export interface CreateExperimentOptions extends CallOptions {
  readonly description?: string | undefined;
  /** That of the client if not given. */
  readonly namespace?: string | undefined;
}

/** Experiments on the server. */
export interface ExperimentsApi {
  create(name: string, options?: CreateExperimentOptions): Promise<Experiment>;
  /** The experiment of this name, which is made if there is none. */
  ensure(name: string, options?: CreateExperimentOptions): Promise<Experiment>;
  get(experiment: Reference, options?: CallOptions): Promise<Experiment>;
  list(options?: ExperimentListOptions): PagedList<Experiment>;
  /** Puts it away with its runs, and stops its recurring runs. */
  archive(experiment: Reference, options?: CallOptions): Promise<void>;
  /** Its runs stay put away, and its recurring runs stopped. */
  unarchive(experiment: Reference, options?: CallOptions): Promise<void>;
  /** Its runs stay. */
  delete(experiment: Reference, options?: CallOptions): Promise<void>;
}
