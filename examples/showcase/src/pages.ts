import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { homePage, notFoundPage } from "./home-page.js";
import type { Leg } from "./leg.js";

/** What is answered at one path. */
export interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: () => Uint8Array;
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Everything the showcase itself serves, by path; read once, so that no request can reach another file. */
export function pagesFrom(legs: readonly Leg[], publicFolder: string): ReadonlyMap<string, Page> {
  const started = Date.now();
  const pages = new Map<string, Page>();
  for (const name of readdirSync(publicFolder)) {
    const content = readFileSync(join(publicFolder, name));
    pages.set(`/${name}`, {
      status: 200,
      type: types[extname(name)] ?? "application/octet-stream",
      body: () => content,
    });
  }
  pages.set(
    "/",
    page(200, "text/html", () => homePage(legs)),
  );
  pages.set("404", page(404, "text/html", notFoundPage));
  pages.set(
    "/legs.json",
    json(() => legs.map(({ handler, ...leg }) => ({ ...leg, mounted: handler !== undefined }))),
  );
  pages.set(
    "/health",
    json(() => ({ status: "ok", uptimeMs: Date.now() - started, legs: legs.map(({ id }) => id) })),
  );
  return pages;
}

function page(status: number, type: string, text: () => string): Page {
  return { status, type: `${type}; charset=utf-8`, body: () => new TextEncoder().encode(text()) };
}

function json(value: () => unknown): Page {
  return page(200, "application/json", () => `${JSON.stringify(value(), null, 2)}\n`);
}
