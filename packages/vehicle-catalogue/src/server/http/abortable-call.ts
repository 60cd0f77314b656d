import type { CatalogueCall } from "../catalogue.js";

/** A call that can be given up. */
export interface AbortableCall extends CatalogueCall {
  abort(reason: unknown): void;
}

/** Makes a call whose signal costs nothing as long as nobody reads it. */
export function createCall(): AbortableCall {
  return new LazyCall();
}

/** A class, because every request makes two. */
class LazyCall implements AbortableCall {
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }
}

/** Timers take a signed 32-bit number and fire at once on a larger one. */
const longestTimerMs = 2 ** 31 - 1;

/** What a call that took too long is given up with. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/** Waits for an answer, until the deadline or until nobody wants it any more; then gives the call up. */
export function untilDeadline<Value>(
  answer: PromiseLike<Value>,
  call: AbortableCall,
  timeoutMs: number,
  unwanted: AbortSignal | undefined,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = (reason: unknown): void => {
      end();
      call.abort(reason);
      reject(reason);
    };
    const late = (): void => giveUp(new DeadlineError(`no answer within ${timeoutMs} ms`));
    const timer = setTimeout(late, Math.min(timeoutMs, longestTimerMs));
    const leave = (): void => giveUp(unwanted?.reason);
    const end = (): void => {
      clearTimeout(timer);
      unwanted?.removeEventListener("abort", leave);
    };
    if (unwanted?.aborted === true) return leave();
    unwanted?.addEventListener("abort", leave);
    answer.then(
      (value) => {
        end();
        resolve(value);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
  });
}
