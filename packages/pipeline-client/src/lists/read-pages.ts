import type { ApiRequest, Query } from "../http/api-request.js";
import type { Call, Session } from "../http/session.js";
import type { ListQuery } from "./list-settings.js";
import type { Page } from "./paged-list.js";
import { askForPage, type PageItems } from "./read-page.js";

/** One list of the API. */
export interface ListSource<T> extends PageItems<T> {
  readonly path: string;
  readonly query: Omit<ListQuery, "call">;
  /** What the server forgets when it is not said with every page: whose things these are. */
  readonly scope: (call: Call) => Promise<Query>;
}

/**
 * Page after page. A token goes along with the size and the scope, and with nothing else: servers refuse some filters beside it, and show
 * things of others when the scope is not repeated. A server that would never let this end is an error.
 *
 * @param startCall  gives the call that a page belongs to, whose time it takes
 */
export async function* readPages<T>(
  session: Session,
  source: ListSource<T>,
  startCall: () => Call,
): AsyncGenerator<Page<T>, void, undefined> {
  const { query, path } = source;
  let token = query.pageToken;
  let scope: Query | undefined;
  for (let number = 1; ; number++) {
    const call = startCall();
    scope ??= await source.scope(call);
    const rest: Query = token === undefined ? query.first : [["page_token", token]];
    const request: ApiRequest = {
      method: "GET",
      path,
      query: [...scope, ["page_size", query.pageSize], ...rest],
      isRepeatable: true,
    };
    const page = await askForPage(session, request, call, source);
    const next = page.nextPageToken;
    if (next !== undefined && (next === token || number >= session.settings.maxPages)) {
      throw session.unusable(
        request,
        `the list does not end: page ${number} leads to itself, or there are more than \`maxPages\``,
      );
    }
    yield page;
    if (next === undefined) return;
    token = next;
  }
}
