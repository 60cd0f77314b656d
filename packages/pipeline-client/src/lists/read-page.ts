import type { ApiRequest } from "../http/api-request.js";
import { excerptOf, readAnswer } from "../http/read-answer.js";
import type { Call, Session } from "../http/session.js";
import { type FieldReader, idText, memberFinder, number } from "../wire/read-message.js";
import type { Page } from "./paged-list.js";

/** What is on the pages of a list. */
export interface PageItems<T> {
  /** Where an answer has its items: the name in camel case, in whatever case it comes. */
  readonly member: string;
  readonly read: FieldReader<T>;
}

const totalSizeOf = memberFinder("totalSize");
const nextPageTokenOf = memberFinder("nextPageToken");

/** Sends a request whose answer is a page of a list. */
export async function askForPage<T>(
  session: Session,
  request: ApiRequest,
  call: Call,
  { member, read }: PageItems<T>,
): Promise<Page<T>> {
  const answer = await session.send(request, call);
  const body = readAnswer(session, request, answer);
  const items = memberFinder(member)(body);
  // For protobuf, null is nothing.
  if (items !== undefined && items !== null && !Array.isArray(items))
    throw session.unusable(request, `\`${member}\` of the answer is no list`);
  const totalSize = totalSizeOf(body);
  const token = nextPageTokenOf(body);
  // Empty lists have no key. What says something else, and nothing of a list, is no empty one.
  const isList = items !== undefined || totalSize !== undefined || token !== undefined;
  if (!isList && Object.keys(body).length > 0) {
    const { bytes, redactor } = answer;
    const reason = `the answer is no page of a list, it has no \`${member}\`: ${excerptOf(bytes, redactor)}`;
    throw session.unusable(request, reason, redactor);
  }
  const [size, next] = [number(totalSize), idText(token)];
  if (token !== undefined && token !== null && next === undefined)
    throw session.unusable(request, "`nextPageToken` of the answer is no text");
  const readItem = (item: unknown, index: number): T => {
    const found = read(item);
    if (found !== undefined) return found;
    throw session.unusable(request, `\`${member}/${index}\` of the answer has no id`);
  };
  return {
    items: (items ?? []).map(readItem),
    ...(size !== undefined && { totalSize: size }),
    ...(next !== undefined && next !== "" && { nextPageToken: next }),
  };
}
