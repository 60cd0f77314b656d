import type { BigSegments as Answers } from "@wye/flag-evaluator";
import type { FlagSet } from "../flag-set.js";
import type { Logger } from "../logger.js";
import { messageOf } from "../message-of.js";
import type { ClientView } from "../streaming/client-view.js";
import type { Subscriber } from "../streaming/subscriber.js";
import type { Members } from "./members.js";

/** Finds out what the flags of a stream depend on and is not known yet. `undefined` when nothing is missing. */
export function prepareView(
  bigSegments: Members | undefined,
  { evaluator }: FlagSet,
  view: ClientView | undefined,
): Promise<void> | undefined {
  if (bigSegments === undefined || view === undefined) return undefined;
  const missing = bigSegments.missing(evaluator, view.context, view.bigSegments);
  if (missing.length === 0) return undefined;
  const { revision } = bigSegments;
  return Promise.resolve(bigSegments.read(missing)).then((found) => {
    view.bigSegments = new Map([...(view.bigSegments ?? []), ...found]);
    view.revision = Math.min(view.revision ?? revision, revision);
  });
}

/** Whether what a stream knows was asked for before memberships changed, or was not answered. */
export function isLate({ revision }: Members, view: ClientView): boolean {
  if (view.bigSegments === undefined) return false;
  return view.revision !== revision || hasFailed(view.bigSegments);
}

/** Open streams, each of which can be told everything once more. */
export interface RenewedStreams {
  subscribers(): readonly Subscriber[];
  renew(subscriber: Subscriber): void;
}

/** What renewing needs to know. */
export interface RenewalContext {
  readonly bigSegments: Members;
  readonly streams: RenewedStreams;
  readonly logger: Logger;
}

/** Looks at streams again; nobody waits for that. */
export interface Renewal {
  /** Memberships have changed: tells all streams whom that concerns. */
  renew(): void;
  /** Tells those that were not answered, or not since the last change. */
  makeUp(): void;
}

/**
 * Tells streams that memberships have changed, one time after the other: what changes while they are being told is told to all of
 * them once afterwards, however often it was.
 */
export function createRenewal({ bigSegments, streams, logger }: RenewalContext): Renewal {
  let renewing = false;
  let wanted: "all" | "late" | undefined;
  async function work(): Promise<void> {
    while (wanted !== undefined) {
      const which = wanted;
      wanted = undefined;
      await renewStreams(bigSegments, streams, which);
    }
  }
  function want(which: "all" | "late"): void {
    if (wanted !== "all") wanted = which;
    if (renewing) return;
    renewing = true;
    work()
      .catch((error: unknown) => logger.error(`big segments: telling streams failed: ${messageOf(error)}`))
      .finally(() => {
        renewing = false;
      });
  }
  return { renew: () => want("all"), makeUp: () => want("late") };
}

/** So many streams are looked at side by side: each asks the store. */
const concurrency = 32;

/**
 * Tells the streams of client-side SDKs that memberships have changed: those with evaluated flags if it concerns their
 * context, the others in any case. What cannot be read leaves a stream as it is.
 */
async function renewStreams(
  bigSegments: Members,
  streams: RenewedStreams,
  which: "all" | "late",
): Promise<void> {
  const subscribers = streams.subscribers();
  if (which === "all")
    for (const subscriber of subscribers) if (subscriber.channel === "ping") streams.renew(subscriber);
  const concerned = ({ view }: Subscriber) =>
    view?.bigSegments !== undefined && (which === "all" || isLate(bigSegments, view));
  const dependent = subscribers.filter(concerned);
  for (let start = 0; start < dependent.length; start += concurrency) {
    // A store in memory answers without ever letting others have a turn.
    await new Promise(setImmediate);
    const some = dependent.slice(start, start + concurrency).map(async (subscriber) => {
      const known = subscriber.view?.bigSegments ?? new Map();
      const { revision } = bigSegments;
      const present = await bigSegments.read([...known.keys()]);
      // What cannot be read leaves a stream as it is, until it can be.
      if (subscriber.view === undefined || hasFailed(present)) return;
      subscriber.view.revision = revision;
      if (!isNews(present, known)) return;
      subscriber.view.bigSegments = present;
      streams.renew(subscriber);
    });
    await Promise.all(some);
  }
}

function hasFailed(answers: Answers): boolean {
  return [...answers.values()].some(({ status }) => status === "STORE_ERROR");
}

function isNews(present: Answers, known: Answers): boolean {
  return [...present].some(([key, { segments = new Map() }]) => {
    const before = known.get(key);
    const were = before?.segments ?? new Map();
    if (before?.status === "STORE_ERROR" || were.size !== segments.size) return true;
    return [...segments].some(([reference, isMember]) => were.get(reference) !== isMember);
  });
}
