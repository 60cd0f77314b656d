import { isObject } from "@wye/pipeline-spec";
import type { ListTable } from "./list-columns.js";
import { compare, matches, readFilter, type StoredFilter } from "./list-filter.js";
import { gatewayRefusal, invalid, refusal } from "./refusal.js";

/** A page of rows. */
export interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly totalSize: number;
  readonly nextPageToken: string | undefined;
}

/** Where a page begins, and what the list was asked for: what tokens hold. */
interface Position {
  readonly SortByFieldName: string;
  readonly SortByFieldValue: string | number | null;
  readonly SortByFieldPrefix: string;
  readonly KeyFieldName: string;
  readonly KeyFieldValue: string | null;
  readonly KeyFieldPrefix: string;
  readonly IsDesc: boolean;
  readonly ModelName: string;
  readonly Filter: StoredFilter | null;
}

const mismatch =
  "page token does not match the supplied sort by and/or filtering criteria. Either specify the same criteria or leave the latter empty if page token is specified";

/** Answers a list: filter, order, size and token as the server understands them. */
export function pageOf<Row>(
  rows: readonly Row[],
  table: ListTable<Row>,
  query: URLSearchParams,
): RowPage<Row> {
  const size = pageSize(query, table);
  const asked = { sort: query.get("sort_by") ?? "", filter: query.get("filter") ?? "" };
  const token = query.get("page_token") ?? "";
  const position =
    token === "" ? firstPosition(asked, table, query) : nextPosition(token, asked, table, query);
  const { SortByFieldName: field, IsDesc: isDescending } = position;
  const column = Object.values(table.columns).find((one) => one.field === field);
  const kept = rows.filter((row) => matches(position.Filter ?? undefined, row, table));
  if (column === undefined) return { rows: [], totalSize: kept.length, nextPageToken: undefined };
  if (column.isSortable === false) {
    throw invalid(table.sortWrapping, `cannot sort by field "${field}" on type "${table.model}"`);
  }
  const keyOf = (row: Row): readonly [string | number, string] => [column.value(row), table.idOf(row)];
  const direction = isDescending ? -1 : 1;
  const order = (a: readonly (string | number)[], b: readonly (string | number)[]): number =>
    direction * (compare(a[0] ?? "", b[0] ?? "") || compare(a[1] ?? "", b[1] ?? ""));
  const sorted = kept.map((row) => ({ row, key: keyOf(row) })).sort((a, b) => order(a.key, b.key));
  const { SortByFieldValue: value, KeyFieldValue: id } = position;
  const rest =
    value === null || id === null ? sorted : sorted.filter(({ key }) => order(key, [value, id]) >= 0);
  const next = rest[size];
  const last: Position | undefined = next && {
    ...position,
    SortByFieldValue: next.key[0],
    KeyFieldValue: next.key[1],
  };
  return {
    rows: rest.slice(0, size).map(({ row }) => row),
    totalSize: kept.length,
    nextPageToken: last && btoa(binary(JSON.stringify(last))),
  };
}

/** UTF-8, a character for each byte. */
const binary = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");

function pageSize<Row>(query: URLSearchParams, table: ListTable<Row>): number {
  const text = query.get("page_size") ?? "";
  if (text === "") return 20;
  if (!/^[+-]?\d+$/.test(text)) {
    const message = `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`;
    throw gatewayRefusal(3, `parsing field "page_size": ${message}`);
  }
  const size = Number(text);
  if (size < 0) throw invalid(table.wrapping(query), "The page size should be greater than 0. Got '\ufffd'");
  return size === 0 ? 20 : Math.min(size, 200);
}

function firstPosition<Row>(
  { sort, filter }: { readonly sort: string; readonly filter: string },
  table: ListTable<Row>,
  query: URLSearchParams,
): Position {
  const { field, isDescending } = readOrder(sort, table, query);
  const { prefix = "" } = table;
  return {
    SortByFieldName: field,
    SortByFieldValue: null,
    SortByFieldPrefix: prefix === "" ? "" : `${prefix}.`,
    KeyFieldName: "UUID",
    KeyFieldValue: null,
    KeyFieldPrefix: prefix === "" ? "" : `${prefix}.`,
    IsDesc: isDescending,
    ModelName: prefix,
    Filter: readFilter(filter, table, query) ?? null,
  };
}

function readOrder<Row>(sort: string, table: ListTable<Row>, query: URLSearchParams) {
  const words = sort.trim().toLowerCase().split(/\s+/);
  const [name = "", direction = "asc", ...more] = words;
  if (more.length > 0 || !/^(asc|desc)$/.test(direction)) {
    const formats = '"field_name", "field_name desc", or "field_name asc"';
    throw invalid(
      table.wrapping(query),
      `Received invalid sort by format ${JSON.stringify(sort)}. Supported format: ${formats}`,
    );
  }
  const isDescending = direction === "desc";
  if (name === "") return { field: "CreatedAtInSec", isDescending };
  if (table.model === "Run" && name.startsWith("metric:")) {
    throw invalid(table.sortWrapping, `cannot sort by field "${name.slice("metric:".length)}" on type "Run"`);
  }
  const column = Object.hasOwn(table.columns, name) ? table.columns[name] : undefined;
  if (column === undefined) {
    throw invalid(table.wrapping(query), `Invalid sorting field: "${name}" on listable type ${table.model}`);
  }
  return { field: column.field, isDescending };
}

function nextPosition<Row>(
  token: string,
  { sort, filter }: { readonly sort: string; readonly filter: string },
  table: ListTable<Row>,
  query: URLSearchParams,
): Position {
  const wrapping = table.wrapping(query);
  const position = readToken(token, wrapping);
  const order = sort === "" ? undefined : readOrder(sort, table, query);
  const isOther =
    order !== undefined &&
    (order.field !== position.SortByFieldName || order.isDescending !== position.IsDesc);
  if (isOther || !isSameFilter(readFilter(filter, table, query), position.Filter))
    throw invalid(wrapping, mismatch);
  return position;
}

/** After a trip through JSON the server takes lists and numbers for others than they were: only texts are found to be equal. */
function isSameFilter(asked: StoredFilter | undefined, stored: StoredFilter | null): boolean {
  if (asked === undefined) return true;
  if (stored === null || JSON.stringify(asked) !== JSON.stringify(stored)) return false;
  return Object.values(asked).every((columns) =>
    Object.values(columns).every((operands) => operands.every((one) => typeof one === "string")),
  );
}

function readToken(token: string, wrapping: string): Position {
  const fail = (reason: string) =>
    refusal(3, `${wrapping}: InvalidInputError: Invalid package token: ${reason}`, "Invalid package token");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(token))
    throw fail(`illegal base64 data at input byte ${token.search(/[^A-Za-z0-9+/]/)}`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(token), (char) => char.charCodeAt(0))));
  } catch {
    throw fail("invalid character 'o' in literal null (expecting 'u')");
  }
  if (!isObject(value)) throw fail("unexpected end of JSON input");
  // A token is not signed: whatever it holds is believed.
  return value as unknown as Position;
}
