import { createContext, type Evaluator } from "@wye/flag-evaluator";
import { type ClientView, clientPutFrame, optionsOf } from "./client-view.js";
import { type Difference, isToldByVersion } from "./differences.js";
import { eventText, type Frame, frameFrom } from "./frame.js";

/** What an audience sees of the flags that a transition may concern. */
interface Sight {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
  /** Seen flags that are the same themselves, but may give something else. */
  readonly indirect: readonly string[];
  /** Whether SDKs would not take the changes flag by flag, or there are too many. */
  readonly whole: boolean;
}

// Whether a flag is visible depends on the audience alone: any context will do.
const anyContext = createContext({ kind: "user", key: "any" });

/** More flags than this are told by all flags at once: one event, one change for the reader. */
const maxSingleFlags = 8;

/**
 * What leads client-side streams from one state of the flags to another. A new version of a flag is a `patch` or a
 * `delete`; SDKs take those only with a greater version, so what a segment, a prerequisite or an older version has changed is
 * a `put`, for the contexts that it changes.
 */
export class ClientTransition {
  readonly #previous: Evaluator;
  readonly #current: Evaluator;
  readonly #flags: ReadonlyMap<string, Difference>;
  /** The same flags as events name them. */
  readonly #told: readonly { readonly name: string; readonly key: string; readonly version: number }[];
  readonly #affected: readonly string[];
  readonly #sights = new Map<ClientView["audience"], Sight>();

  constructor(previous: Evaluator, current: Evaluator, differences: readonly Difference[]) {
    this.#previous = previous;
    this.#current = current;
    this.#flags = new Map(
      differences.filter(({ kind }) => kind === "flags").map((difference) => [difference.key, difference]),
    );
    this.#told = Array.from(this.#flags.values(), ({ key, after }) => ({
      name: key,
      key: JSON.stringify(key),
      version: after?.version ?? 0,
    }));
    this.#affected = current.changedSince(previous);
  }

  /** Whether anything that the audience sees may be another. */
  concerns(audience: ClientView["audience"]): boolean {
    const { before, after } = this.#sight(audience);
    return before.size > 0 || after.size > 0;
  }

  /** What a stream is sent, if its results are others. */
  frameFor(view: ClientView): Frame | undefined {
    const { before, after, indirect, whole } = this.#sight(view.audience);
    if (before.size === 0 && after.size === 0) return undefined;
    if (whole || this.#changes(indirect, view)) return clientPutFrame(this.#current, view);
    const results = this.#current.evaluateMany(after, view.context, optionsOf(view));
    let events = "";
    for (const { name, key, version } of this.#told) {
      const result = results.get(name);
      if (result !== undefined) events += eventText("patch", `{"key":${key},${result.slice(1)}`);
      else if (before.has(name)) events += eventText("delete", `{"key":${key},"version":${version}}`);
    }
    return events === "" ? undefined : frameFrom(events);
  }

  #changes(keys: readonly string[], view: ClientView): boolean {
    if (keys.length === 0) return false;
    const options = optionsOf(view);
    const before = this.#previous.evaluateMany(keys, view.context, options);
    const after = this.#current.evaluateMany(keys, view.context, options);
    return keys.some((key) => before.get(key) !== after.get(key));
  }

  #sight(audience: ClientView["audience"]): Sight {
    const known = this.#sights.get(audience);
    if (known !== undefined) return known;
    const seen = (flags: Evaluator) =>
      new Set(flags.evaluateMany(this.#affected, anyContext, { audience }).keys());
    const before = seen(this.#previous);
    const after = seen(this.#current);
    const direct = [...this.#flags.values()].filter(({ key }) => before.has(key) || after.has(key));
    const sight = {
      before,
      after,
      indirect: [...after].filter((key) => !this.#flags.has(key)),
      whole: direct.length > maxSingleFlags || !direct.every(isToldByVersion),
    };
    this.#sights.set(audience, sight);
    return sight;
  }
}
