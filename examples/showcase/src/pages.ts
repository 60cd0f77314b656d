import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Page, readPages, withVersions } from "@wye-examples/page-parts/files";
import { homePage, notFoundPage } from "./home-page.js";
import type { Leg } from "./leg.js";

/** What the showcase itself serves at a path: the page for missing pages where there is nothing. */
export function pagesFrom(legs: readonly Leg[], publicFolder: string): (path: string) => Page {
  const started = Date.now();
  const pages = readPages(publicFolder);
  const snippets = new Map(
    legs.map(({ id }) => [id, readFileSync(join(publicFolder, "snippets", `${id}.ts`), "utf8")]),
  );
  pages.set(
    "/",
    page(200, "text/html", () => withVersions(homePage(legs, snippets), pages)),
  );
  pages.set(
    "/legs.json",
    json(() => legs.map(({ handler, ...leg }) => ({ ...leg, mounted: handler !== undefined }))),
  );
  pages.set(
    "/health",
    json(() => ({ status: "ok", uptimeMs: Date.now() - started, legs: legs.map(({ id }) => id) })),
  );
  const missing = page(404, "text/html", () => withVersions(notFoundPage(), pages));
  return (path) => pages.get(path) ?? missing;
}

function page(status: number, type: string, text: () => string): Page {
  return { status, type: `${type}; charset=utf-8`, body: () => new TextEncoder().encode(text()) };
}

function json(value: () => unknown): Page {
  return page(200, "application/json", () => `${JSON.stringify(value(), null, 2)}\n`);
}
