// Follows every link and anchor of the built site that stays on it, as a browser would.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileAt, siteFiles } from "./site-files.mjs";

const origin = "http://site.invalid";
const entities = { "&amp;": "&", "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">" };

/** @param {string} text */
const decodeEntities = (text) => text.replaceAll(/&(?:amp|quot|lt|gt|#39);/g, (entity) => entities[entity]);

/**
 * Every link that leads nowhere, as `page → target`.
 * @param {string} folder where the site was built
 */
export function deadLinks(folder) {
  const files = siteFiles(folder);
  const pages = new Map(
    [...files].filter((file) => file.endsWith(".html")).map((file) => [file, readPage(join(folder, file))]),
  );

  return [...pages].flatMap(([file, { links }]) =>
    links
      .filter((link) => {
        const {
          origin: target,
          pathname,
          hash,
        } = new URL(link, origin + file.replace(/(index)?\.html$/, ""));
        if (target !== origin) return false;
        const found = fileAt(files, decodeURIComponent(pathname));
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
