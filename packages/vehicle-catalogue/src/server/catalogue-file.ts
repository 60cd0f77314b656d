import { CatalogueError } from "../catalogue-error.js";
import { builtinModules } from "./builtin-modules.js";
import { JsonBytes } from "./json-bytes.js";
import { catalogueFromJson, type MemoryCatalogue, type MemoryCatalogueOptions } from "./memory-catalogue.js";

/** Reads a catalogue from a JSON file, of any form that `catalogueFromJson` takes. Needs a file system. */
export async function readCatalogueFile(
  path: string,
  options?: MemoryCatalogueOptions,
): Promise<MemoryCatalogue> {
  return loadCatalogue(await readFileData(path), path, options);
}

/** What was in a file, and a short name for it: equal for equal bytes. */
export interface FileData {
  readonly json: JsonBytes;
  readonly fingerprint: string;
}

/** Makes a catalogue of what a file holds; every error names the file. */
export function loadCatalogue(
  { json }: FileData,
  path: string,
  options?: MemoryCatalogueOptions,
): MemoryCatalogue {
  try {
    return catalogueFromJson(json, options);
  } catch (error) {
    throw asCatalogueError(error, path);
  }
}

/** Reads a file whole. Its text is taken apart only when it is asked for. */
export async function readFileData(path: string): Promise<FileData> {
  const builtin = nodeModules();
  const bytes = await readRegularFile(path).catch((cause) => unreadable(path, cause));
  return {
    json: new JsonBytes(bytes),
    fingerprint: builtin("node:crypto").createHash("sha256").update(bytes).digest("base64"),
  };
}

/** A pipe would be waited for until somebody writes to it, in a thread that nothing ends. */
async function readRegularFile(path: string): Promise<Uint8Array> {
  const { constants, open } = nodeModules()("node:fs/promises");
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    checkRegular(await handle.stat());
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function checkRegular(stats: { isFile(): boolean }): void {
  if (!stats.isFile()) throw new Error("it is no regular file");
}

/**
 * Changes whenever the file does, however that came about, and costs no reading: the time of the last change of the
 * inode is set by the system alone. Links are followed, those of folders too.
 */
export async function stampOfFile(path: string): Promise<string> {
  const stats = await nodeModules()("node:fs/promises")
    .stat(path, { bigint: true })
    .then((found) => {
      checkRegular(found);
      return found;
    })
    .catch((cause) => unreadable(path, cause));
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
}

function nodeModules(): typeof process.getBuiltinModule {
  const builtin = builtinModules();
  if (builtin === undefined) throw new CatalogueError("unsupported", "this runtime has no file system");
  return builtin;
}

function unreadable(path: string, cause: unknown): never {
  throw new CatalogueError("unreadable", `${path} cannot be read: ${messageOf(cause)}`, { cause });
}

/** The error as one of this package that names the file. */
export function asCatalogueError(error: unknown, path: string): CatalogueError {
  if (error instanceof SyntaxError) {
    return new CatalogueError("unreadable", `${path} is no JSON: ${error.message}`, { cause: error });
  }
  if (!(error instanceof CatalogueError)) {
    return new CatalogueError("unreadable", `${path}: ${messageOf(error)}`, { cause: error });
  }
  const { code, message, problems, cause } = error;
  return message.startsWith(path)
    ? error
    : new CatalogueError(code, `${path}: ${message}`, { cause, problems });
}

/** What went wrong, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
