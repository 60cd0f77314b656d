import type { Configuration } from "../configuration.js";
import type { ConfiguredEnvironments } from "../configured-environments.js";
import { malformedData, RelayError } from "../error.js";
import { prefixedLogger } from "../logger.js";
import type { ResolvedAutoConfig, ResolvedOptions } from "../options/resolved-options.js";
import { createConnectionState } from "../sources/connection-state.js";
import type { AnnouncedChange } from "./announced-change.js";
import type { AnnouncementSourceFactory } from "./announcement-source.js";

/** What automatic configuration works with. */
export interface AutoConfigParts {
  readonly settings: ResolvedAutoConfig;
  readonly options: Pick<ResolvedOptions, "upstream" | "clock" | "random" | "initTimeoutMs" | "logger">;
  readonly environments: ConfiguredEnvironments;
  readonly startSource: AnnouncementSourceFactory;
  /** Is told of what cannot be used. */
  readonly report: (error: RelayError) => void;
}

/**
 * Serves the environments that upstream announces. They stay when the connection ends, and when upstream does not accept the key
 * any more.
 */
export function startAutoConfig(parts: AutoConfigParts): Configuration {
  const { settings, options, environments, startSource, report } = parts;
  const { upstream, clock, random } = options;
  const logger = prefixedLogger(options.logger, "[automatic configuration]");
  const state = createConnectionState(clock);
  let configured = false;
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const cancelLimit = clock.schedule(options.initTimeoutMs, () => {
    logger.error("nothing was received within initTimeout; still trying");
    settle();
  });

  function apply(change: AnnouncedChange): void {
    const wanted = [...change.environments].map(
      ([id, options]) => [id, options && { ...settings.defaults, ...options }] as const,
    );
    const before = environments.size;
    const applied = environments.apply(new Map(wanted), change.broken);
    if (before > 0 && wanted.every(([, options]) => options === undefined) && environments.size === 0)
      logger.warn("upstream has taken all environments away: their keys are answered 401");
    for (const problem of change.problems) report(malformedData(problem));
    state.succeeded();
    if (change.isWhole && !configured) void arriving(applied);
  }

  async function arriving(applied: Promise<void>): Promise<void> {
    configured = true;
    await applied;
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
  }

  const source = startSource({
    key: settings.key,
    upstream,
    clock,
    random,
    logger: options.logger,
    sink: {
      apply,
      interrupted(kind, message) {
        state.interrupted(kind);
        if (kind === "INVALID_DATA") report(malformedData(message));
      },
      refused,
    },
  });
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
      source.close();
      over();
      state.close();
    },
  };
}
