import { isObject } from "@wye/pipeline-spec";
import type { ListTable } from "./list-columns.js";
import { invalid, type Refusal, refusal } from "./refusal.js";

type Scalar = string | number;
type Operand = Scalar | readonly Scalar[];

/** A filter by operation and column, as tokens hold it. */
export type StoredFilter = Readonly<Record<string, Readonly<Record<string, readonly Operand[]>>>>;

const operations: Readonly<Record<string, string>> = {
  EQUALS: "EQ",
  NOT_EQUALS: "NEQ",
  GREATER_THAN: "GT",
  GREATER_THAN_EQUALS: "GTE",
  LESS_THAN: "LT",
  LESS_THAN_EQUALS: "LTE",
  IN: "IN",
  IS_SUBSTRING: "SUBSTRING",
};
const numbers: Readonly<Record<number, string>> = {
  1: "EQUALS",
  2: "NOT_EQUALS",
  3: "GREATER_THAN",
  5: "GREATER_THAN_EQUALS",
  6: "LESS_THAN",
  7: "LESS_THAN_EQUALS",
  8: "IN",
  9: "IS_SUBSTRING",
};
const members = [
  "operation",
  "key",
  "int_value",
  "long_value",
  "string_value",
  "timestamp_value",
  "int_values",
  "long_values",
  "string_values",
];

/** Reads the filter of a query as the server does, mistakes included: the text is unescaped a second time. */
export function readFilter<Row>(
  text: string,
  table: ListTable<Row>,
  query: URLSearchParams,
): StoredFilter | undefined {
  if (text === "") return undefined;
  const wrapping = table.wrapping(query);
  const fail = (reason: string): Refusal =>
    invalid(wrapping, `failed to parse valid filter from ${JSON.stringify(text)}: ${reason}`);
  const body = parse(unescapeAgain(text, fail), fail);
  const stored: Record<string, Record<string, Operand[]>> = Object.fromEntries(
    Object.values(operations).map((name) => [name, {}]),
  );
  const predicates = body.predicates ?? [];
  if (!Array.isArray(predicates)) throw fail("proto: syntax error (line 1:1): unexpected token");
  if (predicates.length === 0) return undefined;
  for (const one of predicates) {
    const { operation, key, value } = readPredicate(one, fail, wrapping);
    const column = Object.hasOwn(table.columns, key) ? table.columns[key] : undefined;
    if (key === "") {
      throw invalid(wrapping, `Predicate key cannot be empty for operation ${operation} and value ${value}`);
    }
    if (column === undefined)
      throw invalid(wrapping, `no support for filtering on unrecognized field "${key}"`);
    const byColumn = stored[operations[operation] ?? ""] ?? {};
    const field = qualified(table, column.field);
    byColumn[field] = [...(byColumn[field] ?? []), value];
  }
  return stored;
}

/** The second unescaping, in the words of Go. */
function unescapeAgain(text: string, fail: (reason: string) => Refusal): string {
  const bad = /%(?![0-9a-fA-F]{2})/.exec(text);
  if (bad !== null) throw fail(`invalid URL escape ${JSON.stringify(text.slice(bad.index, bad.index + 3))}`);
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw fail("proto: invalid UTF-8");
  }
}

function parse(text: string, fail: (reason: string) => Refusal): Readonly<Record<string, unknown>> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw fail("proto: unexpected EOF");
  }
  if (!isObject(body)) throw fail("proto: syntax error (line 1:1): unexpected token");
  for (const name of Object.keys(body)) {
    if (name !== "predicates")
      throw fail(`proto: (line 1:${text.indexOf(`"${name}"`) + 1}): unknown field "${name}"`);
  }
  for (const time of timesIn(body)) {
    if (!isTime(time)) {
      const at = text.indexOf(JSON.stringify(time)) + 1;
      throw fail(`proto: (line 1:${at}): invalid google.protobuf.Timestamp value ${JSON.stringify(time)}`);
    }
  }
  for (const name of predicateNames(body)) {
    if (!members.includes(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))) {
      throw fail(`proto: (line 1:${text.indexOf(`"${name}"`) + 1}): unknown field "${name}"`);
    }
  }
  return body;
}

function predicatesOf({
  predicates,
}: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(predicates) ? predicates.filter(isObject) : [];
}

const predicateNames = (body: Readonly<Record<string, unknown>>): readonly string[] =>
  predicatesOf(body).flatMap((one) => Object.keys(one));

function timesIn(body: Readonly<Record<string, unknown>>): readonly string[] {
  return predicatesOf(body).flatMap((one) => {
    const time = one.timestamp_value ?? one.timestampValue;
    return typeof time === "string" ? [time] : [];
  });
}

const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text) &&
  !Number.isNaN(Date.parse(text));

function readPredicate(one: unknown, fail: (reason: string) => Refusal, wrapping: string) {
  if (!isObject(one)) throw fail("proto: syntax error (line 1:1): unexpected token");
  const snake = Object.fromEntries(
    Object.entries(one).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (l) => `_${l.toLowerCase()}`),
      value,
    ]),
  );
  const name =
    typeof snake.operation === "number" ? (numbers[snake.operation] ?? "") : `${snake.operation ?? ""}`;
  if (typeof snake.operation === "string" && !Object.hasOwn(operations, name)) {
    throw fail(`proto: (line 1:31): invalid value for enum field operation: ${JSON.stringify(name)}`);
  }
  if (name === "") {
    const reason = "Error using Filter.Predicate.Operation with go_client.Predicate_Operation";
    throw refusal(3, `${wrapping}: UnknownApiVersionError: ${reason}`, reason);
  }
  const value = operandOf(snake, wrapping);
  const isList = Array.isArray(value);
  if (name === "IN" && !isList) {
    throw invalid(wrapping, `cannot use IN operator with scalar type ${goType(value)}`);
  }
  if (name !== "IN" && isList) {
    throw invalid(wrapping, `cannot use scalar operator ${name} on array type []${goType(value[0] ?? "")}`);
  }
  if (name === "IS_SUBSTRING" && typeof value !== "string") {
    throw invalid(wrapping, "cannot use non string value type string with operator 1");
  }
  return { operation: name, key: `${snake.key ?? ""}`, value };
}

const goType = (value: Operand): string => (typeof value === "number" ? "int32" : "string");

function operandOf(one: Readonly<Record<string, unknown>>, wrapping: string): Operand {
  const { string_value, timestamp_value } = one;
  if (typeof string_value === "string") return string_value;
  if (typeof timestamp_value === "string") return Math.floor(Date.parse(timestamp_value) / 1000);
  const number = one.int_value ?? one.long_value;
  if (number !== undefined) return Number(number);
  for (const name of ["string_values", "int_values", "long_values"]) {
    const list = one[name];
    if (isObject(list)) {
      const values = Array.isArray(list.values) ? list.values : [];
      return values.map((value) => (name === "string_values" ? `${value}` : Number(value)));
    }
  }
  const reason = "Error using Filter.Predicate.Value with <nil>";
  throw refusal(3, `${wrapping}: UnknownApiVersionError: ${reason}`, reason);
}

/** The name of a column in a token. */
function qualified<Row>({ prefix }: ListTable<Row>, field: string): string {
  return prefix === undefined ? field : `${prefix}.${field}`;
}

/** Whether a row is what a filter asks for. */
export function matches<Row>(filter: StoredFilter | undefined, row: Row, table: ListTable<Row>): boolean {
  if (filter === undefined) return true;
  const values = new Map(
    Object.values(table.columns).map(({ field, value }) => [qualified(table, field), value(row)]),
  );
  return Object.entries(filter).every(([operation, columns]) =>
    Object.entries(columns).every(([field, operands]) =>
      operands.every((operand) => holds(operation, values.get(field) ?? "", operand)),
    ),
  );
}

function holds(operation: string, value: Scalar, operand: Operand): boolean {
  if (Array.isArray(operand)) return operand.includes(value);
  // Numbers come before texts, as in SQLite.
  const order = compare(value, operand as Scalar);
  if (operation === "EQ") return order === 0;
  if (operation === "NEQ") return order !== 0;
  if (operation === "GT") return order > 0;
  if (operation === "GTE") return order >= 0;
  if (operation === "LT") return order < 0;
  if (operation === "LTE") return order <= 0;
  return isLike(`${value}`, `%${operand}%`);
}

/** Numbers before texts, texts by their code points. */
export function compare(a: Scalar, b: Scalar): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number") return -1;
  if (typeof b === "number") return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** LIKE of SQL: wildcards work, and capitals do not count. */
function isLike(text: string, pattern: string): boolean {
  const [letters, wanted] = [[...text.toLowerCase()], [...pattern.toLowerCase()]];
  let [at, next, star, from] = [0, 0, -1, 0];
  while (at < letters.length) {
    if (wanted[next] === "%") {
      star = next++;
      from = at;
    } else if (wanted[next] === "_" || wanted[next] === letters[at]) {
      at++;
      next++;
    } else if (star >= 0) {
      // The last wildcard takes one letter more.
      next = star + 1;
      at = ++from;
    } else return false;
  }
  return wanted.slice(next).every((one) => one === "%");
}
