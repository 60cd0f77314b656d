import { explainUnknown } from "./explain-unknown.js";
import { type FormPair, formPairs } from "./form-pairs.js";
import type { Parameter } from "./parameter-table.js";
import { expectedValue, readMoment, readNumber, readValue } from "./read-value.js";

/** What is wrong with a parameter, for people. */
export interface QueryProblem {
  readonly parameter: string;
  readonly detail: string;
  readonly meta?: { readonly [name: string]: unknown };
}

/** The parameters of a query string by their kinds; one that was not given is in no map. */
export interface ParsedQuery {
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly numbers: ReadonlyMap<string, number>;
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: readonly QueryProblem[];
  /** What was given, as it was given. */
  readonly search: string;
}

/** When so many problems were found, the rest of the query is not looked at. */
const mostProblems = 20;

/** Makes what reads query strings by a table. */
export function queryParser(table: readonly Parameter[]): (search: string) => ParsedQuery {
  const rows = new Map(table.map((row) => [row.name, row]));
  return (search) => parseQuery(table, rows, search);
}

/**
 * Reads a query string as `application/x-www-form-urlencoded`. Lists may be given several times and are united; a
 * scalar may not. All problems are found, not only the first.
 */
function parseQuery(
  table: readonly Parameter[],
  rows: ReadonlyMap<string, Parameter>,
  search: string,
): ParsedQuery {
  const pairs = formPairs(search);
  const lists = new Map<string, string[]>();
  const numbers = new Map<string, number>();
  const texts = new Map<string, string>();
  const problems: QueryProblem[] = [];
  const fail: Fail = (parameter, detail, meta) => {
    problems.push({ parameter: clip(parameter), detail, ...(meta === undefined ? {} : { meta }) });
    return problems.length < mostProblems;
  };

  for (const [name, value] of pairs) {
    if (problems.length >= mostProblems) break;
    const row = rows.get(name);
    if (row === undefined) {
      fail(name, explainUnknown(clip(name), table));
    } else if (isListed(row)) {
      const items = row.kind === "values" ? splitEscaped(value) : splitList(value);
      const list = lists.get(name);
      if (list === undefined) lists.set(name, items);
      else for (const item of items) list.push(item);
      if (row.kind === "names") checkNames(row, items, fail);
      if (row.kind === "values") checkValues(row, items, fail);
      if (row.kind === "order") {
        if (list !== undefined) fail(name, `${name} must be given once.`);
        else checkOrder(row, items, pairs, fail);
      }
    } else if (numbers.has(name) || texts.has(name)) {
      fail(name, `${name} must be given once.`);
    } else if (row.kind === "positive") {
      numbers.set(name, readPositive(row, value, fail));
    } else if (row.kind === "number" || row.kind === "moment") {
      numbers.set(name, readMeasure(row, value, fail));
    } else {
      texts.set(name, value);
      checkText(row, value, pairs, fail);
    }
  }
  return { lists, numbers, texts, problems, search };
}

/** Reports a problem; returns whether there is room for more. */
type Fail = (parameter: string, detail: string, meta?: QueryProblem["meta"]) => boolean;

function splitList(value: string): string[] {
  const items: string[] = [];
  for (const item of value.split(",")) {
    const trimmed = item.trim();
    if (trimmed !== "") items.push(trimmed);
  }
  return items;
}

/** The same of texts that may have commas, or no character: after a backslash, a comma or a backslash is a part of the text, and `e` none. */
function splitEscaped(value: string): string[] {
  if (!value.includes("\\")) return splitList(value);
  const items = value.match(/(?:\\[\\,]|[^,])+/g) ?? [];
  return items.flatMap((item) => {
    const trimmed = item.trim();
    return trimmed === ""
      ? []
      : trimmed.replace(/\\([\\,e])/g, (_, escaped) => (escaped === "e" ? "" : escaped));
  });
}

function checkNames(row: Parameter & { kind: "names" }, items: readonly string[], fail: Fail): void {
  for (const item of items) {
    if (row.names.includes(item) || row.ignored?.includes(item)) continue;
    const field = item.split(".", 1)[0] ?? "";
    const hint =
      field !== item && row.names.includes(field)
        ? `Fields are named whole: ask for ${field}.`
        : `Known are ${[...row.names, ...(row.ignored ?? [])].join(", ")}.`;
    if (!fail(row.name, `${row.name} has no "${clip(item)}". ${hint}`)) return;
  }
}

type Listed = Extract<Parameter, { readonly kind: "ids" | "names" | "values" | "order" }>;

function isListed(row: Parameter): row is Listed {
  return row.kind === "ids" || row.kind === "names" || row.kind === "values" || row.kind === "order";
}

function checkValues(row: Parameter & { kind: "values" }, items: readonly string[], fail: Fail): void {
  for (const item of items) {
    if (readValue(row.attribute, item) !== undefined) continue;
    const detail = `${row.name} must be ${expectedValue(row.attribute)}; got "${clip(item)}".`;
    if (!fail(row.name, detail)) return;
  }
}

function checkOrder(
  row: Parameter & { kind: "order" },
  items: readonly string[],
  pairs: readonly FormPair[],
  fail: Fail,
): void {
  if (items.length === 0) fail(row.name, `${row.name} must not be empty.`);
  if (pairs.some(([name]) => name === row.excludes)) {
    fail(row.name, `${row.name} cannot be combined with ${row.excludes}, whose order is the best first.`);
  }
  const seen = new Set<string>();
  for (const item of items) {
    const name = item.startsWith("-") ? item.slice(1) : item;
    const problem = !row.names.includes(name)
      ? `Nothing can be ordered by "${clip(name)}". Known are ${row.names.join(", ")}.`
      : seen.has(name)
        ? `${row.name} has ${name} twice.`
        : undefined;
    seen.add(name);
    if (problem !== undefined && !fail(row.name, problem)) return;
  }
}

function readMeasure(row: Parameter & { kind: "number" | "moment" }, value: string, fail: Fail): number {
  const read = row.kind === "number" ? readNumber(value) : readMoment(value);
  if (read !== undefined) return read;
  const expected =
    row.kind === "number"
      ? "a decimal number such as 7.5"
      : "a time in UTC, such as 2026-01-31T12:00:00Z or the Last-Modified of an answer";
  fail(row.name, `${row.name} must be ${expected}; got "${clip(value)}".`);
  return 0;
}

/** Plain digits without a leading zero are the only spelling with one meaning. */
function readPositive(row: Parameter & { kind: "positive" }, value: string, fail: Fail): number {
  const number = /^[1-9][0-9]*$/.test(value) ? Number(value) : Number.NaN;
  if (number <= (row.maximum ?? Number.POSITIVE_INFINITY)) return number;
  if (row.maximum === undefined) fail(row.name, `${row.name} must be an integer from 1.`);
  else {
    const detail = `${row.name} must be an integer from 1 to ${row.maximum}.`;
    fail(row.name, detail, { page: { maxSize: row.maximum } });
  }
  return row.default;
}

function checkText(
  row: Parameter & { kind: "text" },
  value: string,
  pairs: readonly FormPair[],
  fail: Fail,
): void {
  if (value.trim() === "") fail(row.name, `${row.name} must not be empty.`);
  // Characters as people count them; the first comparison spares the count of very long texts.
  if (value.length > 2 * row.maxLength || [...value].length > row.maxLength) {
    fail(row.name, `${row.name} must have at most ${row.maxLength} characters.`);
  }
  if (pairs.some(([name]) => name === row.excludes || name.startsWith(`${row.excludes}[`))) {
    fail(row.name, `${row.name} cannot be combined with a ${row.excludes}.`);
  }
}

/** Names come from outside and go back in the answer: no longer than a person reads. */
function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 97)}...` : text;
}
