// Follows every link and anchor of the built site that stays on it, as a browser would.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const origin = "http://site.invalid";
const entities = { "&amp;": "&", "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">" };

/** @param {string} text */
const decodeEntities = (text) => text.replaceAll(/&(?:amp|quot|lt|gt|#39);/g, (entity) => entities[entity]);

/**
 * Every link that leads nowhere, as `page → target`.
 * @param {string} folder where the site was built
 */
export function deadLinks(folder) {
  const files = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll("\\", "/")),
  );
  const pages = new Map(
    [...files].filter((file) => file.endsWith(".html")).map((file) => [file, readPage(join(folder, file))]),
  );

  /** The file that a server of clean addresses answers with. */
  const fileFor = (path) =>
    [path.endsWith("/") ? `${path}index.html` : path, `${path}.html`].find((file) => files.has(file));

  return [...pages].flatMap(([file, { links }]) =>
    links
      .filter((link) => {
        const {
          origin: target,
          pathname,
          hash,
        } = new URL(link, origin + file.replace(/(index)?\.html$/, ""));
        if (target !== origin) return false;
        const found = fileFor(decodeURIComponent(pathname));
        if (found === undefined) return true;
        const anchor = decodeURIComponent(hash.slice(1));
        return anchor !== "" && pages.has(found) && !pages.get(found).anchors.has(anchor);
      })
      .map((link) => `${file} → ${link}`),
  );
}

function readPage(path) {
  const html = readFileSync(path, "utf8");
  return {
    links: [
      ...new Set([...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map(([, link]) => decodeEntities(link))),
    ],
    anchors: new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => decodeEntities(id))),
  };
}
