import type { CallOptions } from "../client-options.js";
import type { RecurringRunFilter } from "../lists/filter.js";
import type { ListOptions } from "../lists/list-settings.js";
import type { PagedList } from "../lists/paged-list.js";
import type { Reference } from "../reference.js";
import type { RecurringRun } from "../wire/recurring-run.js";
import type { RunRequest } from "./runs-api.js";

/** By what recurring runs can be sorted. */
export type RecurringRunSortKey =
  | "recurringRunId"
  | "displayName"
  | "createdAt"
  | "updatedAt"
  | "description";

/** What a list of recurring runs takes. */
export interface RecurringRunListOptions extends ListOptions<RecurringRunFilter, RecurringRunSortKey> {
  readonly experiment?: Reference | undefined;
  /** That of the client if not given. */
  readonly namespace?: string | undefined;
}

/** What a new recurring run takes. Exactly one of `cron` and `intervalSeconds`. */
export interface CreateRecurringRunOptions extends RunRequest, CallOptions {
  /** For people. */
  readonly name: string;
  /**
   * Six fields with seconds first, such as `0 0 3 * * *` for three at night, or `@daily` and its like. Five fields are refused: the server
   * takes the first for seconds, so that `0 3 * * *` would start every hour.
   */
  readonly cron?: string | undefined;
  readonly intervalSeconds?: number | undefined;
  readonly startTime?: Date | undefined;
  readonly endTime?: Date | undefined;
  /** How many runs there may be at once, from 1 to 10: 1 if not given. */
  readonly maxConcurrency?: number | undefined;
  /** False to make it without starting anything yet. */
  readonly isEnabled?: boolean | undefined;
  /** Whether starts that were missed are made up for: true if not given. */
  readonly catchUp?: boolean | undefined;
}

/** What a deletion takes. */
export interface DeleteRecurringRunOptions extends CallOptions {
  /** What becomes of the workflows that it has started. */
  readonly propagation?: "foreground" | "background" | "orphan" | undefined;
}

/** Recurring runs on the server. They cannot be changed: delete and create. */
export interface RecurringRunsApi {
  create(options: CreateRecurringRunOptions): Promise<RecurringRun>;
  get(recurringRun: Reference, options?: CallOptions): Promise<RecurringRun>;
  list(options?: RecurringRunListOptions): PagedList<RecurringRun>;
  enable(recurringRun: Reference, options?: CallOptions): Promise<void>;
  disable(recurringRun: Reference, options?: CallOptions): Promise<void>;
  delete(recurringRun: Reference, options?: DeleteRecurringRunOptions): Promise<void>;
}
