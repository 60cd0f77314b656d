import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";

/** Answers what is its own, and hands everything else to `next`. */
export type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** What is answered at one path. */
export interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: () => Uint8Array;
  /** The body as Brotli, where the build has packed it. */
  readonly packed?: Uint8Array;
  /** Tells this body from others at the same path, so that a browser need not fetch it twice. */
  readonly version?: string;
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

/**
 * A folder by path, `/` for `index.html`; read once, so that no request can reach another file. Each page of HTML names the
 * versions of what it loads, and gets `banner` where its body begins.
 */
export function readPages(folder: string, banner = ""): Map<string, Page> {
  const pages = new Map<string, Page>();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".br"))
    .map((entry) => join(entry.parentPath, entry.name));
  const isHtml = (file: string): boolean => extname(file) === ".html";
  const pathOf = (file: string): string =>
    `/${file.slice(join(folder, sep).length).replaceAll(sep, "/")}`.replace(/^\/index\.html$/, "/");
  for (const file of files) if (!isHtml(file)) pages.set(pathOf(file), filePage(file));
  for (const file of files) if (isHtml(file)) pages.set(pathOf(file), htmlPage(file, banner, pages));
  return pages;
}

function htmlPage(file: string, banner: string, pages: ReadonlyMap<string, Page>): Page {
  const text = readFileSync(file, "utf8");
  const type = types[".html"] ?? "";
  const whole = withVersions(text, pages).replace("<body>", () => `<body>${banner}`);
  const body = new TextEncoder().encode(whole);
  return { status: 200, type, body: () => body };
}

function filePage(file: string): Page {
  const content = readFileSync(file);
  const type = types[extname(file)] ?? "application/octet-stream";
  const version = createHash("sha256").update(content).digest("base64url").slice(0, 22);
  const packed = existsSync(`${file}.br`) ? { packed: readFileSync(`${file}.br`) } : {};
  return { status: 200, type, body: () => content, version, ...packed };
}

/** Adds their version to the addresses of scripts, styles and pictures of a page: `style.css?v=…` is kept by a browser for good. */
export function withVersions(html: string, pages: ReadonlyMap<string, Page>): string {
  return html.replace(/(?<=(?:href|src)=")\/?([\w-]+\.(?:css|js|svg))(?=")/g, (address, name) => {
    const version = pages.get(`/${name}`)?.version;
    return version === undefined ? address : `${address}?v=${version}`;
  });
}

/** Serves a folder below a prefix, which has no slash at its end. */
export function serveFiles(folder: string, prefix = "", banner = ""): Handler {
  const pages = readPages(folder, banner);
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
  const { status, type, packed, version } = page;
  // Weak, because packed and plain bytes have it alike.
  const tag = version && `W/"${version}"`;
  const isNamed = version !== undefined && request.url?.endsWith(`?v=${version}`) === true;
  const isPacked = packed !== undefined && /\bbr\b/.test(String(request.headers["accept-encoding"]));
  const body = isPacked ? packed : page.body();
  const shared = {
    "cache-control": isNamed ? "public, max-age=31536000, immutable" : "no-cache",
    ...(tag !== undefined && { etag: tag }),
    ...(packed !== undefined && { vary: "Accept-Encoding" }),
  };
  if (tag !== undefined && request.headers["if-none-match"] === tag) {
    response.writeHead(304, shared).end();
    return;
  }
  response.writeHead(status, {
    ...shared,
    "content-type": type,
    "content-length": body.byteLength,
    ...(isPacked && { "content-encoding": "br" }),
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
