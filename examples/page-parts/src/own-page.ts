import type { IncomingMessage } from "node:http";

/** Whether a request comes from a page of this server. Browsers say so; no page of another site may start or stop anything. */
export function isFromOwnPage({ headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return false;
  const { origin, host } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
