/** How far the clock of the machine may be put back without notice: time stands still meanwhile. */
const toleratedMs = 1000;

/** Where time comes from: milliseconds since 1970, which somebody may set, and milliseconds that go on evenly. */
interface TimeSource {
  readonly wall: () => number;
  readonly even: () => number;
}

const machine: TimeSource = { wall: () => Date.now(), even: () => performance.now() };

/**
 * The time of day, in a run: whoever sets the clock of the machine back does not make what waits for a moment wait longer. A clock that
 * is put forward, or a machine that has slept, is believed.
 *
 * @param earliest  a moment that has been: of a run that is resumed, that of its last event
 */
export function steadyClock(earliest: number = 0, { wall, even }: TimeSource = machine): () => number {
  let ahead = Math.max(0, earliest - wall());
  let last = wall() + ahead;
  let lastEven = even();
  return () => {
    const now = even();
    const due = last + now - lastEven;
    if (wall() + ahead < due - toleratedMs) ahead = due - wall();
    const then = Math.floor(wall() + ahead);
    if (then > last) {
      last = then;
      lastEven = now;
    }
    return last;
  };
}
