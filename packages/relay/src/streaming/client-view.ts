import { type Context, createContext, type EvaluateAllOptions, type Evaluator } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import { eventFrame, type Frame } from "./frame.js";

/** Whose flags a client-side stream carries, and how they are written. */
export interface ClientView {
  readonly context: Context;
  readonly audience: "mobile" | "browser";
  readonly withReasons: boolean;
}

/** A change of flags as client-side streams see it: what an evaluator gives before and after. */
export interface ClientChange {
  /** What a stream is sent, if anything changed for its audience. */
  frameFor(view: ClientView): Frame | undefined;
}

/** All flags of a context, as a stream starts with them. */
export function clientPutFrame(evaluator: Evaluator, view: ClientView): Frame {
  return eventFrame("put", evaluator.evaluateAll(view.context, optionsOf(view)));
}

// Whether a flag is visible depends on the audience alone: any context will do.
const anyContext = createContext({ kind: "user", key: "any" });

/**
 * Prepares a change for many streams. A new version of one flag is a `patch` or a `delete`; SDKs take those only with a
 * greater version, so what a segment, a prerequisite or a whole new set has changed is a `put`.
 */
export function createClientChange(previous: Evaluator, current: Evaluator, change: Change): ClientChange {
  const changed = current.changedSince(previous);
  const touched = new Map<string, boolean>();

  /** Whether any changed flag is or was visible to an audience. */
  function concerns(audience: ClientView["audience"]): boolean {
    let answer = touched.get(audience);
    if (answer === undefined) {
      answer = [current, previous].some(
        (one) => one.evaluateMany(changed, anyContext, { audience }).size > 0,
      );
      touched.set(audience, answer);
    }
    return answer;
  }

  const [only, ...others] = changed;
  const single =
    change.extent === "partial" && others.length === 0 && only !== undefined
      ? change.items.findLast(({ kind, key }) => kind === "flags" && key === only)
      : undefined;
  return {
    frameFor(view) {
      if (only === undefined || !concerns(view.audience)) return undefined;
      if (single === undefined) return clientPutFrame(current, view);
      const member = current.evaluateMany([single.key], view.context, optionsOf(view)).get(single.key);
      const key = JSON.stringify(single.key);
      return member === undefined
        ? eventFrame("delete", `{"key":${key},"version":${single.version}}`)
        : eventFrame("patch", `{"key":${key},${member.slice(1)}`);
    },
  };
}

function optionsOf({ audience, withReasons }: ClientView): EvaluateAllOptions {
  return { audience, withReasons, format: "evalx" };
}
