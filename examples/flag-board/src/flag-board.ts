import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createRelay, type Logger } from "@wye/relay";
import { type Handler, serveFiles } from "@wye-examples/page-parts/files";
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
  /** What stands above each page, as HTML: the way back to where all of this is mounted. */
  readonly banner?: string;
  readonly logger?: Logger;
}

/** A relay with its page. */
export interface FlagBoard {
  readonly handler: Handler;
  /** Ends the streams of the SDKs and everything that runs. */
  close(): Promise<void>;
}

const flagFile = fileURLToPath(new URL("../data/flags.json", import.meta.url));
const builtPage = fileURLToPath(new URL("./public", import.meta.url));

/** The relay, the page and the API for edits behind one handler. Throws when the flags are wrong. */
export function createFlagBoard(options: FlagBoardOptions = {}): FlagBoard {
  const { publicFolder = builtPage, prefix = "", logger, banner } = options;
  const flags = createLiveFlags(options.flags ?? readFileSync(flagFile, "utf8"));
  const traffic = createTraffic();
  const files = serveFiles(publicFolder, prefix, banner);
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
        if (!api(path, request, response)) files(request, response, next);
      });
    },
    close: () => relay.close(),
  };
}
