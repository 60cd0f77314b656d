import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Item } from "@wye/flag-evaluator";
import { checkStoreOptions } from "./check-store-options.js";
import { type FlagFile, printFlagFile, readFlagFile } from "./flag-file.js";
import type { FlagStore, FlagStoreContext, FlagStoreFactory } from "./flag-store.js";
import { makeDirectory } from "./make-directory.js";
import { writeAtomically } from "./write-atomically.js";

/** Where flags are kept on disk. */
export interface FileStoreOptions {
  /**
   * The folder; it is made when it does not exist. Relays that share one should serve the same: each writes what it serves,
   * and the last one wins.
   */
  readonly directory: string;
}

/**
 * Keeps the last good flags of each environment in a file of their own, so that a relay that starts anew serves them at
 * once, whether upstream is there or not.
 */
export function fileStore(options: FileStoreOptions): FlagStoreFactory {
  checkStoreOptions(options, {
    caller: "fileStore",
    known: ["directory"],
    look({ directory: given }, report) {
      if (typeof given === "string" && given !== "" && !given.includes("\0")) return;
      report('directory must be a folder, as in fileStore({ directory: "/var/lib/relay" })');
    },
  });
  const { directory } = options;
  return (context) => createFileStore(directory, context);
}

function createFileStore(directory: string, context: FlagStoreContext): FlagStore {
  const name = fileNameOf(context);
  const path = join(directory, name);
  /** What the file has, by kind and key. */
  let kept: { readonly items: ReadonlyMap<string, Item>; readonly complete: boolean } | undefined;

  /** What was kept before, which is read once: nobody else writes here. */
  async function load(signal: AbortSignal) {
    kept ??= byKey(await readKept(signal));
    return kept;
  }

  async function readKept(signal: AbortSignal): Promise<FlagFile> {
    const nothing = { items: [], complete: false };
    const text = await readFile(path, { encoding: "utf8", signal }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    // They take room and harm nobody: a folder that cannot be written is read all the same.
    await removeLeftovers(directory, name).catch(() => {});
    if (text === undefined) return nothing;
    const found = readFlagFile(text);
    if (typeof found !== "string") return found;
    context.logger.error(`${path} is passed over, and will be replaced: ${found}`);
    return nothing;
  }

  async function write(file: FlagFile, signal: AbortSignal): Promise<void> {
    await makeDirectory(directory);
    await writeAtomically(path, printFlagFile(file), signal);
    kept = byKey(file);
  }

  return {
    async read(signal) {
      const { items, complete } = await load(signal);
      return complete ? [...items.values()] : undefined;
    },
    async replace(items, signal) {
      await write({ items, complete: true }, signal);
    },
    async upsert(some, signal) {
      const { items, complete } = await load(signal);
      const changed = new Map(items);
      const newer = some.flatMap((item) => {
        const before = items.get(placeOf(item));
        if (before !== undefined && before.version >= item.version) return [before];
        changed.set(placeOf(item), item);
        return [];
      });
      if (newer.length < some.length) await write({ items: [...changed.values()], complete }, signal);
      return newer;
    },
    async close() {},
  };
}

function byKey({ items, complete }: FlagFile) {
  return { items: new Map(items.map((item) => [placeOf(item), item])), complete };
}

function placeOf({ kind, key }: Item): string {
  return `${kind}/${key}`;
}

/** A name that people recognise, and that no other environment has, whatever a file system takes for equal. */
function fileNameOf({ environment, filter }: FlagStoreContext): string {
  const readable = environment
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 40);
  const digest = createHash("sha256")
    .update(JSON.stringify([environment, filter]))
    .digest("hex");
  return `${readable}-${digest.slice(0, 16)}.flags`;
}

/** What another relay, or the same one before it was added anew, is still writing is younger. */
const leftoverAgeMs = 600_000;

/** Removes what a relay that ended while it was writing has left. */
async function removeLeftovers(directory: string, name: string): Promise<void> {
  const names = await readdir(directory);
  const temporary = names.filter((one) => one.startsWith(`${name}.`) && one.endsWith(".tmp"));
  const remove = async (path: string) => {
    // The file system has a clock of its own, which is that of the machine.
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > leftoverAgeMs) await rm(path);
  };
  await Promise.all(temporary.map((one) => remove(join(directory, one))));
}
