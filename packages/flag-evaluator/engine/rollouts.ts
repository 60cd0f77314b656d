import { suffix } from "./host";
import { BLOCKS, byteOf, CODE, entry, entryAt, KINDS, RESULTS, SHARES, SUFFIXES, WAITING } from "./layout";
import { compress, fill, hashOf } from "./sha1";

/** In place of an outcome: the hash is still to be computed. */
export const WAITS = -3;

/** In place of a hash: the context lacks the kind that is dealt out, or the host has to do it. */
export const KIND_MISSING: f64 = -1;
export const LEFT_TO_HOST: f64 = -2;

const LANES = 4;
/** Rollouts wait for others with as many blocks: one, two or three. */
const MAX_BLOCKS = 3;
const ROW: usize = 64;

// How many wait in each row.
let waiting1 = 0;
let waiting2 = 0;
let waiting3 = 0;

export function forgetWaiting(): void {
  waiting1 = waiting2 = waiting3 = 0;
}

/** Deals a flag out: its outcome is known now, or after `settle`. False when that is left to the host. */
export function deal(slot: i32, rollout: i32): bool {
  const at = entryAt(CODE, rollout);
  const result = entryAt(RESULTS, slot);
  const bucketing = at + 12;
  if (byteOf(KINDS, load<i32>(bucketing)) === 0) {
    store<i32>(result, load<i32>(at));
    return true;
  }
  const known = suffixOf(bucketing);
  if (known === 0) return false;
  if (load<i32>(known) < 0) {
    store<i32>(result, shareOf(at, 0));
    return true;
  }
  const blocks = blocksOf(bucketing, known);
  if (blocks > MAX_BLOCKS) return false;
  store<i32>(result, WAITS);
  if (blocks === 1) waiting1 = queue(1, waiting1, slot, at, known);
  else if (blocks === 2) waiting2 = queue(2, waiting2, slot, at, known);
  else waiting3 = queue(3, waiting3, slot, at, known);
  return true;
}

/** Computes all hashes that are waited for. */
export function settle(): void {
  if (waiting1 > 0) hashRow(1, waiting1);
  if (waiting2 > 0) hashRow(2, waiting2);
  if (waiting3 > 0) hashRow(3, waiting3);
  forgetWaiting();
}

/** The hash of the context for the bucketing there; 0 if the attribute is missing or of no use. */
export function hashNow(bucketing: usize): f64 {
  if (byteOf(KINDS, load<i32>(bucketing)) === 0) return KIND_MISSING;
  const known = suffixOf(bucketing);
  if (known === 0) return LEFT_TO_HOST;
  if (load<i32>(known) < 0) return 0;
  const blocks = blocksOf(bucketing, known);
  if (blocks > MAX_BLOCKS) return LEFT_TO_HOST;
  fill(0, bucketing + 12, known, blocks);
  for (let block = 0; block < blocks; block++) compress(BLOCKS + ((<usize>block) << 8));
  return hashOf(0);
}

/** What the attribute adds to messages; 0 when that is left to the host. */
function suffixOf(bucketing: usize): usize {
  const attribute = load<i32>(bucketing, 4);
  const known = entry(SUFFIXES, attribute);
  return <usize>(known !== 0 ? known : suffix(attribute));
}

function blocksOf(bucketing: usize, known: usize): i32 {
  return (((load<i32>(bucketing, 12) & 63) + load<i32>(known) + 8) >> 6) + 1;
}

/** Lets a rollout wait; gives how many do now. */
function queue(blocks: i32, count: i32, slot: i32, at: usize, known: usize): i32 {
  const place = WAITING + <usize>blocks * ROW + <usize>count * 12;
  store<i32>(place, slot);
  store<u32>(place, <u32>at, 4);
  store<u32>(place, <u32>known, 8);
  if (count + 1 < LANES) return count + 1;
  hashRow(blocks, LANES);
  return 0;
}

function hashRow(blocks: i32, count: i32): void {
  const row = WAITING + <usize>blocks * ROW;
  for (let lane = 0; lane < count; lane++) {
    const place = row + <usize>lane * 12;
    fill(lane, <usize>load<u32>(place, 4) + 24, <usize>load<u32>(place, 8), blocks);
  }
  for (let block = 0; block < blocks; block++) compress(BLOCKS + ((<usize>block) << 8));
  for (let lane = 0; lane < count; lane++) {
    const place = row + <usize>lane * 12;
    const share = shareOf(<usize>load<u32>(place, 4), hashOf(lane));
    store<i32>(entryAt(RESULTS, load<i32>(place)), share);
  }
}

/** The outcome of the share that a hash falls into. */
function shareOf(at: usize, hash: f64): i32 {
  const shares = <usize>load<u32>(SHARES);
  let share = shares + ((<usize>load<i32>(at, 4)) << 3);
  const last = shares + ((<usize>load<i32>(at, 8)) << 3);
  while (share < last && hash >= load<f64>(share)) share += 16;
  return <i32>load<f64>(share, 8);
}
