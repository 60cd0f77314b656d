import type { Host } from "../host.js";
import { merged } from "../merged.js";

/** Requests to read the configuration again, from the very beginning of the program: nothing else may end it. */
export interface ReloadRequests {
  /** Whether one is being answered. */
  readonly isBusy: boolean;
  /** Does this for every request, and for those that came before. Requests that come meanwhile are one more. */
  answerWith(work: () => Promise<void>): void;
  /** Answers none any more, those that wait neither. */
  stop(): void;
}

/** Listens to requests. */
export function createReloadRequests({ onReload }: Pick<Host, "onReload">): ReloadRequests {
  let isAsked = false;
  let isBusy = false;
  let isStopped = false;
  let answer: (() => Promise<void>) | undefined;
  const stop = onReload?.(() => {
    if (answer === undefined) isAsked = true;
    else void answer();
  });
  return {
    get isBusy() {
      return isBusy;
    },
    answerWith(work) {
      answer = merged(async () => {
        if (isStopped) return;
        isBusy = true;
        await work();
        isBusy = false;
      });
      if (isAsked) void answer();
    },
    stop() {
      isStopped = true;
      stop?.();
    },
  };
}
