import { checkOptions, isObject } from "@wye/pipeline-spec";
import { printTime } from "../wire/write-message.js";

/** A text that must be equal, or what it must be like; all that is said must hold. */
export type TextFilter = string | TextConditions;

/** What a text must be like. */
export interface TextConditions {
  readonly is?: string | undefined;
  readonly not?: string | undefined;
  /** One of these; of none nothing is found. */
  readonly in?: readonly string[] | undefined;
  /** A part of it. `_` stands for any character and `%` for any text; whether capitals count depends on the database. */
  readonly contains?: string | undefined;
}

/** When something must have been. Servers know whole seconds. */
export interface TimeFilter {
  readonly after?: Date | undefined;
  /** At this moment or after it. */
  readonly from?: Date | undefined;
  readonly before?: Date | undefined;
  /** At this moment or before it. */
  readonly until?: Date | undefined;
}

/** What pipelines must be like. */
export interface PipelineFilter {
  readonly pipelineId?: TextFilter | undefined;
  readonly name?: TextFilter | undefined;
  readonly displayName?: TextFilter | undefined;
  readonly description?: TextFilter | undefined;
  readonly createdAt?: TimeFilter | undefined;
  /** From 2.17 on. */
  readonly tags?: Readonly<Record<string, TextFilter>> | undefined;
}

/** What versions must be like. */
export interface VersionFilter {
  readonly pipelineVersionId?: TextFilter | undefined;
  readonly name?: TextFilter | undefined;
  readonly displayName?: TextFilter | undefined;
  readonly description?: TextFilter | undefined;
  readonly createdAt?: TimeFilter | undefined;
  /** From 2.17 on. */
  readonly tags?: Readonly<Record<string, TextFilter>> | undefined;
}

/** What experiments must be like. */
export interface ExperimentFilter {
  readonly experimentId?: TextFilter | undefined;
  readonly displayName?: TextFilter | undefined;
  readonly description?: TextFilter | undefined;
  readonly storageState?: TextFilter | undefined;
  readonly createdAt?: TimeFilter | undefined;
  readonly lastRunCreatedAt?: TimeFilter | undefined;
}

/** What runs must be like. Servers cannot tell runs by their pipeline. */
export interface RunFilter {
  readonly runId?: TextFilter | undefined;
  readonly displayName?: TextFilter | undefined;
  readonly description?: TextFilter | undefined;
  readonly state?: TextFilter | undefined;
  readonly storageState?: TextFilter | undefined;
  readonly experimentId?: TextFilter | undefined;
  readonly recurringRunId?: TextFilter | undefined;
  readonly createdAt?: TimeFilter | undefined;
  readonly scheduledAt?: TimeFilter | undefined;
  readonly finishedAt?: TimeFilter | undefined;
  /** Whether it has ended. */
  readonly isFinished?: boolean | undefined;
}

/** What recurring runs must be like. */
export interface RecurringRunFilter {
  readonly recurringRunId?: TextFilter | undefined;
  readonly displayName?: TextFilter | undefined;
  readonly description?: TextFilter | undefined;
  readonly createdAt?: TimeFilter | undefined;
  readonly updatedAt?: TimeFilter | undefined;
}

/** What kind of value a member of a filter is about. */
export type FilterKind = "text" | "time" | "tags" | "finished";

/** The members that a filter may have. */
export type FilterKinds<F> = { readonly [K in keyof F]-?: FilterKind };

interface Predicate {
  readonly operation: string;
  readonly key: string;
  readonly string_value?: string;
  readonly string_values?: { readonly values: readonly string[] };
  readonly timestamp_value?: string;
  readonly long_value?: string;
}

/**
 * A filter as the text that a server takes; undefined when nothing is asked. Servers unescape it once more than they should, so that a plus
 * and a percent sign would be lost: here they are written as JSON's numbers of characters, which mean the same however often it is done.
 */
export function filterText<F extends object>(
  filter: F | undefined,
  kinds: FilterKinds<F>,
): string | undefined {
  if (filter === undefined) return undefined;
  checkOptions<object>("filter", filter, Object.fromEntries(Object.keys(kinds).map((name) => [name, "any"])));
  const predicates = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : predicatesOf(name, kinds[name as keyof F], value),
  );
  if (predicates.length === 0) return undefined;
  return JSON.stringify({ predicates }).replaceAll("%", "\\u0025").replaceAll("+", "\\u002b");
}

function predicatesOf(name: string, kind: FilterKind, value: unknown): readonly Predicate[] {
  const key = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (kind === "time") return timePredicates(key, value);
  if (kind === "text") return textPredicates(key, value);
  if (kind === "finished") {
    if (typeof value !== "boolean") throw new TypeError(`the filter \`${name}\` is true or false`);
    const operation = value ? "NOT_EQUALS" : "EQUALS";
    return [{ operation, key: "finished_at", long_value: "0" }];
  }
  if (!isObject(value)) throw new TypeError("the filter `tags` is an object");
  return Object.entries(value).flatMap(([tag, one]) =>
    one === undefined ? [] : textPredicates(`tags.${tag}`, one),
  );
}

function textPredicates(key: string, value: unknown): readonly Predicate[] {
  if (typeof value === "string") return [{ operation: "EQUALS", key, string_value: value }];
  // Checked member by member below.
  const conditions = value as TextConditions;
  checkOptions(`the filter ${key}`, conditions, { is: "text", not: "text", in: "any", contains: "text" });
  const { is, not, in: list, contains } = conditions;
  const found: Predicate[] = [];
  if (is !== undefined) found.push({ operation: "EQUALS", key, string_value: is });
  if (not !== undefined) found.push({ operation: "NOT_EQUALS", key, string_value: not });
  if (list !== undefined) found.push({ operation: "IN", key, string_values: { values: texts(key, list) } });
  if (contains !== undefined) found.push({ operation: "IS_SUBSTRING", key, string_value: contains });
  return found;
}

function texts(key: string, list: unknown): readonly string[] {
  const isList = Array.isArray(list) && list.every((one) => typeof one === "string");
  if (!isList) throw new TypeError(`the filter ${key} is \`in\` a list of texts`);
  return [...list];
}

function timePredicates(key: string, value: unknown): readonly Predicate[] {
  // Checked member by member below.
  const conditions = value as TimeFilter;
  checkOptions(`the filter ${key}`, conditions, { after: "any", from: "any", before: "any", until: "any" });
  const { after, from, before, until } = conditions;
  const found: Predicate[] = [];
  // What a server knows lies on whole seconds, so that a part of a second moves a bound to the second that means the same.
  if (after !== undefined) found.push(bound("GREATER_THAN", key, after, 0));
  if (from !== undefined) found.push(bound("GREATER_THAN_EQUALS", key, from, 999));
  if (before !== undefined) found.push(bound("LESS_THAN", key, before, 999));
  if (until !== undefined) found.push(bound("LESS_THAN_EQUALS", key, until, 0));
  return found;
}

function bound(operation: string, key: string, date: Date, addMs: number): Predicate {
  if (!(date instanceof Date)) throw new TypeError(`the filter ${key} takes Dates`);
  return { operation, key, timestamp_value: printTime(new Date(date.getTime() + addMs)) };
}
