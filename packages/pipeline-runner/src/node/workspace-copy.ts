import { constants, createReadStream, createWriteStream, type Stats } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readlink, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { RuntimeArtifact } from "@wye/pipeline-spec";
import { isBelow, localPath } from "./local-path.js";
import { removeAll } from "./remove-all.js";
import { safeName } from "./safe-name.js";

/** For which importer something is copied, and where tasks find it. */
export interface CopyContext {
  readonly task: string;
  readonly workspace: string;
  readonly signal: AbortSignal;
}

/**
 * An artifact that is meant for the workspace, with the path of a copy there, which tasks may change. Its URI stays that of what was imported.
 * What is in the workspace already stays where it is.
 */
export async function copyToWorkspace(
  artifact: RuntimeArtifact,
  source: string,
  { task, workspace, signal }: CopyContext,
): Promise<RuntimeArtifact> {
  if (isBelow(source, workspace)) return artifact;
  const folder = join(workspace, ".artifacts", "importer", safeName(task));
  const customPath = join(folder, nameOf(artifact, source));
  // An attempt before may have left a part of it.
  await removeAll(folder);
  await mkdir(folder, { recursive: true });
  try {
    await copy(Buffer.from(source), Buffer.from(customPath), {
      signal,
      around: [identityOf(await stat(folder))],
    });
  } catch (error) {
    await removeAll(folder);
    throw error;
  }
  return { ...artifact, customPath };
}

/** What a copy is called: what the artifact is called where it is. */
function nameOf({ uri }: RuntimeArtifact, source: string): string {
  const elsewhere = localPath(uri) === undefined ? basename(uri) : "";
  return elsewhere === "" ? basename(resolve(source)) || "root" : safeName(elsewhere);
}

interface Way {
  readonly signal: AbortSignal;
  /** The folders that are being copied, and the one that they are copied to: what is in itself has no end. */
  readonly around: readonly string[];
}

/** Links become what they lead to: nothing that is written to the copy reaches what was copied. */
async function copy(source: Buffer, target: Buffer, { signal, around }: Way): Promise<void> {
  signal.throwIfAborted();
  const found = await stat(source).catch(async (error: unknown) => {
    const leadsTo = await readlink(source, { encoding: "buffer" }).catch(() => undefined);
    if (leadsTo === undefined) throw error;
    throw new Error(`${source} is a link to what is not there, ${leadsTo}: it cannot be copied`, {
      cause: error,
    });
  });
  if (found.isDirectory()) {
    const own = identityOf(found);
    if (around.includes(own)) throw new Error(`${source} is inside of itself: it cannot be copied`);
    await mkdir(target);
    // Names are bytes, whatever they mean.
    for (const name of await readdir(source, { encoding: "buffer" }))
      await copy(inside(source, name), inside(target, name), { signal, around: [...around, own] });
  } else if (found.isFile()) {
    await copyFileTo(source, target, found, signal);
  } else {
    throw new Error(`${source} is neither a file nor a folder: it cannot be copied`);
  }
}

const inside = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from("/"), name]);

/** What is copied in one go: a larger copy can be told to end. */
const smallBytes = 2 ** 20;

/** Shares the blocks of a file where the file system can. Whatever it was, the copy can be written. */
async function copyFileTo(source: Buffer, target: Buffer, found: Stats, signal: AbortSignal): Promise<void> {
  if (found.size <= smallBytes) await copyFile(source, target, constants.COPYFILE_FICLONE);
  else await copyLarge(source, target, signal);
  await chmod(target, found.mode | 0o600);
}

async function copyLarge(source: Buffer, target: Buffer, signal: AbortSignal): Promise<void> {
  try {
    await copyFile(source, target, constants.COPYFILE_FICLONE_FORCE);
  } catch {
    await pipeline(createReadStream(source, { highWaterMark: smallBytes }), createWriteStream(target), {
      signal,
    });
  }
}

const identityOf = ({ dev, ino }: Stats): string => `${dev} ${ino}`;
