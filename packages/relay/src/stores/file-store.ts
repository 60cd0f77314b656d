import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Item } from "@wye/flag-evaluator";
import { ChangeLog } from "./change-log.js";
import { checkStoreOptions } from "./check-store-options.js";
import { placeOf } from "./compare-contents.js";
import { type FlagFile, printFlagFile, readFlagFile } from "./flag-file.js";
import type { FlagStore, FlagStoreContext, FlagStoreFactory } from "./flag-store.js";
import { makeDirectory } from "./make-directory.js";
import { writeAtomically } from "./write-atomically.js";

/** Where flags are kept on disk. */
export interface FileStoreOptions {
  /**
   * The folder; it is made when it does not exist. It belongs to one relay: of several that share it each writes what it serves, and the
   * last one wins.
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

/** Changes are written beside the file until they take as much as it, and at least so much. */
const smallLogBytes = 1024 * 1024;

/** What a file and the changes beside it have. */
interface Kept {
  readonly items: Map<string, Item>;
  readonly complete: boolean;
  /** The digests of the SDK keys that stand in the file. */
  readonly keys: readonly string[] | undefined;
  /** The file as this process has left or found it; `undefined` when it has to be written anew. */
  readonly file: { readonly digest: string; readonly ino: number; readonly size: number } | undefined;
}

function createFileStore(directory: string, context: FlagStoreContext): FlagStore {
  const name = fileNameOf(context);
  const path = join(directory, name);
  const log = new ChangeLog(`${path}.changes`);
  // What is kept was written for those: others that come later open the same.
  const keysAtFirst = context.keyDigests?.();
  let kept: Kept | undefined;
  if (context.isStale === true) removeNow(path);

  /** What was kept before, which is read once. */
  async function load(signal: AbortSignal): Promise<Kept> {
    kept ??= await readKept(signal);
    return kept;
  }

  async function readKept(signal: AbortSignal): Promise<Kept> {
    const nothing = { items: new Map(), complete: false, keys: undefined, file: undefined };
    if (context.isStale === true) {
      // Who had the name before may have written since.
      await rm(path, { force: true });
      return nothing;
    }
    const text = await readFile(path, { encoding: "utf8", signal }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    // They take room and harm nobody: a folder that cannot be written is read all the same.
    await removeLeftovers(directory, name).catch(() => {});
    if (text === undefined) return nothing;
    const found = await readFlagFile(text);
    if (typeof found === "string") {
      passOver(found);
      return nothing;
    }
    const { complete, digest, envId, keys } = found;
    const reason = strangerIn({ envId: context.envId, keys: keysAtFirst }, { envId, keys });
    if (reason !== undefined) {
      passOver(reason);
      return nothing;
    }
    const items = new Map(found.items.map((item) => [placeOf(item), item]));
    takeNewer(items, await log.read(digest, signal));
    const { ino, size } = await stat(path);
    return { items, complete, keys, file: { digest, ino, size } };
  }

  function passOver(reason: string): void {
    context.logger.error(`${path} is passed over, and will be replaced: ${reason}`);
  }

  async function write(items: Map<string, Item>, complete: boolean, signal: AbortSignal): Promise<void> {
    await makeDirectory(directory);
    const keys = context.keyDigests?.();
    const { pieces, digest } = await printFlagFile({
      items: [...items.values()],
      complete,
      envId: context.envId,
      keys,
    });
    const { ino, size } = await writeAtomically(path, pieces, signal);
    kept = { items, complete, keys, file: undefined };
    // What stands there follows on the file that was replaced, and is not read any more.
    await log.clear();
    kept = { items, complete, keys, file: { digest, ino, size } };
  }

  /** Adds to the changes; gives false when the file has to be written anew. */
  async function note(newer: readonly Item[], { file }: Kept, signal: AbortSignal): Promise<boolean> {
    if (file === undefined || log.size > Math.max(smallLogBytes, file.size)) return false;
    const present = await stat(path).catch(() => undefined);
    if (present?.ino !== file.ino || present.size !== file.size) return false;
    return log.add(newer, file.digest, signal);
  }

  return {
    async read(signal) {
      const { items, complete } = await load(signal);
      return complete ? [...items.values()] : undefined;
    },
    async replace(items, signal) {
      await write(new Map(items.map((item) => [placeOf(item), item])), true, signal);
    },
    async upsert(some, signal) {
      const present = await load(signal);
      const newer = some.filter((item) => isNewer(item, present.items));
      const kept = some.flatMap((item) =>
        isNewer(item, present.items) ? [] : (present.items.get(placeOf(item)) ?? []),
      );
      if (newer.length > 0 && !(await note(newer, present, signal))) {
        const items = new Map(present.items);
        takeNewer(items, newer);
        await write(items, present.complete, signal);
      }
      takeNewer(present.items, newer);
      return kept;
    },
    async noteKeys(signal) {
      const { items, complete, keys } = await load(signal);
      const isMarked = String(keys) === String(context.keyDigests?.());
      if (!isMarked && (complete || items.size > 0)) await write(items, complete, signal);
    },
    async close() {},
  };
}

function isNewer(item: Item, items: ReadonlyMap<string, Item>): boolean {
  return item.version > (items.get(placeOf(item))?.version ?? Number.NEGATIVE_INFINITY);
}

function takeNewer(items: Map<string, Item>, some: readonly Item[]): void {
  for (const item of some) if (isNewer(item, items)) items.set(placeOf(item), item);
}

/** Whose flags are kept. */
type Owner = Pick<FlagFile, "envId" | "keys">;

/** Why a file cannot be used, if it has the flags of somebody else. */
function strangerIn(own: Owner, found: Owner): string | undefined {
  if ((found.envId ?? own.envId) !== (own.envId ?? found.envId))
    return `it has the flags of the environment with the ID ${JSON.stringify(found.envId)}`;
  const { keys } = found;
  if (keys === undefined || own.keys === undefined || own.keys.some((key) => keys.includes(key)))
    return undefined;
  return "it has the flags of another SDK key; if that was replaced, list it among furtherSdkKeys for a while";
}

const extension = ".flags";

/** A name that people recognise, and that no other environment has, whatever a file system takes for equal. */
function fileNameOf({ environment, filter }: FlagStoreContext): string {
  const readable = environment
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 40);
  const digest = createHash("sha256")
    .update(JSON.stringify([environment, filter]))
    .digest("hex");
  return `${readable}-${digest.slice(0, 16)}${extension}`;
}

/** At once: the process may end in the next turn. What cannot be removed fails when it is read, which is told. */
function removeNow(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

/** What another relay, or the same one before it was added anew, is still writing is younger: nothing is written for so long. */
const leftoverAgeMs = 60_000;

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
