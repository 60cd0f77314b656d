/** How long a Redis that works may take, beside what a command carries. */
const silenceMs = 10_000;
/** A line that is slower than this many bytes in a millisecond is as good as none. */
const slowestLine = 100;

/** What the words of a command, and a reply that is known to be large, take on the slowest line. */
export function transportMs(words: readonly string[], replyBytes = 0): number {
  const bytes = words.reduce((sum, { length }) => sum + length, replyBytes);
  return Math.floor(bytes / slowestLine);
}

/** How long is waited for a reply, given what is on its way before it and with it. */
export function patienceMs(onTheWayMs: number): number {
  return silenceMs + onTheWayMs;
}
