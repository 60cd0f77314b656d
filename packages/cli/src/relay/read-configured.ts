import { constants, createReadStream, fstat, open } from "node:fs";
import { Socket } from "node:net";
import { promisify } from "node:util";
import { readAtMost } from "../read-at-most.js";

/** What somebody may take to write into a pipe. */
const pipeMs = 5000;
/** Far beyond any configuration, certificate or token, and quick to read. */
const largestFile = 4 * 1024 * 1024;

/**
 * Reads a file, or what is being written into a pipe. Throws when that is larger than 4 MiB. Nobody may ever write into a pipe:
 * opening it the usual way would then wait for good, and keep the process from ending.
 */
export async function readConfigured(path: string): Promise<Uint8Array> {
  const fd = await promisify(open)(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const isPipe = (await promisify(fstat)(fd)).isFIFO();
  const bytes = await (isPipe ? readPipe(fd) : readAtMost(createReadStream("", { fd }), largestFile));
  if (bytes === undefined) throw new Error("it is larger than 4 MiB");
  return bytes;
}

/** As `readConfigured`; gives text. */
export async function readConfiguredText(path: string): Promise<string> {
  return new TextDecoder().decode(await readConfigured(path));
}

async function readPipe(fd: number): Promise<Uint8Array | undefined> {
  const pipe = new Socket({ fd, readable: true, writable: false });
  const late = new Error(`it is a pipe, and nobody has written to its end within ${pipeMs / 1000} s`);
  const timer = setTimeout(() => pipe.destroy(late), pipeMs);
  try {
    return await readAtMost(pipe, largestFile);
  } finally {
    clearTimeout(timer);
  }
}
