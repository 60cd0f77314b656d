import type { PaginationLinks } from "../../documents.js";

/** Where in a collection a page is. */
export interface PageState {
  readonly pageNumber: number;
  readonly pageSize: number;
  readonly overallCount: number;
}

/**
 * Links to the other pages: relative to the path of the request, so that they hold behind any prefix and proxy, with
 * all other parameters as they were given. Without rows there is no last page.
 */
export function paginationLinks(
  resource: string,
  pairs: readonly (readonly [name: string, value: string])[],
  { pageNumber, pageSize, overallCount }: PageState,
): PaginationLinks {
  const lastPage = Math.ceil(overallCount / pageSize);
  const to = (number: number): string => linkTo(resource, withPageNumber(pairs, number));
  return {
    self: linkTo(resource, pairs),
    first: to(1),
    ...(pageNumber > 1 && lastPage > 0 ? { prev: to(Math.min(pageNumber - 1, lastPage)) } : {}),
    ...(pageNumber < lastPage ? { next: to(pageNumber + 1) } : {}),
    ...(lastPage > 0 ? { last: to(lastPage) } : {}),
  };
}

type Pairs = readonly (readonly [name: string, value: string])[];

function withPageNumber(pairs: Pairs, number: number): Pairs {
  const others = pairs.filter(([name]) => name !== "page[number]");
  return [...others, ["page[number]", String(number)]];
}

function linkTo(resource: string, pairs: Pairs): string {
  if (pairs.length === 0) return resource;
  // Escapes brackets and everything else that the standard asks for.
  return `${resource}?${new URLSearchParams(pairs.map(([name, value]) => [name, value]))}`;
}
