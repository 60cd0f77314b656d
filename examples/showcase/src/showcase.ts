import { createServer, type Server } from "node:http";
import { sendPage } from "@wye-examples/page-parts/files";
import type { Leg } from "./leg.js";
import { pagesFrom } from "./pages.js";

export interface ShowcaseOptions {
  readonly legs: readonly Leg[];
  /** The folder with the built page. */
  readonly publicFolder: string;
}

/** One server for everything: the page at `/`, `/health`, `/legs.json`, and every leg below `/<id>/`. Closing it closes the legs. */
export function createShowcase({ legs, publicFolder }: ShowcaseOptions): Server {
  const pageAt = pagesFrom(legs, publicFolder);
  const server = createServer((request, response) => {
    // Node passes the target as it came; a base makes a URL of a path, also of one such as `//x`.
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    const leg = legs.find(({ id, handler }) => handler && (path === `/${id}` || path.startsWith(`/${id}/`)));
    if (leg && path === `/${leg.id}`) response.writeHead(308, { location: `${path}/` }).end();
    else if (leg?.handler) leg.handler(request, response, () => sendPage(request, response, pageAt(path)));
    else sendPage(request, response, pageAt(path));
  });
  server.once("close", () => {
    for (const { close } of legs) void close?.();
  });
  return server;
}
