import type { Host } from "../host.js";

/** Requests to read the configuration again, from the very beginning of the program: nothing else may end it. */
export interface ReloadRequests {
  /** Does this for every request, and for those that came before. Requests that come meanwhile are one more. */
  answerWith(work: () => Promise<void>): void;
  stop(): void;
}

/** Listens to requests. */
export function createReloadRequests({ onReload }: Pick<Host, "onReload">): ReloadRequests {
  let asked = false;
  let isBusy = false;
  let answer: (() => Promise<void>) | undefined;

  async function answerAll(): Promise<void> {
    if (answer === undefined || isBusy) return;
    isBusy = true;
    while (asked) {
      asked = false;
      await answer();
    }
    isBusy = false;
  }

  const stop = onReload?.(() => {
    asked = true;
    void answerAll();
  });
  return {
    answerWith(work) {
      answer = work;
      void answerAll();
    },
    stop: () => stop?.(),
  };
}
