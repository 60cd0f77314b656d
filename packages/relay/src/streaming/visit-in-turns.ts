const checkTimeEvery = 8;

/** Does something for each of many, in turns of some milliseconds, so that other work does not wait for all of them. */
export function visitInTurns<T>(
  items: Iterable<T>,
  turnMs: number,
  visit: (item: T) => void,
  done: () => void = () => {},
): void {
  const iterator = items[Symbol.iterator]();
  function turn(): void {
    const end = performance.now() + turnMs;
    let count = 0;
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      visit(next.value);
      if (++count % checkTimeEvery === 0 && performance.now() >= end) {
        setImmediate(turn);
        return;
      }
    }
    done();
  }
  turn();
}
