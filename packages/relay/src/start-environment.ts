import { Environment } from "./environment.js";
import { EnvironmentMeter } from "./environment-meter.js";
import type { EnvironmentStart } from "./environment-start.js";
import { EventForwarder } from "./events/event-forwarder.js";
import { FlagSet } from "./flag-set.js";
import { Goals } from "./goals.js";
import { prefixedLogger } from "./logger.js";
import { Readiness } from "./readiness.js";
import { type ServingParts, serveChange, serveStored } from "./serving.js";
import { SourceSwitch } from "./sources/source-switch.js";
import { streamSource } from "./sources/stream-source.js";
import { StoreWriter } from "./stores/store-writer.js";
import { Broadcaster } from "./streaming/broadcaster.js";
import { createTimers, type Timers } from "./timers.js";

/** Starts an environment. Throws what a factory of the host throws; then nothing is left open. */
export function startEnvironment(start: EnvironmentStart): Environment {
  const { name, settings, ring, options } = start;
  const { clock, upstream } = options;
  const logger = prefixedLogger(options.logger, `[${name}]`);
  const { envId } = settings.keys;
  const kept = settings.store?.({ environment: name, envId, filter: start.filter, logger, clock });
  const timers = createTimers(clock);
  const later: Timers["later"] = (ms, run) => timers.later(ms, run);
  const meter = new EnvironmentMeter(start.metrics.forEnvironment(name));
  const dropped = () => meter.streamDropped();
  const flags = new FlagSet();
  const { random, streams: bounds } = options;
  const streams = new Broadcaster({ ...bounds, flags, clock, random, logger, dropped, later });
  const serving: ServingParts = { logger, meter, flags, streams };
  const store = new StoreWriter(kept, {
    clock,
    logger,
    current: () => serving.flags.items,
    adopt(change) {
      if (environment.closed) return;
      serveStored(serving, change);
      readiness.look();
    },
  });
  const sources = createSwitch(start, serving, store, () => readiness.look());
  const readiness = new Readiness({
    hasData: () => serving.flags.complete,
    isRefused: () => sources.refused,
  });
  const environment = new Environment({
    ...serving,
    name,
    settings,
    options,
    ring,
    timers,
    sources,
    readiness,
    store,
    events: createForwarder(start, serving, later),
    goals: new Goals({ logger, clock, upstream, envId: () => ring.keys.envId }),
  });
  store.start();
  try {
    sources.use(settings.keys.sdkKey);
  } catch (error) {
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

function createSwitch(
  { filter, settings, ring, options }: EnvironmentStart,
  serving: ServingParts,
  store: StoreWriter,
  answered: () => void,
): SourceSwitch {
  const { clock, random, upstream } = options;
  const { logger, meter } = serving;
  return new SourceSwitch({
    factory: settings.source ?? streamSource,
    context: { filter, upstream, logger, clock, random },
    serve(change) {
      serveChange(serving, change);
      store.write(change);
    },
    isAccepted: (sdkKey) => ring.acceptsSdkKey(sdkKey),
    answered,
    countError: (kind) => meter.countError(kind),
  });
}

function createForwarder(
  { ring, options }: EnvironmentStart,
  { logger, flags, meter }: ServingParts,
  later: Timers["later"],
): EventForwarder | undefined {
  const { clock, upstream, events } = options;
  if (events === false) return undefined;
  return new EventForwarder(
    {
      logger,
      clock,
      upstream,
      later,
      keys: () => ring.keys,
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
