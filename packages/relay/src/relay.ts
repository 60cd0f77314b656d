import { createDeadline } from "./deadline.js";
import { answer } from "./endpoints/endpoints.js";
import { EnvironmentRegistry, type Environments } from "./environments.js";
import { Downloads } from "./http/downloads.js";
import { createHandler, createStatusHandler, type RelayHandler } from "./http/handler.js";
import { InHand } from "./http/in-hand.js";
import { KeptAnswers } from "./http/kept-answers.js";
import { LargeContexts } from "./http/large-contexts.js";
import { Uploads } from "./http/uploads.js";
import { managedEnvironments } from "./managed-environments.js";
import { createMetrics } from "./metrics.js";
import { demandMembers } from "./options/call-arguments.js";
import { type Duration, parseDuration } from "./options/duration.js";
import type { RelayOptions } from "./options/options.js";
import { resolveOptions } from "./options/resolve-options.js";
import { missingNames } from "./ready-policy.js";
import { startConfiguration } from "./start-configuration.js";
import { startEnvironment } from "./start-environment.js";
import { type RelayStatus, statusDocument } from "./status-document.js";
import { createStatusText } from "./status-text.js";
import { StoreHolders } from "./stores/store-holders.js";

/** How a relay is closed. */
export interface CloseOptions {
  /** How long open streams, answers on their way and waiting events may take. Default: `"5s"`. */
  readonly within?: Duration;
}

/** A running relay. */
export interface Relay {
  /** Serves the relay's paths; gives others to `next`, or answers 404 when there is none. */
  readonly handler: RelayHandler;
  /**
   * Serves `/status`, `/live`, `/ready` and `/metrics` alone, for a listener of their own; with `publicStatus: false` the
   * other handler does not. It goes on answering while the relay is being closed, and afterwards.
   */
  readonly statusHandler: RelayHandler;
  /**
   * The environments, to add, remove and rotate keys while running. Where upstream or a file says which there are, calls that
   * would change them throw a `RelayError` with the code `managed`.
   */
  readonly environments: Environments;
  /**
   * Resolves with the status when every environment has data, is refused, or `initTimeout` has passed; where upstream or a
   * file says which environments there are, after that is known or `configurationStatus` tells why not. Never rejects.
   */
  ready(): Promise<RelayStatus>;
  /** What `/status` answers. */
  status(): RelayStatus;
  /**
   * Stops: new requests get 503; those that were taken are answered, also with 503 where they wait for a store or for upstream; open streams end one after the other while waiting events are sent and
   * large answers arrive, all within the time, after which slow readers are cut off. Nothing of the relay keeps the process alive afterwards. Closing again waits
   * for the first time.
   */
  close(options?: CloseOptions): Promise<void>;
}

const defaultCloseMs = 5000;
/** Streams end so far apart on average. */
const streamEndSpacingMs = 1;

/** Starts a relay: connects to upstream for each environment and serves SDKs. Throws when the options are wrong. */
export function createRelay(options: RelayOptions): Relay {
  const resolved = resolveOptions(options);
  const metrics = createMetrics(resolved.metrics);
  const holders = new StoreHolders();
  const environments = new EnvironmentRegistry({
    options: resolved,
    metrics,
    start: (start) => startEnvironment(start, holders),
  });
  const uploads = new Uploads(resolved.maxUploadBytes);
  const downloads = new Downloads();
  const inHand = new InHand();
  const contexts = new LargeContexts();
  const answers = new KeptAnswers(resolved.answerCacheBytes);
  let closing: Promise<void> | undefined;

  async function close(withinMs: number): Promise<void> {
    const deadline = createDeadline(resolved.clock, withinMs);
    const streams = environments.all().reduce((sum, environment) => sum + environment.streams.size, 0);
    // The second half is for readers that take their time.
    const spreadMs = Math.min(withinMs / 2, streams * streamEndSpacingMs);
    const closed = environments.close({ deadline: deadline.reached, spreadMs });
    uploads.close();
    // What is being answered may be large.
    const answered = inHand.close(deadline.reached).then(() => downloads.close(deadline.reached));
    await Promise.all([closed, answered]);
    deadline.cancel();
    resolved.disconnect();
  }

  try {
    for (const [name, settings] of resolved.environments) environments.start(name, settings);
  } catch (error) {
    // Those before the one that does not start.
    void close(0);
    throw error;
  }
  const configuration = startConfiguration(resolved, environments);
  // Those that are named elsewhere come later.
  if (configuration === undefined)
    for (const sentence of missingNames(resolved.ready, environments.names())) resolved.logger.warn(sentence);

  const operations = {
    environments,
    statusText: createStatusText(() => environments.statuses(), configuration),
    configured: () => configuration?.configured !== false,
    printMetrics: () => metrics.print(),
    open: () => closing === undefined,
  };
  return {
    environments: configuration === undefined ? environments : managedEnvironments(environments),
    handler: createHandler({
      options: resolved,
      metrics,
      answer,
      uploads,
      downloads,
      inHand,
      contexts,
      answers,
      ...operations,
    }),
    statusHandler: createStatusHandler({ logger: resolved.logger, ...operations }),
    async ready() {
      await configuration?.settled;
      await environments.settled();
      return statusDocument(environments.statuses(), configuration);
    },
    status: () => statusDocument(environments.statuses(), configuration),
    close(how = {}) {
      demandMembers("close", how, ["within"], '{ within: "5s" }');
      const withinMs = parseDuration(how.within ?? defaultCloseMs);
      if (withinMs === undefined) throw new TypeError('within must be a time span like "5s"');
      configuration?.close();
      closing ??= close(withinMs);
      return closing;
    },
  };
}
