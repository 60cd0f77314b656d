// `npm run docs` ends here: serves the built site as hosts of static sites do, on loopback, and prints its address.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { fileAt, siteFiles } from "./site-files.mjs";

/** @type {Readonly<Record<string, string>>} */
const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Answers with the files of a folder at clean addresses, packed where a browser takes that, and with `404.html` where
 * there is none.
 * @param {string} folder where the site was built
 */
export function siteServer(folder) {
  const files = siteFiles(folder);
  return createServer((request, response) => {
    const found = fileAt(files, pathOf(request.url ?? "/"));
    const type = types[extname(found ?? "/404.html")];
    const content = readFileSync(join(folder, found ?? "404.html"));
    const isPacked = type !== undefined && /\bgzip\b/.test(String(request.headers["accept-encoding"]));
    const body = isPacked ? gzipSync(content) : content;
    response.writeHead(found === undefined ? 404 : 200, {
      "content-type": type ?? "application/octet-stream",
      "content-length": body.length,
      ...(isPacked && { "content-encoding": "gzip" }),
      vary: "Accept-Encoding",
    });
    response.end(request.method === "HEAD" ? undefined : body);
  });
}

/**
 * The path of a request, as files are named; what is no address is no file.
 * @param {string} target
 */
function pathOf(target) {
  try {
    return decodeURIComponent(target.replace(/\?.*/s, ""));
  } catch {
    return "";
  }
}
