import type { BigSegmentStore } from "./big-segments/big-segment-store.js";
import { BigSegments } from "./big-segments/big-segments.js";
import { unlessOfOthers } from "./big-segments/unless-of-others.js";
import { createRenewal, prepareView } from "./big-segments/view-memberships.js";
import { ChangeLine } from "./change-line.js";
import { credentialDigest, likelyKeys } from "./credentials.js";
import { Environment, type EventsOut } from "./environment.js";
import { EnvironmentMeter } from "./environment-meter.js";
import type { EnvironmentStart } from "./environment-start.js";
import { eventDiscard } from "./events/event-discard.js";
import { EventForwarder } from "./events/event-forwarder.js";
import { FlagSet } from "./flag-set.js";
import { Goals, noGoals } from "./goals.js";
import { type Logger, prefixedLogger } from "./logger.js";
import { Readiness } from "./readiness.js";
import { type ServingParts, serveChange, serveStored } from "./serving.js";
import { hasOwnFlags } from "./sources/own-flags.js";
import { SourceSwitch } from "./sources/source-switch.js";
import { streamSource } from "./sources/stream-source.js";
import type { Keeper } from "./stores/kept-places.js";
import { openStores } from "./stores/open-stores.js";
import { placeOfStore } from "./stores/place-of-store.js";
import type { StoreHolders, TakenPlaces } from "./stores/store-holders.js";
import { StoreWriter } from "./stores/store-writer.js";
import { Broadcaster } from "./streaming/broadcaster.js";
import type { Subscriber } from "./streaming/subscriber.js";
import { createTimers, type Timers } from "./timers.js";

/** Starts an environment. Throws what a factory of the host throws; then nothing is left open. */
export function startEnvironment(start: EnvironmentStart, holders: StoreHolders): Environment {
  const { name, settings, ring, options } = start;
  const { clock, upstream } = options;
  const isOffline = options.configuration?.kind === "offline";
  const logger = prefixedLogger(options.logger, `[${labelOf(start)}]`);
  const { envId } = settings.keys;
  const keyDigests = () => likelyKeys(ring.keys, "sdkKey").map((key) => credentialDigest("sdkKey", key));
  const { filter, isStoreStale } = start;
  const told = { environment: name, envId, filter, logger, clock, keyDigests, isStale: isStoreStale };
  const { flags: kept, members, holder, places } = openStores(settings, told, holders, keeperOf(start));
  const isStale = isStoreStale || places.flags.isOfOthers;
  if (places.flags.isOfOthers && !isStoreStale)
    logger.warn(
      `data store: ${placeOfStore(kept?.about)}has the flags of another environment: nothing of them is served, and they are replaced once upstream has delivered`,
    );
  const timers = createTimers(clock);
  const later: Timers["later"] = (ms, run) => timers.later(ms, run);
  const meter = new EnvironmentMeter(start.metrics.forEnvironment(name));
  const dropped = () => meter.streamDropped();
  const flags = new FlagSet();
  const { random, streams: bounds } = options;
  const prepare = ({ view }: Subscriber) => prepareView(bigSegments, flags, view);
  const streams = new Broadcaster({ ...bounds, flags, clock, random, logger, prepare, dropped, later });
  /** The key to ask upstream with: a new one may not be known everywhere yet. */
  const sdkKey = () => sources.knownSdkKey ?? ring.keys.sdkKey;
  const bigSegments = createBigSegments(start, ownMembers(members, places.members), {
    logger,
    streams,
    sdkKey,
    later,
  });
  const changes = new ChangeLine();
  const serving: ServingParts = { logger, meter, flags, streams, bigSegments };
  const store: StoreWriter = new StoreWriter(kept, {
    clock,
    random,
    logger,
    holder,
    isStale,
    replaced: () => places.flags.replaced(),
    answered: () => readiness.look(),
    current: () => serving.flags.items,
    isInTouch: () => sources.status.state === "VALID",
    adopt: (change) =>
      changes.take(
        function* () {
          const stored = change();
          if (stored !== undefined) yield* serveStored(serving, stored);
          readiness.look();
        },
        () => !environment.closed,
      ),
  });
  const sources = createSwitch(start, serving, { store, changes, answered: () => readiness.look() });
  const readiness = new Readiness({
    hasData: () => serving.flags.complete,
    // A store that has not answered may have flags; and whose SDKs had flags a moment ago must not stop for good.
    isRefused: () => sources.refused && store.hasAnswered && !isStale,
  });
  const environment: Environment = new Environment({
    ...serving,
    bigSegments,
    name,
    settings,
    options,
    ring,
    problem: start.problem,
    timers,
    sources,
    readiness,
    store,
    events: createForwarder(start, serving, sdkKey, later),
    goals: isOffline ? noGoals : new Goals({ logger, clock, upstream, envId: () => ring.keys.envId }),
    stepAside: (isLeaving) => holder.stepAside(isLeaving),
  });
  store.start();
  // What is kept was written for those of a former start; the ones that open it now may be gone before upstream delivers.
  store.noteKeys();
  try {
    sources.use(settings.keys.sdkKey);
  } catch (error) {
    meter.close();
    void environment.close({ deadline: Promise.resolve(), spreadMs: 0 });
    throw error;
  }
  beat(serving.streams, options.streams.heartbeatMs, later);
  later(options.initTimeoutMs, () => {
    if (readiness.phase === "starting")
      logger.error("no data from upstream within initTimeout; still trying");
    readiness.timeOver();
  });
  return environment;
}

/** A store of memberships, of which nothing is heard while they are those of another environment. */
function ownMembers(store: BigSegmentStore | undefined, places: TakenPlaces): BigSegmentStore | undefined {
  return store && places.isOfOthers ? unlessOfOthers(store, () => places.replaced()) : store;
}

/** Whose data an environment keeps. What has flags of its own goes by its name, whatever keys open them. */
function keeperOf({ name, filter, settings, identity }: EnvironmentStart): Keeper {
  return { identity: hasOwnFlags(settings.source) ? `the own flags of ${name}` : identity, filter };
}

/** The name of an environment, and what people call it. */
function labelOf({ name, settings }: EnvironmentStart): string {
  const { projName, envName } = settings.about;
  return [name, projName, envName].filter((part) => part !== undefined).join(" ");
}

function createBigSegments(
  { options }: EnvironmentStart,
  store: BigSegmentStore | undefined,
  serving: { logger: Logger; streams: Broadcaster; sdkKey: () => string; later: Timers["later"] },
): BigSegments | undefined {
  if (store === undefined) return undefined;
  const { clock, random, upstream } = options;
  const { logger, streams, sdkKey, later } = serving;
  const bigSegments = new BigSegments(store, {
    clock,
    random,
    upstream,
    staleThresholdMs: options.bigSegments.staleThresholdMs,
    logger,
    later,
    sdkKey,
    changed: () => renewal.renew(),
    makeUp: () => renewal.makeUp(),
  });
  const renewal = createRenewal({ bigSegments, streams, logger });
  return bigSegments;
}

function createSwitch(
  start: EnvironmentStart,
  serving: ServingParts,
  { store, changes, answered }: { store: StoreWriter; changes: ChangeLine; answered: () => void },
): SourceSwitch {
  const { filter, settings, ring, options } = start;
  const { clock, random, upstream } = options;
  const { logger, meter } = serving;
  return new SourceSwitch({
    factory: settings.source ?? streamSource,
    context: { label: labelOf(start), filter, upstream, logger, clock, random },
    serve: (change, isWanted) =>
      changes.take(function* () {
        const { evaluator } = serving.flags;
        yield* serveChange(serving, change);
        const before = () => [...evaluator.items("flags"), ...evaluator.items("segments")];
        // SDKs that read a database fail at what cannot be read.
        store.write({ ...change, items: change.items.filter(({ fault }) => fault === undefined) }, before);
      }, isWanted),
    isAccepted: (sdkKey) => ring.acceptsSdkKey(sdkKey),
    answered,
    countError: (kind) => meter.countError(kind),
  });
}

function createForwarder(
  { ring, options, isOwnKey }: EnvironmentStart,
  { logger, flags, meter }: ServingParts,
  sdkKey: () => string,
  later: Timers["later"],
): EventsOut | undefined {
  const { clock, upstream, events, eventLanes } = options;
  if (events === false) return undefined;
  if (events === "discard") return eventDiscard;
  return new EventForwarder(
    {
      logger,
      clock,
      upstream: { ...upstream, eventLanes },
      later,
      sdkKeys: () => likelyKeys(ring.keys, "sdkKey", sdkKey()),
      mobileKeys: () => likelyKeys(ring.keys, "mobileKey"),
      isOwnKey,
      envId: () => ring.keys.envId,
      findFlag: (key) => flags.get("flags", key),
      countEvents: (name, count) => meter.countEvents(name, count),
      queuedEvents: (change) => meter.queuedEvents(change),
    },
    events,
  );
}

/** Keeps idle streams open. */
function beat(streams: Broadcaster, everyMs: number, later: Timers["later"]): void {
  if (everyMs === 0) return;
  later(everyMs, () => {
    streams.heartbeat();
    beat(streams, everyMs, later);
  });
}
