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
  return Promise.resolve(bigSegments.read(missing)).then((found) => {
    view.bigSegments = new Map([...(view.bigSegments ?? []), ...found]);
  });
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

/**
 * Gives a function that tells streams that memberships have changed, one time after the other: what changes while they
 * are being told is told to all of them once afterwards, however often it was.
 */
export function createRenewal({ bigSegments, streams, logger }: RenewalContext): () => void {
  let renewing = false;
  let again = false;
  async function renewAll(): Promise<void> {
    do {
      again = false;
      await renewStreams(bigSegments, streams);
    } while (again);
  }
  return () => {
    again = true;
    if (renewing) return;
    renewing = true;
    renewAll()
      .catch((error: unknown) => logger.error(`big segments: telling streams failed: ${messageOf(error)}`))
      .finally(() => {
        renewing = false;
      });
  };
}

/** So many streams are looked at side by side: each asks the store. */
const concurrency = 32;

/**
 * Tells the streams of client-side SDKs that memberships have changed: those with evaluated flags if it concerns their
 * context, the others in any case. What cannot be read leaves a stream as it is.
 */
async function renewStreams(bigSegments: Members, streams: RenewedStreams): Promise<void> {
  const subscribers = streams.subscribers();
  for (const subscriber of subscribers) if (subscriber.channel === "ping") streams.renew(subscriber);
  const dependent = subscribers.filter(({ view }) => view?.bigSegments !== undefined);
  for (let start = 0; start < dependent.length; start += concurrency) {
    // A store in memory answers without ever letting others have a turn.
    await new Promise(setImmediate);
    const some = dependent.slice(start, start + concurrency).map(async (subscriber) => {
      const known = subscriber.view?.bigSegments ?? new Map();
      const present = await bigSegments.read([...known.keys()]);
      if (subscriber.view === undefined || !isNews(present, known)) return;
      subscriber.view.bigSegments = present;
      streams.renew(subscriber);
    });
    await Promise.all(some);
  }
}

function isNews(present: Answers, known: Answers): boolean {
  const answers = [...present];
  if (answers.some(([, { status }]) => status === "STORE_ERROR")) return false;
  return answers.some(([key, { segments = new Map() }]) => {
    const before = known.get(key);
    const were = before?.segments ?? new Map();
    if (before?.status === "STORE_ERROR" || were.size !== segments.size) return true;
    return [...segments].some(([reference, isMember]) => were.get(reference) !== isMember);
  });
}
