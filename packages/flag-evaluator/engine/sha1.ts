import { BLOCKS, CHAIN, SCHEDULE } from "./layout";

function rotated(x: v128, bits: i32): v128 {
  return v128.or(i32x4.shl(x, bits), i32x4.shr_u(x, 32 - bits));
}

function sum(x: v128, mixed: v128, e: v128, k: v128, word: usize): v128 {
  return i32x4.add(i32x4.add(rotated(x, 5), mixed), i32x4.add(i32x4.add(e, k), v128.load(word)));
}

function choice(b: v128, c: v128, d: v128): v128 {
  return v128.bitselect(c, d, b);
}

function parity(b: v128, c: v128, d: v128): v128 {
  return v128.xor(v128.xor(b, c), d);
}

function majority(b: v128, c: v128, d: v128): v128 {
  return v128.bitselect(v128.or(c, d), v128.and(c, d), b);
}

/** Takes a block each of four messages into their chaining values: all words of one, lane by lane, then all of the next. */
export function compress(block: usize): void {
  let w = SCHEDULE;
  memory.copy(w, block, 256);
  for (let t = w + 256; t < SCHEDULE + 1280; t += 16) {
    const mixed = v128.xor(
      v128.xor(v128.load(t - 48), v128.load(t - 128)),
      v128.xor(v128.load(t - 224), v128.load(t - 256)),
    );
    v128.store(t, rotated(mixed, 1));
  }
  let a = v128.load(CHAIN);
  let b = v128.load(CHAIN, 16);
  let c = v128.load(CHAIN, 32);
  let d = v128.load(CHAIN, 48);
  let e = v128.load(CHAIN, 64);
  // Five rounds at a time: instead of moving values along, rounds take turns with the names.
  let k = i32x4.splat(0x5a827999);
  for (; w < SCHEDULE + 320; w += 80) {
    e = sum(a, choice(b, c, d), e, k, w);
    b = rotated(b, 30);
    d = sum(e, choice(a, b, c), d, k, w + 16);
    a = rotated(a, 30);
    c = sum(d, choice(e, a, b), c, k, w + 32);
    e = rotated(e, 30);
    b = sum(c, choice(d, e, a), b, k, w + 48);
    d = rotated(d, 30);
    a = sum(b, choice(c, d, e), a, k, w + 64);
    c = rotated(c, 30);
  }
  k = i32x4.splat(0x6ed9eba1);
  for (; w < SCHEDULE + 640; w += 80) {
    e = sum(a, parity(b, c, d), e, k, w);
    b = rotated(b, 30);
    d = sum(e, parity(a, b, c), d, k, w + 16);
    a = rotated(a, 30);
    c = sum(d, parity(e, a, b), c, k, w + 32);
    e = rotated(e, 30);
    b = sum(c, parity(d, e, a), b, k, w + 48);
    d = rotated(d, 30);
    a = sum(b, parity(c, d, e), a, k, w + 64);
    c = rotated(c, 30);
  }
  k = i32x4.splat(0x8f1bbcdc);
  for (; w < SCHEDULE + 960; w += 80) {
    e = sum(a, majority(b, c, d), e, k, w);
    b = rotated(b, 30);
    d = sum(e, majority(a, b, c), d, k, w + 16);
    a = rotated(a, 30);
    c = sum(d, majority(e, a, b), c, k, w + 32);
    e = rotated(e, 30);
    b = sum(c, majority(d, e, a), b, k, w + 48);
    d = rotated(d, 30);
    a = sum(b, majority(c, d, e), a, k, w + 64);
    c = rotated(c, 30);
  }
  k = i32x4.splat(0xca62c1d6);
  for (; w < SCHEDULE + 1280; w += 80) {
    e = sum(a, parity(b, c, d), e, k, w);
    b = rotated(b, 30);
    d = sum(e, parity(a, b, c), d, k, w + 16);
    a = rotated(a, 30);
    c = sum(d, parity(e, a, b), c, k, w + 32);
    e = rotated(e, 30);
    b = sum(c, parity(d, e, a), b, k, w + 48);
    d = rotated(d, 30);
    a = sum(b, parity(c, d, e), a, k, w + 64);
    c = rotated(c, 30);
  }
  v128.store(CHAIN, i32x4.add(a, v128.load(CHAIN)));
  v128.store(CHAIN, i32x4.add(b, v128.load(CHAIN, 16)), 16);
  v128.store(CHAIN, i32x4.add(c, v128.load(CHAIN, 32)), 32);
  v128.store(CHAIN, i32x4.add(d, v128.load(CHAIN, 48)), 48);
  v128.store(CHAIN, i32x4.add(e, v128.load(CHAIN, 64)), 64);
}

/** The first 60 bits of the hash of a lane, rounded to a double as the official SDKs do. */
export function hashOf(lane: i32): f64 {
  const chain = CHAIN + ((<usize>lane) << 2);
  return <f64>load<u32>(chain) * 268435456.0 + <f64>(load<u32>(chain, 16) >>> 4);
}

/**
 * Writes a message into a lane. The prefix is as `hashPrefix` in `src/sha1.ts` makes it; the suffix has its length, then for
 * each number of bytes by which it may be shifted how many words it has then, and then the words.
 */
export function fill(lane: i32, prefix: usize, suffix: usize, blocks: i32): void {
  const length = load<i32>(prefix);
  const bytes = <usize>(length & 63);
  const rest = prefix + 4;
  begin(lane, length < 64 ? 0 : rest + ((bytes + 3) & ~3));
  const whole = rest + (bytes & ~3);
  const shift = <usize>(length & 3);
  let word = suffix + 20 + shift * 112;
  const last = word + ((<usize>load<i32>(suffix + 4 + (shift << 2))) << 2);
  let to = BLOCKS + ((<usize>lane) << 2);
  const end = to + ((<usize>blocks) << 8) - 16;
  for (let from = rest; from < whole; from += 4, to += 16) store<i32>(to, load<i32>(from));
  store<i32>(to, load<i32>(word) | (shift === 0 ? 0 : load<i32>(whole)));
  to += 16;
  for (word += 4; word < last; word += 4, to += 16) store<i32>(to, load<i32>(word));
  for (; to < end; to += 16) store<i32>(to, 0);
  store<i32>(to, (length + load<i32>(suffix)) << 3);
}

/** Begins with chaining values, or, where there are none, with those of SHA-1 itself. */
function begin(lane: i32, from: usize): void {
  const to = CHAIN + ((<usize>lane) << 2);
  store<i32>(to, from === 0 ? 0x67452301 : load<i32>(from));
  store<i32>(to, from === 0 ? 0xefcdab89 : load<i32>(from, 4), 16);
  store<i32>(to, from === 0 ? 0x98badcfe : load<i32>(from, 8), 32);
  store<i32>(to, from === 0 ? 0x10325476 : load<i32>(from, 12), 48);
  store<i32>(to, from === 0 ? 0xc3d2e1f0 : load<i32>(from, 16), 64);
}
