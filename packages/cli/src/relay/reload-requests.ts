import type { Host } from "../host.js";
import { merged } from "../merged.js";

/** Requests to read the configuration again, from the very beginning of the program: nothing else may end it. */
export interface ReloadRequests {
  /** Does this for every request, and for those that came before. Requests that come meanwhile are one more. */
  answerWith(work: () => Promise<void>): void;
  stop(): void;
}

/** Listens to requests. */
export function createReloadRequests({ onReload }: Pick<Host, "onReload">): ReloadRequests {
  let isAsked = false;
  let answer: (() => Promise<void>) | undefined;
  const stop = onReload?.(() => {
    if (answer === undefined) isAsked = true;
    else void answer();
  });
  return {
    answerWith(work) {
      answer = merged(work);
      if (isAsked) void answer();
    },
    stop: () => stop?.(),
  };
}
