import { fileURLToPath } from "node:url";
import { type Handler, serveFiles } from "@wye-examples/page-parts/files";

export interface PipelineEditorOptions {
  /** The folder with the built page. Default: `public` beside this file, where the build puts it. */
  readonly publicFolder?: string;
  /** Where the page is mounted, without a slash at the end: `/pipelines`. Default: at the root. */
  readonly prefix?: string;
  /** What stands above each page, as HTML: the way back to where all of this is mounted. */
  readonly banner?: string;
}

const builtPage = fileURLToPath(new URL("./public", import.meta.url));

/** The page behind a handler: nothing but files, as all checking is done in the browser. */
export function createPipelineEditor(options: PipelineEditorOptions = {}): Handler {
  return serveFiles(options.publicFolder ?? builtPage, options.prefix, options.banner);
}
