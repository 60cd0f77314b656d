import type { BigSegments, Context, EvaluateAllOptions, Evaluator } from "@wye/flag-evaluator";
import { eventFrame, type Frame } from "./frame.js";

/** Whose flags a client-side stream carries, and how they are written. */
export interface ClientView {
  readonly context: Context;
  readonly audience: "mobile" | "browser";
  readonly withReasons: boolean;
  /** What is known of the context's big segments, where its flags depend on them. */
  bigSegments?: BigSegments | undefined;
  /** The revision of memberships under which that was asked for. */
  revision?: number | undefined;
}

/** All flags of a context, as a stream starts with them. */
export function clientPutFrame(evaluator: Evaluator, view: ClientView): Frame {
  return eventFrame("put", evaluator.evaluateAll(view.context, optionsOf(view)));
}

/** How results for a view are written. */
export function optionsOf({ audience, withReasons, bigSegments }: ClientView): EvaluateAllOptions {
  return { audience, withReasons, format: "evalx", bigSegments };
}
