import type { EventSourceMessage } from "eventsource-parser";
import type { Configuration } from "../configuration.js";
import type { ConfiguredEnvironments } from "../configured-environments.js";
import { malformedData, RelayError } from "../error.js";
import { prefixedLogger } from "../logger.js";
import type { ResolvedAutoConfig, ResolvedOptions } from "../options/resolved-options.js";
import { createBackoff, slowPauses } from "../sources/backoff.js";
import { createConnectionState } from "../sources/connection-state.js";
import { followStream } from "../sources/follow-stream.js";
import { Announcements } from "./announcements.js";
import { readConfigurationEvent } from "./configuration-event.js";

/** What automatic configuration works with. */
export interface AutoConfigParts {
  readonly settings: ResolvedAutoConfig;
  readonly options: Pick<ResolvedOptions, "upstream" | "clock" | "random" | "initTimeoutMs" | "logger">;
  readonly environments: ConfiguredEnvironments;
  /** Is told of what cannot be used. */
  readonly report: (error: RelayError) => void;
}

/**
 * Follows the stream in which upstream says which environments there are. The environments stay when the connection ends, and
 * when upstream does not accept the key any more.
 */
export function startAutoConfig({ settings, options, environments, report }: AutoConfigParts): Configuration {
  const { upstream, clock, random } = options;
  const logger = prefixedLogger(options.logger, "[automatic configuration]");
  const state = createConnectionState(clock);
  const announcements = new Announcements(settings.defaults);
  const slow = createBackoff({ ...slowPauses, random, monotonic: () => clock.monotonic() });
  let configured = false;
  let end = () => {};
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const cancelLimit = clock.schedule(options.initTimeoutMs, () => {
    logger.error("nothing was received within initTimeout; still trying");
    settle();
  });

  function onEvent({ event: name = "message", data }: EventSourceMessage): "reconnect" | undefined {
    const event = readConfigurationEvent(name, data);
    if (event.kind === "passed-over") logger.warn(event.reason);
    if (event.kind === "reconnect") return "reconnect";
    const changes = announcements.apply(event, clock.now());
    environments.apply(changes.environments, changes.broken);
    for (const problem of changes.problems) report(malformedData(problem));
    slow.good();
    state.succeeded();
    if (event.kind === "put" && !configured) arrived();
    return undefined;
  }

  function arrived(): void {
    configured = true;
    logger.info(`environments: ${environments.size}`);
    over();
  }

  /** Nobody needs to wait any more. */
  function over(): void {
    cancelLimit();
    settle();
  }

  function refused(message: string): void {
    state.refused("ERROR_RESPONSE");
    report(
      new RelayError("refused", `upstream does not accept the key of automatic configuration: ${message}`),
    );
    over();
    const pauseMs = slow.nextMs();
    logger.warn(`asking again in ${Math.round(pauseMs)} ms`);
    end = clock.schedule(pauseMs, follow);
  }

  function follow(): void {
    end = followStream({
      url: `${upstream.stream}/relay_auto_config?rpacProtocolVersion=2`,
      key: settings.key,
      upstream,
      clock,
      random,
      logger,
      name: "stream",
      onEvent,
      onFailure({ kind, message }) {
        state.interrupted(kind);
        if (kind === "INVALID_DATA") report(malformedData(message));
      },
      onRefusal: ({ message }) => refused(message),
    });
  }

  follow();
  return {
    get configured() {
      return configured;
    },
    get status() {
      return state.status;
    },
    settled,
    close() {
      environments.close();
      end();
      over();
      state.close();
    },
  };
}
