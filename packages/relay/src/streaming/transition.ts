import type { Evaluator } from "@wye/flag-evaluator";
import type { FlagSet } from "../flag-set.js";
import { ClientTransition } from "./client-transition.js";
import { type Difference, differencesBetween } from "./differences.js";
import { type Frame, pingFrame } from "./frame.js";
import { serverFrame } from "./server-transition.js";
import type { Recipient } from "./subscriber.js";

/** What leads streams from one state of the flags to the present one, made when first needed and shared. */
export class Transition {
  readonly #flags: FlagSet;
  readonly #current: Evaluator;
  readonly #previous: Evaluator;
  readonly #shared = new Map<"all" | "flags", Frame | undefined>();
  #differences: readonly Difference[] | undefined;
  #client: ClientTransition | undefined;

  constructor(flags: FlagSet, previous: Evaluator) {
    this.#flags = flags;
    this.#current = flags.evaluator;
    this.#previous = previous;
  }

  /** What one of them is sent, if the change concerns it. */
  frameFor({ channel, audience, view }: Recipient): Frame | undefined {
    this.#differences ??= differencesBetween(this.#previous, this.#current);
    if (channel === "all" || channel === "flags") {
      if (!this.#shared.has(channel))
        this.#shared.set(channel, serverFrame(this.#flags, this.#differences, channel));
      return this.#shared.get(channel);
    }
    this.#client ??= new ClientTransition(this.#previous, this.#current, this.#differences);
    if (view !== undefined) return this.#client.frameFor(view);
    return this.#client.concerns(audience) ? pingFrame : undefined;
  }
}
