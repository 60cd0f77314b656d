import { entry, entryAt, PIECES, RESPONSE, RESULTS, SLOTS } from "./layout";

/** The size of the members for so many flags; the complement of an outcome that has no bytes yet. */
export function measure(count: i32): i32 {
  let size = 0;
  for (let i = 0; i < count; i++) {
    const outcome = entry(RESULTS, entry(SLOTS, i));
    const length = load<i32>(entryAt(PIECES, 2 * outcome), 4);
    if (length === 0) return ~outcome;
    size += length;
  }
  return size;
}

/** Copies them one behind the other. Small ones with what lies behind them: there is always room for it, and the next comes over it. */
export function gather(count: i32): void {
  let to = <usize>load<u32>(RESPONSE);
  for (let i = 0; i < count; i++) {
    const piece = entryAt(PIECES, 2 * entry(RESULTS, entry(SLOTS, i)));
    let from = <usize>load<u32>(piece);
    const length = <usize>load<u32>(piece, 4);
    const end = to + length;
    if (length > 512) memory.copy(to, from, length);
    else for (; to < end; to += 16, from += 16) v128.store(to, v128.load(from));
    to = end;
  }
}
