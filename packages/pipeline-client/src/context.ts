import type { Query } from "./http/api-request.js";
import type { Session } from "./http/session.js";

/** What all resources of a client share. */
export interface ClientContext {
  readonly session: Session;
  readonly namespace: string | undefined;
}

/** What stands before every path. */
export const basePath = "/apis/v2beta1";

/** The namespace as part of a query. */
export function namespaceQuery(namespace: string | undefined): Query {
  return [["namespace", namespace]];
}
