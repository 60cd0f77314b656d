import { checkArguments } from "./check-arguments.js";

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const roundConstants = /* @__PURE__ */ new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);

/** The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
const initialState = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

const blockSize = 64;
const encoder = /* @__PURE__ */ new TextEncoder();

// A hash is computed in one go, so that all of them share this working space.
const words = /* @__PURE__ */ new Int32Array(64);

/** The SHA-256 of texts that begin alike: what they begin with is looked at once. */
export class Sha256Prefix {
  readonly #state = new Int32Array(initialState);
  /** The bytes of the prefix that fill no block. */
  readonly #rest: Uint8Array;
  readonly #length: number;

  constructor(prefix: string) {
    checkArguments("Sha256Prefix", "text", { prefix });
    const bytes = encoder.encode(prefix);
    const whole = bytes.length - (bytes.length % blockSize);
    compressAll(this.#state, bytes.subarray(0, whole));
    this.#rest = bytes.slice(whole);
    this.#length = bytes.length;
  }

  /** The SHA-256 of the prefix and what follows, in lower-case hexadecimal. */
  digest(text: string): string {
    const bytes = encoder.encode(text);
    const state = this.#state.slice();
    compressAll(state, padded(this.#rest, bytes, this.#length + bytes.length));
    let digest = "";
    for (const word of state) digest += (word >>> 0).toString(16).padStart(8, "0");
    return digest;
  }
}

const unprefixed = /* @__PURE__ */ new Sha256Prefix("");

/** SHA-256 of a text in UTF-8, in lower-case hexadecimal. Synchronous and without a platform: keys are short. */
export function sha256(text: string): string {
  checkArguments("sha256", "text", { text });
  return unprefixed.digest(text);
}

/** Takes in bytes that fill whole blocks. */
function compressAll(state: Int32Array, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let offset = 0; offset < bytes.length; offset += blockSize) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(offset + i * 4);
    extend();
    compress(state);
  }
}

/** The last bytes of a message, a one bit, zeros, and the number of bits of all of it in the last eight bytes of a block. */
function padded(rest: Uint8Array, bytes: Uint8Array, length: number): Uint8Array {
  const end = rest.length + bytes.length;
  const result = new Uint8Array(Math.ceil((end + 9) / blockSize) * blockSize);
  result.set(rest);
  result.set(bytes, rest.length);
  result[end] = 0x80;
  const view = new DataView(result.buffer);
  view.setUint32(result.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(result.length - 4, length << 3);
  return result;
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
const at = (numbers: Int32Array, i: number): number => numbers[i] ?? 0;

/** From 16 words to 64. */
function extend(): void {
  for (let i = 16; i < 64; i++) {
    const early = at(words, i - 15);
    const late = at(words, i - 2);
    const a = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const b = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[i] = (at(words, i - 16) + a + at(words, i - 7) + b) | 0;
  }
}

function compress(state: Int32Array): void {
  let a = at(state, 0);
  let b = at(state, 1);
  let c = at(state, 2);
  let d = at(state, 3);
  let e = at(state, 4);
  let f = at(state, 5);
  let g = at(state, 6);
  let h = at(state, 7);
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + s1 + choice + at(roundConstants, i) + at(words, i)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + s0 + majority) | 0;
  }
  state[0] = at(state, 0) + a;
  state[1] = at(state, 1) + b;
  state[2] = at(state, 2) + c;
  state[3] = at(state, 3) + d;
  state[4] = at(state, 4) + e;
  state[5] = at(state, 5) + f;
  state[6] = at(state, 6) + g;
  state[7] = at(state, 7) + h;
}
