/** A command whose reply is all that there is takes as long as that is large, which nobody knows beforehand. */
export const unknownSize: unique symbol = Symbol("unknown size");

/** How long a Redis that works may take, beside what a command carries. */
const silenceMs = 10_000;
/** A line that is slower than this many bytes in a millisecond is as good as none. */
const slowestLine = 100;
/** For what is of unknown size: enough for 5 MB on the slowest line. */
const unknownMs = 50_000;

/** What the words of a command and its reply take on the slowest line. */
export function transportMs(words: readonly string[], reply?: typeof unknownSize): number {
  const bytes = words.reduce((sum, { length }) => sum + length, 0);
  return Math.floor(bytes / slowestLine) + (reply === unknownSize ? unknownMs : 0);
}

/** How long is waited for a reply, given what is on its way before it and with it. */
export function patienceMs(onTheWayMs: number): number {
  return silenceMs + onTheWayMs;
}
