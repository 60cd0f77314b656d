import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Item } from "@wye/flag-evaluator";
import { ChangeLog } from "./change-log.js";
import { checkStoreOptions } from "./check-store-options.js";
import { placeOf } from "./compare-contents.js";
import { type FlagOwner, printFlagFile, readFlagFile, readOwner, withOwner } from "./flag-file.js";
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
  let owners: Promise<KeyOwners> | undefined;
  return (context) => {
    // Read once for all environments that begin together: there may be as many as files.
    owners = undefined;
    return createFileStore(directory, context, () => {
      owners ??= readOwners(directory);
      return owners;
    });
  };
}

/** Changes are written beside the file until they take as much as it, and at least so much. */
const smallLogBytes = 1024 * 1024;

/** What a file and the changes beside it have. */
interface Kept {
  readonly items: Map<string, Item>;
  readonly complete: boolean;
  /** The file as this process has left or found it; `undefined` when it has to be written anew. */
  readonly file: { readonly digest: string; readonly ino: number; readonly size: number } | undefined;
}

/** Names of environments by the digests of the keys with which their flags were asked for. */
type KeyOwners = ReadonlyMap<string, ReadonlySet<string>>;

function createFileStore(
  directory: string,
  context: FlagStoreContext,
  owners: () => Promise<KeyOwners>,
): FlagStore {
  const name = fileNameOf(context);
  const path = join(directory, name);
  const log = new ChangeLog(`${path}.changes`);
  let kept: Kept | undefined;
  /** Keys that are known to open something else than that of now. */
  let notKeys: readonly string[] = [];
  const owner = (): FlagOwner | undefined => ownerFrom(context, notKeys);

  /** What was kept before, which is read once. */
  async function load(signal: AbortSignal): Promise<Kept> {
    kept ??= await readKept(signal);
    return kept;
  }

  async function readKept(signal: AbortSignal): Promise<Kept> {
    const nothing = { items: new Map(), complete: false, file: undefined };
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
    const { complete, digest, envId = context.envId } = found;
    if (envId !== (context.envId ?? envId)) {
      passOver(`it has the flags of the environment with the ID ${JSON.stringify(envId)}`);
      return nothing;
    }
    const mine = owner();
    const reason = await strangerIn(found.owner, mine, owners);
    if (reason !== undefined && mine !== undefined && found.owner !== undefined) {
      passOver(reason);
      notKeys = [found.owner.key, ...found.owner.notKeys]
        .filter((key) => key !== mine.key)
        .slice(0, mostNotKeys);
      const known = [mine.key, ...found.owner.notKeys.filter((key) => key !== mine.key)];
      // A folder that cannot be written is read all the same.
      await mark(text, { ...found.owner, notKeys: known.slice(0, mostNotKeys) }, signal).catch(() => {});
      return nothing;
    }
    notKeys = found.owner?.notKeys ?? [];
    const items = new Map(found.items.map((item) => [placeOf(item), item]));
    takeNewer(items, await log.read(digest, signal));
    const { ino, size } = await stat(path);
    return { items, complete, file: { digest, ino, size } };
  }

  function passOver(reason: string): void {
    context.logger.error(`${path} is passed over, and will be replaced: ${reason}`);
  }

  /** Says in the file that it is of another key: nothing else may say so any more once that key's own file is written. */
  async function mark(text: string, found: FlagOwner, signal: AbortSignal): Promise<void> {
    // Somebody else may have replaced it meanwhile.
    if ((await readFile(path, { encoding: "utf8", signal })) === text)
      await writeAtomically(path, [Buffer.from(withOwner(text, found))], signal);
  }

  async function write(items: Map<string, Item>, complete: boolean, signal: AbortSignal): Promise<void> {
    await makeDirectory(directory);
    const { pieces, digest } = await printFlagFile({
      items: [...items.values()],
      complete,
      envId: context.envId,
      owner: owner(),
    });
    const { ino, size } = await writeAtomically(path, pieces, signal);
    kept = { items, complete, file: undefined };
    // What stands there follows on the file that was replaced, and is not read any more.
    await log.clear();
    kept = { items, complete, file: { digest, ino, size } };
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
    async close() {},
  };
}

function isNewer(item: Item, items: ReadonlyMap<string, Item>): boolean {
  return item.version > (items.get(placeOf(item))?.version ?? Number.NEGATIVE_INFINITY);
}

function takeNewer(items: Map<string, Item>, some: readonly Item[]): void {
  for (const item of some) if (isNewer(item, items)) items.set(placeOf(item), item);
}

function ownerFrom(
  { environment, filter, keyDigest }: FlagStoreContext,
  notKeys: readonly string[],
): FlagOwner | undefined {
  if (keyDigest === undefined) return undefined;
  const withoutFilter = filter === undefined ? environment : environment.slice(0, -filter.length - 1);
  const key = keyDigest();
  return { environment: withoutFilter, key, notKeys: notKeys.filter((one) => one !== key) };
}

/** How many keys are kept beside flags of which these are not. */
const mostNotKeys = 10;

/**
 * Why a file cannot be used, if it has another one's flags. Another key than the one that asked for them may be a new one of the same environment,
 * unless it is, or was, the key of another environment of the folder.
 */
async function strangerIn(
  found: FlagOwner | undefined,
  mine: FlagOwner | undefined,
  owners: () => Promise<KeyOwners>,
): Promise<string | undefined> {
  if (mine === undefined || found === undefined || found.key === mine.key) return undefined;
  if (found.notKeys.includes(mine.key)) return "it has the flags of another SDK key, as was found before";
  const known = await owners();
  const other = [...(known.get(mine.key) ?? [])].find((name) => name !== mine.environment);
  if (other === undefined) return undefined;
  return `it has the flags of another SDK key, and this one was that of ${JSON.stringify(other)}`;
}

async function readOwners(directory: string): Promise<KeyOwners> {
  const owners = new Map<string, Set<string>>();
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    // To open what is no file may take for ever.
    if (!entry.isFile() || !entry.name.endsWith(extension)) continue;
    const owner = await readOwner(join(directory, entry.name)).catch(() => undefined);
    if (owner !== undefined)
      owners.set(owner.key, (owners.get(owner.key) ?? new Set()).add(owner.environment));
  }
  return owners;
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
