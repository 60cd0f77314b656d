/** Some of the things that a list holds. */
export interface Page<T> {
  readonly items: readonly T[];
  /** How many there are on all pages, as the server says. */
  readonly totalSize?: number;
  /** Where the next page begins; none on the last one. */
  readonly nextPageToken?: string;
}

/** A list on a server, fetched page by page while it is read: `for await (const one of list)`. It can be read several times. */
export interface PagedList<T> extends AsyncIterable<T> {
  /** The same, a page at a time. */
  pages(): AsyncIterable<Page<T>>;
  /** One page alone. */
  page(): Promise<Page<T>>;
}

/** A list from what gives its pages. */
export function pagedList<T>(pages: () => AsyncGenerator<Page<T>, void, undefined>): PagedList<T> {
  return {
    pages,
    async page() {
      // The first one: no more are fetched.
      for await (const page of pages()) return page;
      return { items: [] };
    },
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}
