import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";

/** Answers what is its own, and hands everything else to `next`. */
export type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** What is answered at one path. */
export interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: () => Uint8Array;
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".yaml": "text/plain; charset=utf-8",
};

/** A folder by path, `/` for `index.html`; read once, so that no request can reach another file. */
export function readPages(folder: string): Map<string, Page> {
  const pages = new Map<string, Page>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    const type = types[extname(entry.name)] ?? "application/octet-stream";
    const path = file.slice(join(folder, sep).length).replaceAll(sep, "/");
    pages.set(path === "index.html" ? "/" : `/${path}`, { status: 200, type, body: () => content });
  }
  return pages;
}

/** Serves a folder below a prefix, which has no slash at its end. */
export function serveFiles(folder: string, prefix = ""): Handler {
  const pages = readPages(folder);
  return (request, response, next) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    const page = path.startsWith(prefix) ? pages.get(path.slice(prefix.length)) : undefined;
    if (page === undefined) next();
    else sendPage(request, response, page);
  };
}

/** Styles, scripts, workers and requests only from this server; pictures also from within style sheets. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Answers GET and HEAD with a page that may use nothing but what comes from this server. */
export function sendPage(request: IncomingMessage, response: ServerResponse, page: Page): void {
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
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
