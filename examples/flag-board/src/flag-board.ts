import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRelay, type Logger } from "@wye/relay";
import { createBoardApi } from "./board-api.js";
import { createClosedUpstream } from "./closed-upstream.js";
import { demoKeys } from "./demo-keys.js";
import { createLiveFlags } from "./live-flags.js";
import { createTraffic } from "./traffic.js";

export interface FlagBoardOptions {
  /** The text of a flag file. Default: the one that comes with this example. */
  readonly flags?: string;
  /** The folder with the built page. Default: `public` beside this file, where the build puts it. */
  readonly publicFolder?: string;
  /** Where all of this is mounted, without a slash at the end: `/relay`. Default: at the root. */
  readonly prefix?: string;
  readonly logger?: Logger;
}

/** Answers what is its own, and hands everything else to `next`. */
export type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** A relay with its page. */
export interface FlagBoard {
  readonly handler: Handler;
  /** Ends the streams of the SDKs and everything that runs. */
  close(): Promise<void>;
}

const flagFile = fileURLToPath(new URL("../data/flags.json", import.meta.url));
const builtPage = fileURLToPath(new URL("./public", import.meta.url));

const files = {
  "/": { name: "index.html", type: "text/html; charset=utf-8" },
  "/page.js": { name: "page.js", type: "text/javascript; charset=utf-8" },
  "/style.css": { name: "style.css", type: "text/css; charset=utf-8" },
  "/icon.svg": { name: "icon.svg", type: "image/svg+xml" },
};

/** The relay, the page and the API for edits behind one handler. Throws when the flags are wrong. */
export function createFlagBoard(options: FlagBoardOptions = {}): FlagBoard {
  const { publicFolder = builtPage, prefix = "", logger } = options;
  const flags = createLiveFlags(options.flags ?? readFileSync(flagFile, "utf8"));
  const traffic = createTraffic();
  const pages = readPages(publicFolder);
  const relay = createRelay({
    environments: { demo: { ...demoKeys, source: flags.source } },
    upstream: createClosedUpstream(),
    metrics: traffic.sink,
    prefix,
    ...(logger === undefined ? {} : { logger }),
  });
  const api = createBoardApi({ flags, traffic: traffic.now });
  return {
    handler(request, response, next) {
      relay.handler(request, response, () => {
        const whole = (request.url ?? "/").split("?", 1)[0] ?? "/";
        const path = whole.startsWith(prefix) ? whole.slice(prefix.length) : "";
        if (api(path, request, response)) return;
        const page = pages.get(path);
        if (page === undefined) next();
        else sendPage(page, request, response);
      });
    },
    close: () => relay.close(),
  };
}

interface Page {
  readonly type: string;
  readonly body: Buffer;
}

function readPages(folder: string): ReadonlyMap<string, Page> {
  return new Map(
    Object.entries(files).map(([path, { name, type }]) => [
      path,
      { type, body: readFileSync(join(folder, name)) },
    ]),
  );
}

function sendPage({ type, body }: Page, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { allow: "GET, HEAD" }).end();
    return;
  }
  response.writeHead(200, {
    "content-type": type,
    "content-length": body.byteLength,
    "cache-control": "no-cache",
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
