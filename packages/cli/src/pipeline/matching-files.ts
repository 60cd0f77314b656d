import { lstat, realpath, type Stats, stat } from "node:fs";
import { type FileSystemAdapter, glob } from "tinyglobby";

/** What a pattern matches. A link that leads nowhere is among it: that it is not checked has to be told. */
export const matchingFiles = (pattern: string, cwd: string): Promise<string[]> =>
  glob(pattern, { cwd, dot: false, fs: seeingAllLinks });

// The walker asks in this form only, and not in the others that the functions of Node have.
const seeingAllLinks = {
  realpath: (path: string, done: (error: null, real: string) => void) =>
    realpath(path, (error, real) => done(null, error === null ? real : path)),
  stat: (path: string, done: (error: Error | null, found: Stats) => void) =>
    stat(path, (error, found) => (error === null ? done(null, found) : lstat(path, done))),
} as unknown as FileSystemAdapter;
