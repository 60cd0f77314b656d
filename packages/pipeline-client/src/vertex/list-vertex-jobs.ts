import type { ApiRequest } from "../http/api-request.js";
import { readAnswer } from "../http/read-answer.js";
import type { Session } from "../http/session.js";
import type { Page } from "../lists/paged-list.js";
import { listOf, text } from "../wire/read-message.js";
import type { VertexListOptions } from "./vertex-client.js";
import { readVertexJob, type VertexJob } from "./vertex-job.js";

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
    const body = readAnswer(session, request, await session.send(request, session.start(options)));
    const next = text(body.nextPageToken) || undefined;
    if (next !== undefined && (next === token || number >= session.settings.maxPages)) {
      throw session.unusable(
        request,
        `the list does not end: page ${number} leads to itself, or there are more than \`maxPages\``,
      );
    }
    yield {
      items: listOf(readVertexJob)(body.pipelineJobs) ?? [],
      ...(next !== undefined && { nextPageToken: next }),
    };
    if (next === undefined) return;
    token = next;
  }
}
