import type { CheckAnswer, CheckRequest } from "./check-messages.js";

/** What the checker needs of a worker; a `Worker` is one. */
export interface CheckWorker {
  addEventListener(type: "message", listener: (event: MessageEvent<CheckAnswer>) => void): void;
  addEventListener(type: "error", listener: (event: Event) => void): void;
  postMessage(request: CheckRequest): void;
  terminate(): void;
}

export interface CheckerOptions {
  /** Starts a worker; called again when one hangs or fails. */
  readonly startWorker: () => CheckWorker;
  /** Hears of what was found in the newest text, and of nothing older. */
  readonly onAnswer: (answer: CheckAnswer) => void;
  /** A worker was ended: it took too long, or failed. */
  readonly onGiveUp: (reason: "hangs" | "fails") => void;
  /** How long a text must rest before it is checked: 120 by default. */
  readonly pauseMs?: number;
  /** How long a worker may stay silent: 15,000 by default. */
  readonly patienceMs?: number;
}

/** Checks texts in a worker, so that typing never waits. */
export interface Checker {
  /** Takes the newest text; the answers to older ones are dropped. */
  check(text: string, profile: CheckRequest["profile"], wantsSarif?: boolean): void;
}

/** Starts a worker and watches it. */
export function createChecker(options: CheckerOptions): Checker {
  const { startWorker, onAnswer, onGiveUp, pauseMs = 120, patienceMs = 15_000 } = options;
  let worker: CheckWorker | undefined;
  let newest = 0;
  let asked = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;

  const relax = (): void => {
    clearTimeout(patience);
    patience = undefined;
  };
  const giveUp = (reason: "hangs" | "fails"): void => {
    relax();
    worker?.terminate();
    worker = undefined;
    onGiveUp(reason);
  };
  const watch = (): void => {
    clearTimeout(patience);
    patience = setTimeout(() => giveUp("hangs"), patienceMs);
  };
  const started = (): CheckWorker => {
    const own = startWorker();
    own.addEventListener("message", ({ data }) => {
      if (own !== worker) return;
      // Any answer is a sign of life; after the last one nothing is expected.
      if (data.id === asked && data.kind === "graph") relax();
      else watch();
      if (data.id === newest) onAnswer(data);
    });
    own.addEventListener("error", (event) => {
      event.preventDefault();
      if (own === worker) giveUp("fails");
    });
    return own;
  };
  return {
    check: (text, profile, wantsSarif = false) => {
      const id = ++newest;
      clearTimeout(pause);
      pause = setTimeout(() => {
        worker ??= started();
        asked = id;
        worker.postMessage({ id, text, profile, wantsSarif });
        if (patience === undefined) watch();
      }, pauseMs);
    },
  };
}
