import { lstat, realpath, type Stats, stat } from "node:fs";
import { type FileSystemAdapter, glob, isDynamicPattern } from "tinyglobby";

/** What a pattern matches, in order. A link that leads nowhere is among it: that it is not checked has to be told. A name that is no pattern has none. */
export async function matchingFiles(name: string, cwd: string): Promise<readonly string[] | undefined> {
  if (!isDynamicPattern(name)) return undefined;
  return (await glob(name, { cwd, dot: false, fs: seeingAllLinks })).sort();
}

// The walker asks in this form only, and not in the others that the functions of Node have.
const seeingAllLinks = {
  realpath: (path: string, done: (error: null, real: string) => void) =>
    realpath(path, (error, real) => done(null, error === null ? real : path)),
  stat: (path: string, done: (error: Error | null, found: Stats) => void) =>
    stat(path, (error, found) => (error === null ? done(null, found) : lstat(path, done))),
} as unknown as FileSystemAdapter;
