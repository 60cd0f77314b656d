import type { FileHandle } from "node:fs/promises";
import { CatalogueError } from "../catalogue-error.js";
import { builtinModules } from "./builtin-modules.js";
import { checkOption } from "./check-option.js";
import { fileStamp } from "./file-stamp.js";
import { heldClock } from "./memory/held-clock.js";
import {
  catalogueFromJson,
  checkMemoryOptions,
  type MemoryCatalogue,
  type MemoryCatalogueOptions,
} from "./memory-catalogue.js";
import { parsedPiecewise } from "./piecewise-json.js";

/** Reads a catalogue from a JSON file, of any form that `catalogueFromJson` takes. Needs a file system. */
export async function readCatalogueFile(
  path: string,
  options: MemoryCatalogueOptions = {},
): Promise<MemoryCatalogue> {
  checkOption("The path of a catalogue file", path, "a text");
  checkMemoryOptions(options);
  const clock = heldClock(options.now);
  clock.hold();
  const catalogue = loadCatalogue(await readFileData(path), path, { ...options, now: clock.now });
  clock.release();
  return catalogue;
}

/** What was in a file. */
export interface FileData {
  /** What it says. Throws a `SyntaxError` when it is no JSON. */
  readonly json: () => unknown;
  /** A short name: equal for equal bytes. */
  readonly fingerprint: string;
}

/** Makes a catalogue of what a file holds; every error names the file. */
export function loadCatalogue(
  { json }: FileData,
  path: string,
  options?: MemoryCatalogueOptions,
): MemoryCatalogue {
  try {
    return catalogueFromJson(json(), options);
  } catch (error) {
    // A wrong call is none of the file's business.
    throw error instanceof TypeError ? error : asCatalogueError(error, path);
  }
}

/** Reads a file, and parses it as it comes in: between pieces of it everything else gets its turn. */
export async function readFileData(path: string): Promise<FileData> {
  return parsedFile(path).catch((cause) => unreadable(path, cause));
}

async function parsedFile(path: string): Promise<FileData> {
  const { constants, open } = nodeModules()("node:fs/promises");
  // A pipe would be waited for until somebody writes to it, in a thread that nothing ends.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    checkRegular(await handle.stat());
    return (await parsedInPieces(handle)) ?? whole(await handle.readFile());
  } finally {
    await handle.close();
  }
}

/** How much is read and parsed without a break. */
const pieceBytes = 131_072;

/** Undefined for what has to be seen as a whole, if only for a complaint that tells the place. */
async function parsedInPieces(handle: FileHandle): Promise<FileData | undefined> {
  const { Buffer } = nodeModules()("node:buffer");
  const hash = nodeModules()("node:crypto").createHash("sha256");
  const buffer = Buffer.allocUnsafeSlow(pieceBytes);
  const parsing = parsedPiecewise();
  parsing.next();
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, pieceBytes, at);
    const piece = buffer.subarray(0, bytesRead);
    hash.update(piece);
    at += bytesRead;
    try {
      const step = parsing.next(piece);
      if (step.done === true) return { json: () => step.value, fingerprint: hash.digest("base64") };
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

function whole(bytes: Uint8Array): FileData {
  return {
    json: () => JSON.parse(utf8(bytes)),
    fingerprint: nodeModules()("node:crypto").createHash("sha256").update(bytes).digest("base64"),
  };
}

function utf8(bytes: Uint8Array): string {
  const { Buffer, isUtf8 } = nodeModules()("node:buffer");
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  const buffer = Buffer.from(bytes);
  const seen = buffer.toString("utf8");
  const isThereAsSuch = (place: number): boolean =>
    buffer.subarray(Buffer.byteLength(seen.slice(0, place))).indexOf("\ufffd") === 0;
  // The first letter that stands for no letter. All before it are right, so that their bytes can be counted.
  let place = seen.indexOf("\ufffd");
  while (isThereAsSuch(place)) place = seen.indexOf("\ufffd", place + 1);
  const line = seen.slice(0, place).split("\n").length;
  throw new CatalogueError("unreadable", `the text in line ${line} is no UTF-8: save it as UTF-8`);
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
  return fileStamp(stats, Date.now());
}

function nodeModules(): typeof process.getBuiltinModule {
  const builtin = builtinModules();
  if (builtin === undefined) throw new CatalogueError("unsupported", "this runtime has no file system");
  return builtin;
}

function unreadable(path: string, cause: unknown): never {
  if (cause instanceof CatalogueError) throw cause;
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
