import { compress } from "./gen/sha1-block.js";

/** The last bytes of a message and the bit that ends it, as big-endian words. */
export interface HashSuffix {
  readonly words: readonly number[];
  /** In bytes. */
  readonly length: number;
}

const BLOCK_BYTES = 64;
const BLOCK_WORDS = 16;
/** The last two words of a message are its length in bits. */
const LENGTH_AT = 14;
const INITIAL: readonly number[] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476, 0xc3d2e1f0 | 0];

// A hash is computed in one go, so all of them share this working space.
const state = new Int32Array(5);
const block = new Int32Array(BLOCK_WORDS);

/**
 * Takes in the first part of messages. The result is a run of numbers to be kept among others: the length in bytes, the words behind the last whole block, the last one filled up with zeros;
 * then, only if there was a whole block, the five chaining values.
 */
export function hashPrefix(text: string): readonly number[] {
  const bytes = byteString(text);
  const words = wordsOf(bytes);
  const whole = Math.floor(bytes.length / BLOCK_BYTES) * BLOCK_WORDS;
  state.set(INITIAL);
  for (let at = 0; at < whole; at += BLOCK_WORDS) {
    block.set(words.slice(at, at + BLOCK_WORDS));
    compress(state, block);
  }
  return [bytes.length, ...words.slice(whole), ...(whole > 0 ? state : [])];
}

/** Makes ready the last part of messages. */
export function hashSuffix(text: string): HashSuffix {
  const bytes = byteString(text);
  const words = wordsOf(bytes);
  const rest = bytes.length & 3;
  const end = 0x80 << (24 - 8 * rest);
  if (rest === 0) words.push(end);
  else words.push((words.pop() ?? 0) | end);
  return { words, length: bytes.length };
}

/**
 * The first 60 bits of the SHA-1 of a prefix, which begins at that place of `code`, and a suffix; rounded to a double as
 * the official SDKs do.
 */
export function hash60(code: Int32Array, place: number, suffix: HashSuffix): number {
  const length = code[place] ?? 0;
  const total = length + suffix.length;
  let at = fill(code, place + 1, length, suffix.words);
  if (at > LENGTH_AT) {
    while (at < BLOCK_WORDS) block[at++] = 0;
    compress(state, block);
    at = 0;
  }
  while (at < LENGTH_AT) block[at++] = 0;
  block[LENGTH_AT] = Math.floor(total / 2 ** 29);
  block[LENGTH_AT + 1] = total << 3;
  compress(state, block);
  return ((state[0] ?? 0) >>> 0) * 2 ** 28 + ((state[1] ?? 0) >>> 4);
}

/** Writes the message into blocks and takes in those that are full and not the last. Returns where its words end. */
function fill(code: Int32Array, place: number, length: number, more: readonly number[]): number {
  const bytes = length % BLOCK_BYTES;
  if (length < BLOCK_BYTES) for (let i = 0; i < 5; i++) state[i] = INITIAL[i] ?? 0;
  else for (let i = 0; i < 5; i++) state[i] = code[place + ((bytes + 3) >> 2) + i] ?? 0;
  let at = bytes >> 2;
  for (let i = 0; i < at; i++) block[i] = code[place + i] ?? 0;
  // The suffix begins within a word: what is shifted out of one of its words goes into the next.
  const shift = (length & 3) * 8;
  let carry = shift === 0 ? 0 : (code[place + at] ?? 0);
  for (let i = 0; i < more.length; i++) {
    const word = more[i] ?? 0;
    at = put(at, carry | (word >>> shift));
    carry = shift === 0 ? 0 : word << (32 - shift);
  }
  return carry === 0 ? at : put(at, carry);
}

function put(at: number, word: number): number {
  if (at < BLOCK_WORDS) {
    block[at] = word;
    return at + 1;
  }
  compress(state, block);
  block[0] = word;
  return 1;
}

function wordsOf(bytes: string): number[] {
  const words: number[] = [];
  const { length } = bytes;
  const whole = length & ~3;
  for (let i = 0; i < whole; i += 4) {
    words.push(
      (bytes.charCodeAt(i) << 24) |
        (bytes.charCodeAt(i + 1) << 16) |
        (bytes.charCodeAt(i + 2) << 8) |
        bytes.charCodeAt(i + 3),
    );
  }
  if (whole < length) {
    let word = 0;
    for (let i = whole; i < length; i++) word = (word << 8) | bytes.charCodeAt(i);
    words.push(word << (32 - 8 * (length & 3)));
  }
  return words;
}

/** The UTF-8 bytes of a text as a string with one character per byte. */
function byteString(text: string): string {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) {
      return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
    }
  }
  return text;
}
