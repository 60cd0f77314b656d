import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Catalogue,
  createTokenBucket,
  createVehicleRouter,
  type Logger,
} from "@wye/vehicle-catalogue/server";
import { pageKey } from "./page-key.js";

export interface VehicleBrowserOptions {
  readonly catalogue: Catalogue;
  /** The folder with the built page. Default: `public` beside this file, where the build puts it. */
  readonly publicFolder?: string;
  /** Where all of this is mounted, without a slash at the end: `/vehicles`. Default: at the root. */
  readonly prefix?: string;
  readonly logger?: Logger;
}

/** The data that come with this example. */
export const dataFile: string = fileURLToPath(new URL("../data/ev-data.json", import.meta.url));

const builtPage = fileURLToPath(new URL("./public", import.meta.url));

/** Answers what is its own, and hands everything else to `next`. */
export type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const files = {
  "/": { name: "index.html", type: "text/html; charset=utf-8" },
  "/page.js": { name: "page.js", type: "text/javascript; charset=utf-8" },
  "/style.css": { name: "style.css", type: "text/css; charset=utf-8" },
  "/icon.svg": { name: "icon.svg", type: "image/svg+xml" },
};

/** The page and the API behind one handler. */
export function createVehicleBrowser(options: VehicleBrowserOptions): Handler {
  const { catalogue, publicFolder = builtPage, prefix = "", logger } = options;
  const router = createVehicleRouter({
    catalogue,
    prefix,
    keys: [{ key: pageKey, groups: ["ReadVehicles", "ReadVehiclesFull"] }],
    rateLimit: createTokenBucket({ perMinute: 6000 }),
    ...(logger === undefined ? {} : { logger }),
  });
  const pages = new Map(
    Object.entries(files).map(([path, { name, type }]) => [
      prefix + path,
      { type, body: readFileSync(join(publicFolder, name)) },
    ]),
  );
  return (request, response, next) => {
    router.node(request, response, () => {
      const page = pages.get((request.url ?? "/").split("?", 1)[0] ?? "/");
      if (page === undefined) {
        next();
        return;
      }
      if (request.method !== "GET" && request.method !== "HEAD") {
        response.writeHead(405, { allow: "GET, HEAD" }).end();
        return;
      }
      response.writeHead(200, {
        "content-type": page.type,
        "content-length": page.body.byteLength,
        "cache-control": "no-cache",
        "content-security-policy":
          "default-src 'self'; style-src 'self'; base-uri 'none'; form-action 'self'",
        "x-content-type-options": "nosniff",
      });
      response.end(request.method === "HEAD" ? undefined : page.body);
    });
  };
}
