// The first words of memory say where everything is; the host writes them (`src/evaluate/engine-lists.ts` has the same list).

/** What flags are compiled to, and the shares of rollouts, as `src/compile/flag-code.ts` describes them. */
export const CODE: usize = 0;
export const SHARES: usize = 4;
/** What each outcome gives to flags that have its flag as a prerequisite. */
export const GIVES: usize = 8;
/** The flags to evaluate, by the place of their code in the order in which it lies, and by slot in the order of the response. */
export const PLACES: usize = 12;
export const SLOTS: usize = 16;
/** Where the code of each flag begins, by slot. */
export const FLAGS: usize = 20;
/** Where each segment begins, by slot, or one of the marks in `segments.ts`. */
export const SEGMENTS: usize = 24;
/** Where the parts of each clause begin that can be told here, by slot; 0 for others. */
export const CLAUSES: usize = 28;

// Of the present context: verdicts of clauses, tests and segments, outcomes, the targets and segments that list it, its
// kinds, and what its attributes add to messages that are hashed.
export const CLAUSE_MEMO: usize = 32;
export const TEST_MEMO: usize = 36;
export const SEGMENT_MEMO: usize = 40;
export const RESULTS: usize = 44;
export const TARGETS: usize = 48;
export const LISTED: usize = 52;
export const KINDS: usize = 56;
export const SUFFIXES: usize = 60;

/** The address and the length of the bytes of each outcome, and where a response is gathered. */
export const PIECES: usize = 64;
export const RESPONSE: usize = 68;

/** For rollouts that wait, and for hashing. */
export const WAITING: usize = 256;
export const BLOCKS: usize = 1024;
export const SCHEDULE: usize = 2048;
export const CHAIN: usize = 3584;

/** What lies at that index of the list that a word of the layout points to. */
export function entry(list: usize, index: i32): i32 {
  return load<i32>(<usize>load<u32>(list) + ((<usize>index) << 2));
}

/** Where that entry is. */
export function entryAt(list: usize, index: i32): usize {
  return <usize>load<u32>(list) + ((<usize>index) << 2);
}

/** The byte at that index. */
export function byteOf(list: usize, index: i32): i32 {
  return <i32>load<u8>(<usize>load<u32>(list) + <usize>index);
}

export function setByte(list: usize, index: i32, value: i32): void {
  store<u8>(<usize>load<u32>(list) + <usize>index, <u8>value);
}
