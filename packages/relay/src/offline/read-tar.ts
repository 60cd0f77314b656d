const blockBytes = 512;
const headEnd = Buffer.alloc(blockBytes);

/** What is read of a tar archive. */
export interface TarLimits {
  /** Which entries are kept; the others are passed over. */
  readonly isWanted: (name: string) => boolean;
  /** A kept entry with as many bytes, or more, makes the archive malformed. */
  readonly maxEntryBytes: number;
}

interface Head {
  readonly name: string;
  readonly size: number;
  readonly type: string;
}

/** Tells whether bytes begin as a tar archive does. */
export function beginsAsTar(bytes: Buffer): boolean {
  return bytes.length >= blockBytes && hasRightSum(bytes.subarray(0, blockBytes));
}

/**
 * Reads the regular files of a tar archive by name. Throws when it is cut off or malformed, has a name twice, or a name that
 * leads out of the archive.
 */
export async function readTar(
  chunks: AsyncIterable<Buffer>,
  { isWanted, maxEntryBytes }: TarLimits,
): Promise<Map<string, Buffer>> {
  const input = new ByteInput(chunks);
  const files = new Map<string, Buffer>();
  let renamed: string | undefined;
  for (;;) {
    const block = await input.take(blockBytes, "may end");
    if (block === undefined || block.equals(headEnd)) return files;
    const { name: plainName, size, type } = headFrom(block);
    if (type === "x" || type === "L") {
      // The name of the next entry, which is too long for its head.
      const text = (await takePadded(input, demandSmall(size))).toString("utf8");
      renamed = (type === "L" ? text.replace(/\0.*$/s, "") : paxPath(text)) ?? renamed;
      continue;
    }
    const name = tidyName(renamed ?? plainName);
    renamed = undefined;
    if (!isRegular(type) || !isWanted(name)) {
      await input.skip(padded(size));
      continue;
    }
    if (size >= maxEntryBytes)
      throw new Error(
        `it has a file ${JSON.stringify(name)} with ${size} bytes; the limit is ${maxEntryBytes}`,
      );
    if (files.has(name)) throw new Error(`it has the file ${JSON.stringify(name)} twice`);
    files.set(name, await takePadded(input, size));
  }
}

function isRegular(type: string): boolean {
  return type === "0" || type === "\0" || type === "7";
}

function demandSmall(size: number): number {
  if (size <= 1024 * 1024) return size;
  throw new Error("it has a name of more than a mebibyte");
}

/** A name that leads out of the archive is an attack, whatever would become of it here. */
function tidyName(name: string): string {
  const steps = name.split(/[/\\]/);
  if (steps.includes("..") || name.startsWith("/") || /^[a-z]:/i.test(name))
    throw new Error(`it has the file ${JSON.stringify(name)}, which would be outside of the archive`);
  return steps.filter((step) => step !== "." && step !== "").join("/");
}

function padded(size: number): number {
  return Math.ceil(size / blockBytes) * blockBytes;
}

async function takePadded(input: ByteInput, size: number): Promise<Buffer> {
  return (await input.take(padded(size))).subarray(0, size);
}

function headFrom(block: Buffer): Head {
  if (!hasRightSum(block)) throw new Error("it is not a tar archive, or is damaged");
  const prefix = block.toString("latin1", 257, 262) === "ustar" ? textAt(block, 345, 155) : "";
  const name = textAt(block, 0, 100);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    size: sizeFrom(block.subarray(124, 136)),
    type: String.fromCharCode(block[156] ?? 0),
  };
}

/** The sum of a head is made with blanks in place of itself. */
function hasRightSum(block: Buffer): boolean {
  const stated = Number.parseInt(textAt(block, 148, 8).trim(), 8);
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  return sum === stated;
}

function textAt(block: Buffer, start: number, length: number): string {
  return block.toString("utf8", start, start + length).replace(/\0.*$/s, "");
}

function sizeFrom(field: Buffer): number {
  // Sizes that need more than eleven octal digits are refused, as everything of eight gibibytes is.
  const text = field.toString("latin1").replace(/\0.*$/s, "").trim();
  if (/^[0-7]*$/.test(text)) return Number.parseInt(text || "0", 8);
  throw new Error("it has a file whose size cannot be read");
}

/** The path in the extended head of POSIX: lines of a length, a blank, a name, `=` and a value. */
function paxPath(text: string): string | undefined {
  return /^\d+ path=(.*)$/m.exec(text)?.[1];
}

/** Bytes that come in pieces. */
class ByteInput {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer>;
  async take(count: number, ending: "may end"): Promise<Buffer | undefined>;
  async take(count: number, ending?: "may end"): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      const piece = await this.#next(missing);
      if (piece === undefined && missing === count && ending !== undefined) return undefined;
      if (piece === undefined) throw new Error("it is cut off");
      pieces.push(piece);
      missing -= piece.length;
    }
    return Buffer.concat(pieces, count);
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) {
      const piece = await this.#next(left);
      if (piece === undefined) throw new Error("it is cut off");
      left -= piece.length;
    }
  }

  async #next(most: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done) return undefined;
      this.#rest = value;
    }
    const piece = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }
}
