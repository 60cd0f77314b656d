import type { ApiRequest } from "../http/api-request.js";
import type { Session } from "../http/session.js";
import type { Page } from "../lists/paged-list.js";
import { askForPage } from "../lists/read-page.js";
import type { VertexListOptions } from "./vertex-client.js";
import { readVertexJob, type VertexJob } from "./vertex-job.js";

const items = { member: "pipelineJobs", read: readVertexJob };

/** Page after page. Here everything is said with every page, as Google's lists want it. */
export async function* listVertexJobs(
  session: Session,
  path: string,
  { filter, orderBy, pageSize = 50, pageToken, ...options }: VertexListOptions,
): AsyncGenerator<Page<VertexJob>, void, undefined> {
  let token = pageToken;
  for (let number = 1; ; number++) {
    const request: ApiRequest = {
      method: "GET",
      path,
      query: [
        ["filter", filter],
        ["pageSize", `${pageSize}`],
        ["pageToken", token],
        ["orderBy", orderBy],
      ],
      isRepeatable: true,
    };
    const page = await askForPage(session, request, session.start(options), items);
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
