import { PipelineClientError } from "./client-error.js";

/** What the server calls a thing that is not there. Kubernetes and gateways repeat the status in its place. */
const notFound = 5;
/** Said of a path that leads to nothing of the server, as with a mistaken prefix. */
const unknownPath = "Not Found";

/**
 * Whether the server itself says that there is no such thing, with a code of its own. Gateways before it answer 404 as well, while
 * it or the way to it is away.
 */
export function isAbsent(error: unknown): error is PipelineClientError {
  if (!(error instanceof PipelineClientError) || error.code !== "not_found") return false;
  // A search by name has no status.
  return error.status === undefined || (error.serverCode === notFound && error.serverMessage !== unknownPath);
}
