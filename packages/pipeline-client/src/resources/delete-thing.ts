import type { ClientContext } from "../context.js";
import type { ApiRequest, Query } from "../http/api-request.js";
import { tell } from "../http/read-answer.js";
import type { Call } from "../http/session.js";
import { isAbsent } from "../is-absent.js";

/** Deletes something. When the answer got lost and it is gone at the second try, the first one did it. */
export async function deleteThing(
  { session }: ClientContext,
  path: string,
  call: Call,
  query: Query = [],
): Promise<void> {
  const request: ApiRequest = { method: "DELETE", path, query, isRepeatable: true };
  try {
    await tell(session, request, call);
  } catch (error) {
    if (!isAbsent(error) || error.attempts < 2) throw error;
  }
}
