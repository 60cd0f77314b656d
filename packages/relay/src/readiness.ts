/**
 * How far an environment is: `starting` while it may still get data in time, `waiting` when it did not, `ready` once it
 * has ever had data, `refused` when upstream does not accept its key and there is no data.
 */
export type Phase = "starting" | "waiting" | "ready" | "refused";

/** What readiness is judged by. */
export interface ReadinessPort {
  hasData(): boolean;
  /** Whether upstream has refused every key that is tried. */
  isRefused(): boolean;
}

/** Follows how far an environment is. */
export class Readiness {
  readonly #port: ReadinessPort;
  readonly settled: Promise<void>;
  readonly #settle: () => void;
  #late = false;

  constructor(port: ReadinessPort) {
    this.#port = port;
    let settle = () => {};
    /** Resolves when the environment has data, is refused, or is late. */
    this.settled = new Promise((resolve) => {
      settle = resolve;
    });
    this.#settle = settle;
  }

  get phase(): Phase {
    if (this.#port.hasData()) return "ready";
    if (this.#port.isRefused()) return "refused";
    return this.#late ? "waiting" : "starting";
  }

  /** Something may have changed. */
  look(): void {
    if (this.phase !== "starting") this.#settle();
  }

  /** The time in which data should have come is over. */
  timeOver(): void {
    this.#late = true;
    this.#settle();
  }

  /** Nobody needs to wait any more. */
  close(): void {
    this.#settle();
  }
}
