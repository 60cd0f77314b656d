import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Leg } from "./leg.js";
import { type Page, pagesFrom } from "./pages.js";

export interface ShowcaseOptions {
  readonly legs: readonly Leg[];
  /** The folder with the built page. */
  readonly publicFolder: string;
}

/** One server for everything: the page at `/`, `/health`, `/legs.json`, and every leg below `/<id>/`. Closing it closes the legs. */
export function createShowcase({ legs, publicFolder }: ShowcaseOptions): Server {
  const pages = pagesFrom(legs, publicFolder);
  const server = createServer((request, response) => {
    // Node passes the target as it came; a base makes a URL of a path, also of one such as `//x`.
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    const leg = legs.find(({ id, handler }) => handler && (path === `/${id}` || path.startsWith(`/${id}/`)));
    if (leg && path === `/${leg.id}`) response.writeHead(308, { location: `${path}/` }).end();
    else if (leg?.handler) leg.handler(request, response, () => answer(request, response, pages.get("404")));
    else answer(request, response, pages.get(path) ?? pages.get("404"));
  });
  server.once("close", () => {
    for (const { close } of legs) void close?.();
  });
  return server;
}

function answer(request: IncomingMessage, response: ServerResponse, page: Page | undefined): void {
  if (page === undefined) throw new Error("the page for missing pages is missing");
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { allow: "GET, HEAD", "content-type": "text/plain; charset=utf-8" });
    response.end("Only GET and HEAD are answered here.\n");
    return;
  }
  const body = page.body();
  response.writeHead(page.status, {
    "content-type": page.type,
    "content-length": body.byteLength,
    "cache-control": "no-cache",
    "content-security-policy":
      "default-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'",
    "x-content-type-options": "nosniff",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
