import { builtinModules } from "./builtin-modules.js";

/** The bytes that JSON is built from. */
export const marks = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  open: 0x5b,
  backslash: 0x5c,
  close: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/**
 * What has come of a JSON text and was not taken yet. It is looked through once, however it is cut: what looks for something
 * says false until that is there, and goes on from where it was when more has come.
 */
export class ByteWindow {
  readonly #isUtf8 = nodeBuffers().isUtf8;
  #room = allocated(65_536);
  /** The part of it that is filled. */
  #bytes = this.#room.subarray(0, 0);
  /** The first byte that was not taken, and the next one to look at. */
  #from = 0;
  #at = 0;
  #isAll = false;
  /** How many brackets and braces are open, and whether a text is. */
  #depth = 0;
  #isInText = false;

  /** What has come next; nothing, when there is no more. */
  add(piece: Uint8Array): void {
    if (piece.length === 0) this.#isAll = true;
    if (this.#bytes.length + piece.length > this.#room.length) this.#makeRoom(piece.length);
    const { length: kept } = this.#bytes;
    this.#room.set(piece, kept);
    this.#bytes = this.#room.subarray(0, kept + piece.length);
  }

  /** Puts what was not taken at the start. */
  #makeRoom(length: number): void {
    const kept = this.#bytes.subarray(this.#from);
    // Twice the room, so that a long value is not moved for every piece of it.
    if (2 * (kept.length + length) > this.#room.length) this.#room = allocated(4 * (kept.length + length));
    this.#room.set(kept);
    this.#bytes = this.#room.subarray(0, kept.length);
    this.#at -= this.#from;
    this.#from = 0;
  }

  /** The next byte. */
  get mark(): number | undefined {
    return this.#bytes[this.#at];
  }

  /** Leaves the next byte out, which has to be this one. */
  skip(mark: number): void {
    if (this.mark !== mark) throw new SyntaxError(`Expected ${String.fromCharCode(mark)}`);
    this.#from = ++this.#at;
  }

  /** Takes everything up to the next byte. */
  taken(): string {
    const text = this.seen();
    this.#from = this.#at;
    return text;
  }

  /** The same, without taking it. */
  seen(): string {
    // What is no UTF-8 would come out with other letters in its place.
    if (!this.#isUtf8(this.#room.subarray(this.#from, this.#at))) throw new SyntaxError("This is no UTF-8");
    return this.#room.toString("utf8", this.#from, this.#at);
  }

  /** Goes back to where what was not taken begins. */
  back(): void {
    this.#at = this.#from;
  }

  /** Goes to the next byte that is no blank. */
  atMark(): boolean {
    return this.atEnd() || this.mark !== undefined;
  }

  /** Goes over blanks to the end of everything. */
  atEnd(): boolean {
    while (isBlank(this.mark)) this.#at++;
    this.#from = this.#at;
    return this.mark === undefined && this.#isAll;
  }

  /** Whether these bytes are there; goes to the second of them. Only at the beginning of a value. */
  atBytes(bytes: Uint8Array): boolean {
    if (this.#at > this.#from) return false;
    const found = this.#bytes.indexOf(bytes, this.#at);
    if (found >= 0) this.#at = found + 1;
    return found >= 0;
  }

  /** Goes to the comma, the bracket or the brace behind a value. */
  atBorder(): boolean {
    const bytes = this.#bytes;
    let [at, depth] = [this.#at, this.#depth];
    while (at < bytes.length) {
      const byte = this.#isInText ? marks.quote : bytes[at];
      if (byte === marks.quote) {
        at = this.#behindText(this.#isInText ? at : at + 1);
      } else if (byte === marks.open || byte === marks.openObject) {
        depth++;
        at++;
      } else if (
        depth === 0 &&
        (byte === marks.comma || byte === marks.close || byte === marks.closeObject)
      ) {
        break;
      } else {
        if (byte === marks.close || byte === marks.closeObject) depth--;
        at++;
      }
    }
    [this.#at, this.#depth] = [at, depth];
    return at < bytes.length || this.#nothingMore();
  }

  /** Goes behind the quote that ends a text. */
  atEndOfText(): boolean {
    this.#at = this.#behindText(this.#at);
    return !this.#isInText || this.#nothingMore();
  }

  #behindText(start: number): number {
    const bytes = this.#bytes;
    for (let at = bytes.indexOf(marks.quote, start); at >= 0; at = bytes.indexOf(marks.quote, at + 1)) {
      let first = at;
      while (bytes[first - 1] === marks.backslash) first--;
      this.#isInText = (at - first) % 2 === 1;
      if (!this.#isInText) return at + 1;
    }
    this.#isInText = true;
    return bytes.length;
  }

  #nothingMore(): false {
    if (this.#isAll) throw new SyntaxError("Unexpected end of JSON");
    return false;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function allocated(length: number): Buffer {
  return nodeBuffers().Buffer.allocUnsafeSlow(length);
}

function nodeBuffers(): typeof import("node:buffer") {
  const node = builtinModules()?.("node:buffer");
  if (node === undefined) throw new TypeError("Files are only read where there are buffers.");
  return node;
}
