import type { Configuration } from "../configuration.js";
import type { ConfiguredEnvironments } from "../configured-environments.js";
import { malformedData, type RelayError } from "../error.js";
import { prefixedLogger } from "../logger.js";
import type { ResolvedOffline, ResolvedOptions } from "../options/resolved-options.js";
import { createConnectionState } from "../sources/connection-state.js";
import { createItemsSource, type ItemsSource } from "../sources/items-source.js";
import type { OfflineChange, OfflineSourceFactory } from "./offline-source.js";

/** What offline mode works with. */
export interface OfflineParts {
  readonly settings: ResolvedOffline;
  readonly options: Pick<ResolvedOptions, "clock" | "initTimeoutMs" | "logger">;
  readonly environments: ConfiguredEnvironments;
  readonly startSource: OfflineSourceFactory;
  /** Is told of what cannot be used. */
  readonly report: (error: RelayError) => void;
}

/** Serves the environments of a file with their flags. What cannot be used leaves them as they are. */
export function startOffline(parts: OfflineParts): Configuration {
  const { settings, options, environments, startSource, report } = parts;
  const { file, checkMs, maxBytes, keys } = settings;
  const { clock } = options;
  const logger = prefixedLogger(options.logger, "[offline]");
  const state = createConnectionState(clock);
  const flags = new Map<string, ItemsSource>();
  let configured = false;
  let closed = false;
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const cancelLimit = clock.schedule(options.initTimeoutMs, () => settle());

  function flagsOf(name: string): ItemsSource {
    const known = flags.get(name) ?? createItemsSource();
    flags.set(name, known);
    return known;
  }

  async function apply(change: OfflineChange): Promise<void> {
    const wanted = [...change.environments].map(
      ([name, one]) => [name, one && { ...settings.defaults, ...one, source: flagsOf(name).source }] as const,
    );
    const applied = environments.apply(new Map(wanted), change.broken);
    const replaced = Promise.all(Array.from(change.flags, ([name, items]) => flagsOf(name).replace(items)));
    for (const [name, one] of change.environments) if (one === undefined) flags.delete(name);
    for (const problem of change.problems) report(malformedData(`${file}: ${problem}`));
    const isNews = !configured || change.environments.size + change.flags.size > 0;
    const again = configured ? "read anew, " : "";
    configured = true;
    await Promise.allSettled([applied, replaced]);
    if (closed) return;
    if (isNews) logger.info(`${file}: ${again}environments: ${environments.size}`);
    state.succeeded();
    over();
    await replaced;
  }

  /** Nobody needs to wait any more. */
  function over(): void {
    cancelLimit();
    settle();
  }

  const source = startSource({
    file,
    checkMs,
    maxBytes,
    keys,
    clock,
    logger: options.logger,
    sink: {
      apply,
      interrupted(kind, message) {
        state.interrupted(kind);
        report(malformedData(message));
        over();
      },
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
      closed = true;
      environments.close();
      source.close();
      over();
      state.close();
    },
  };
}
