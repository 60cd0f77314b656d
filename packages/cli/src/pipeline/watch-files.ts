import { type Stats, unwatchFile, watchFile } from "node:fs";
import { setTimeout as timer } from "node:timers/promises";
import { merged } from "../merged.js";

/** What is done again and again. */
export interface Watched {
  /** The files that are looked at: with patterns these are others when files come and go. */
  readonly list: () => Promise<readonly string[]>;
  readonly work: () => Promise<void>;
  /** Called when what is looked at is known. */
  readonly begun: () => void;
  readonly interrupted: AbortSignal;
}

const lookMs = 200;
const listMs = 500;
/** Looking for files in large folders takes its time: no more than this share of it. */
const mostListing = 0.1;

/** Works, and again whenever one of the files is changed, made or removed, until that is interrupted. */
export async function watchFiles({ list, work, begun, interrupted }: Watched): Promise<void> {
  let followed: readonly string[] = [];
  const onChange = (now: Stats, before: Stats) => {
    // Told at the start of a file that is not there, which nothing has changed.
    if (now.nlink === 0 && before.nlink === 0) return;
    last = pass();
  };
  const follow = (paths: readonly string[]) => {
    const [old, now] = [new Set(followed), new Set(paths)];
    for (const path of old) if (!now.has(path)) unwatchFile(path, onChange);
    for (const path of now) if (!old.has(path)) watchFile(path, { interval: lookMs }, onChange);
    followed = [...now];
  };
  // Of many files that change at once one pass sees all.
  const pass = merged(async () => {
    follow(await list());
    await work();
  });
  let last = pass();
  begun();
  while (!interrupted.aborted) {
    const start = performance.now();
    const isOther = !areSame(await list(), followed);
    if (isOther) last = pass();
    const pause = Math.max(listMs, (performance.now() - start) / mostListing);
    await timer(pause, undefined, { signal: interrupted }).catch(() => {});
  }
  await last;
  follow([]);
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  const known = new Set(others);
  return new Set(some).size === known.size && some.every((path) => known.has(path));
}
