import { CatalogueError } from "../catalogue-error.js";
import { builtinModules } from "./builtin-modules.js";
import type { Logger } from "./logger.js";
import { silentLogger } from "./logger.js";
import {
  catalogueFromJson,
  type LoadReport,
  type MemoryCatalogue,
  type MemoryCatalogueOptions,
} from "./memory-catalogue.js";

/** Reads a catalogue from a JSON file, of any form that `catalogueFromJson` takes. Needs a file system. */
export async function readCatalogueFile(
  path: string,
  options?: MemoryCatalogueOptions,
): Promise<MemoryCatalogue> {
  const { text } = await readText(path);
  return load(text, path, options);
}

/** How a file is followed; what it is loaded with holds for every reload. */
export interface WatchCatalogueOptions extends MemoryCatalogueOptions {
  /** Reports reloads, and files that could not be used. Default: says nothing. */
  readonly logger?: Logger;
  /** Called after every reload that changed the catalogue. */
  readonly onReload?: (report: LoadReport) => void;
  /** Called when a changed file could not be used; the catalogue keeps its data. */
  readonly onError?: (error: CatalogueError) => void;
  /** How long the file has to be quiet before it is read, so that nobody reads half a file. Default: 100. */
  readonly settleMs?: number;
}

/** A catalogue that follows a file. */
export interface WatchedCatalogue {
  readonly catalogue: MemoryCatalogue;
  /** Stops watching; the catalogue stays as it is. */
  close(): void;
}

/**
 * Reads a catalogue from a JSON file and reads it anew whenever the file changes, also when another file is moved in
 * its place. Data that are broken, or of which no record is right, leave the catalogue as it was.
 */
export async function watchCatalogueFile(
  path: string,
  options: WatchCatalogueOptions = {},
): Promise<WatchedCatalogue> {
  const { logger = silentLogger, onReload, onError, settleMs = 100 } = options;
  const { watch, dirname } = fileSystem();
  let present = await readText(path);
  const catalogue = load(present.text, path, options);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  let reading: Promise<void> = Promise.resolve();

  /** Puts what is in the file in place; undefined when that is what was there already. */
  const reload = async (): Promise<LoadReport | undefined> => {
    const { stamp } = present;
    if (stamp === (await stampOf(path))) return undefined;
    const read = await readText(path);
    const changed = read.text !== present.text;
    // Remembered even if it turns out to be broken: the same broken file is reported once.
    present = read;
    return changed && !closed ? catalogue.replace(parse(read.text, path)) : undefined;
  };
  const follow = async (): Promise<void> => {
    const outcome = await reload().catch((error: unknown) => asCatalogueError(error, path));
    if (closed || outcome === undefined) return;
    if (outcome instanceof CatalogueError) {
      logger.error(`${outcome.message}; the present data stay`);
      onError?.(outcome);
    } else {
      logger.info(`${path}: reloaded, ${outcome.loaded} vehicles, ${outcome.problems.length} problems`);
      onReload?.(outcome);
    }
  };
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      reading = reading.then(follow, follow);
    }, settleMs);
    timer.unref();
  };
  // The folder is watched, not the file: editors and deployments put a new file in place of the old one.
  const watcher = watch(dirname(path), { persistent: false }, schedule);
  watcher.on("error", (error) => logger.error(`${path} is no longer watched: ${error.message}`));
  // The file may have changed between the first reading and the watching.
  schedule();
  return {
    catalogue,
    close() {
      closed = true;
      clearTimeout(timer);
      watcher.close();
    },
  };
}

function fileSystem(): typeof import("node:fs") & Pick<typeof import("node:path"), "dirname"> {
  const builtin = builtinModules();
  if (builtin === undefined) throw new CatalogueError("unsupported", "this runtime has no file system");
  return { ...builtin("node:fs"), dirname: builtin("node:path").dirname };
}

function load(text: string, path: string, options?: MemoryCatalogueOptions): MemoryCatalogue {
  try {
    return catalogueFromJson(parse(text, path), options);
  } catch (error) {
    throw asCatalogueError(error, path);
  }
}

interface FileContent {
  readonly text: string;
  /** Changes when the file does, and costs no reading. */
  readonly stamp: string;
}

async function readText(path: string): Promise<FileContent> {
  const { promises } = fileSystem();
  // The stamp comes first: a change in between makes the next look read the file again.
  const stamp = await stampOf(path);
  return { text: await promises.readFile(path, "utf8").catch((cause) => unreadable(path, cause)), stamp };
}

async function stampOf(path: string): Promise<string> {
  const { promises } = fileSystem();
  const { ino, size, mtimeMs } = await promises.stat(path).catch((cause) => unreadable(path, cause));
  return `${ino} ${size} ${mtimeMs}`;
}

function unreadable(path: string, cause: unknown): never {
  throw new CatalogueError("unreadable", `${path} cannot be read: ${messageOf(cause)}`, { cause });
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch (cause) {
    throw new CatalogueError("unreadable", `${path} is no JSON: ${messageOf(cause)}`, { cause });
  }
}

function asCatalogueError(error: unknown, path: string): CatalogueError {
  if (!(error instanceof CatalogueError)) {
    return new CatalogueError("unreadable", `${path}: ${messageOf(error)}`, { cause: error });
  }
  const { code, message, problems, cause } = error;
  return message.startsWith(path)
    ? error
    : new CatalogueError(code, `${path}: ${message}`, { cause, problems });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
