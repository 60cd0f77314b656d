import { checkOptions } from "@wye/pipeline-spec";
import type { CallOptions } from "../client-options.js";
import type { Query } from "../http/api-request.js";
import { callOptionsOf, everyCall } from "../http/known-call.js";
import { type FilterKinds, filterText } from "./filter.js";

/** What every list takes. */
export interface ListOptions<Filter, SortKey extends string> extends CallOptions {
  readonly filter?: Filter | undefined;
  /** By when it was created if not given. */
  readonly sortBy?: SortKey | undefined;
  /** The last ones first. */
  readonly descending?: boolean | undefined;
  /** How many one request asks for: 50 if not given, 200 at most. */
  readonly pageSize?: number | undefined;
  /**
   * Where to go on: `nextPageToken` of a page that the same list has given. It holds the filter and the order, which are not given beside
   * it; whose things are listed is.
   */
  readonly pageToken?: string | undefined;
}

/** What can be asked of one kind of list. */
export interface ListKind<Filter, SortKey extends string> {
  readonly filter: FilterKinds<Filter>;
  /** What it takes beside that which every list takes. */
  readonly scope: Readonly<Record<string, "any" | "text">>;
  readonly sortKeys: readonly SortKey[];
}

/** Options of a list, checked, as parts of a query. */
export interface ListQuery {
  /** Of each of its requests. */
  readonly call: CallOptions;
  readonly pageSize: string;
  readonly pageToken: string | undefined;
  /** Only for the first page: the token keeps them, and servers refuse some of them beside it. */
  readonly first: Query;
}

const mostPerPage = 200;

export function listQuery<Filter extends object, SortKey extends string>(
  options: ListOptions<Filter, SortKey>,
  { filter, scope, sortKeys }: ListKind<Filter, SortKey>,
): ListQuery {
  checkOptions<object>("list", options, {
    ...everyCall,
    ...scope,
    filter: "any",
    sortBy: sortKeys,
    descending: [true, false],
    pageSize: "any",
    pageToken: "text",
  });
  const { sortBy, descending, pageSize = 50, pageToken } = options;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > mostPerPage) {
    throw new TypeError(`\`pageSize\` is a whole number from 1 to ${mostPerPage}`);
  }
  const given = (["filter", "sortBy", "descending"] as const).find((name) => options[name] !== undefined);
  if (pageToken && given !== undefined)
    throw new TypeError(
      `\`pageToken\` holds filter and order of the list that gave it: leave out \`${given}\``,
    );
  const field = sortBy?.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const isPlain = field === undefined && descending !== true;
  const order = isPlain ? undefined : `${field ?? "created_at"} ${descending === true ? "desc" : "asc"}`;
  return {
    call: callOptionsOf(options),
    pageSize: `${pageSize}`,
    // What an API says where there is no page to go on with.
    pageToken: pageToken === "" ? undefined : pageToken,
    first: [
      ["sort_by", order],
      ["filter", filterText(options.filter, filter)],
    ],
  };
}
