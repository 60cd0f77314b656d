import { AsyncResource } from "node:async_hooks";

/** An answer that is ready to be sent. */
export interface ReadyAnswer {
  readonly bytes: number;
  send(): void;
}

/** Makes an answer; gives nothing when that was refused, and so is answered already. */
type Make = () => ReadyAnswer | undefined;

/** So many bytes are made before they are sent: more would not be in the caches of the processor any more. */
const bytesAtOnce = 256 * 1024;

interface Waiting {
  readonly make: Make;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
  /** Where the request is: what a host remembers of it, and looks up when its answer is through, is that of no other one. */
  readonly place: AsyncResource;
}

// Of all relays of a process: they share its processor.
let waiting: Waiting[] = [];

/**
 * Makes an answer when the requests that have come with this one were read, and sends it with theirs. What makes answers and
 * what sends them push each other out of the caches of the processor: done for one request after the other both take longer.
 */
export function answerTogether(make: Make): Promise<void> {
  return new Promise((done, failed) => {
    const place = new AsyncResource("WYE_ANSWER");
    if (waiting.push({ make, done, failed, place }) === 1) setImmediate(answerAll);
  });
}

function answerAll(): void {
  const all = waiting;
  waiting = [];
  answerFrom(all, 0);
}

function answerFrom(all: readonly Waiting[], from: number): void {
  const sending: (() => void)[] = [];
  let bytes = 0;
  let next = from;
  for (const { make, done, failed, place } of all.slice(from)) {
    if (bytes >= bytesAtOnce) break;
    next++;
    try {
      const ready = place.runInAsyncScope(make);
      bytes += ready?.bytes ?? 0;
      sending.push(() => {
        try {
          if (ready !== undefined) place.runInAsyncScope(ready.send, ready);
          done();
        } catch (error) {
          failed(error);
        }
      });
    } catch (error) {
      failed(error);
    }
  }
  for (const send of sending) send();
  // Node hands large bodies to the system between two ticks: their memory is used again by those that follow.
  if (next < all.length) process.nextTick(answerFrom, all, next);
}
