import { fileURLToPath } from "node:url";
import {
  type Catalogue,
  createTokenBucket,
  createVehicleRouter,
  type Logger,
} from "@wye/vehicle-catalogue/server";
import { type Handler, serveFiles } from "@wye-examples/page-parts/files";
import { pageKey } from "./page-key.js";

export interface VehicleBrowserOptions {
  readonly catalogue: Catalogue;
  /** The folder with the built page. Default: `public` beside this file, where the build puts it. */
  readonly publicFolder?: string;
  /** Where all of this is mounted, without a slash at the end: `/vehicles`. Default: at the root. */
  readonly prefix?: string;
  /** What stands above each page, as HTML: the way back to where all of this is mounted. */
  readonly banner?: string;
  readonly logger?: Logger;
}

/** The data that come with this example. */
export const dataFile: string = fileURLToPath(new URL("../data/ev-data.json", import.meta.url));

const builtPage = fileURLToPath(new URL("./public", import.meta.url));

/** The page and the API behind one handler. */
export function createVehicleBrowser(options: VehicleBrowserOptions): Handler {
  const { catalogue, publicFolder = builtPage, prefix = "", logger, banner } = options;
  const router = createVehicleRouter({
    catalogue,
    prefix,
    keys: [{ key: pageKey, groups: ["ReadVehicles", "ReadVehiclesFull"] }],
    rateLimit: createTokenBucket({ perMinute: 6000 }),
    ...(logger === undefined ? {} : { logger }),
  });
  const files = serveFiles(publicFolder, prefix, banner);
  return (request, response, next) => {
    router.node(request, response, () => files(request, response, next));
  };
}
