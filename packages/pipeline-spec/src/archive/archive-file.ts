import { describeValue } from "../json-value.js";
import { damaged } from "./inflate.js";

/** A file in an archive. */
export interface ArchiveFile {
  readonly name: string;
  readonly read: () => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>;
}

/** Files that an archive may have: one with a pipeline has one, or a few beside it. */
const mostFiles = 1_000;

/** The file that the API server takes: `pipeline.yaml`, or else the first. */
export function pipelineFile(files: Iterable<ArchiveFile>): ArchiveFile {
  let first: ArchiveFile | undefined;
  let count = 0;
  for (const file of files) {
    if (++count > mostFiles) throw damaged(`it holds more than ${mostFiles} files`);
    if (leadsOut(file.name)) {
      throw damaged(`it holds a file whose name leads out of it: ${describeValue(file.name)}`);
    }
    if (file.name.replace(/^(?:\.\/)+/, "") === "pipeline.yaml") return file;
    first ??= file;
  }
  if (first === undefined) throw damaged("it holds no file");
  return first;
}

/** Names are not used as paths here, but an archive with such a name was made to do harm. */
function leadsOut(name: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)|\0/.test(name) || name.split(/[/\\]/).includes("..");
}
