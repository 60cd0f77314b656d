import type { Configuration } from "../configuration.js";
import type { ConfiguredEnvironments } from "../configured-environments.js";
import { isRelayError, malformedData, type RelayError } from "../error.js";
import { prefixedLogger } from "../logger.js";
import { messageOf } from "../message-of.js";
import type { ResolvedOffline, ResolvedOptions } from "../options/resolved-options.js";
import { createConnectionState } from "../sources/connection-state.js";
import { environmentsOfFlagFile } from "./environments-of-flag-file.js";
import { type OfflineChanges, OfflineEnvironments } from "./offline-environments.js";
import { type OfflineData, readOfflineData } from "./read-offline-data.js";
import { watchFile } from "./watch-file.js";

/** What offline mode works with. */
export interface OfflineParts {
  readonly settings: ResolvedOffline;
  readonly options: Pick<ResolvedOptions, "clock" | "initTimeoutMs" | "logger">;
  readonly environments: ConfiguredEnvironments;
  /** Is told of what cannot be used. */
  readonly report: (error: RelayError) => void;
}

/** Follows a file that says which environments there are and has their flags. What cannot be used leaves them as they are. */
export function startOffline({ settings, options, environments, report }: OfflineParts): Configuration {
  const { file: path, maxBytes } = settings;
  const { clock } = options;
  const logger = prefixedLogger(options.logger, "[offline]");
  const state = createConnectionState(clock);
  const known = new OfflineEnvironments(settings.defaults);
  let configured = false;
  let toldOfKeys = false;
  let closed = false;
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const cancelLimit = clock.schedule(options.initTimeoutMs, () => settle());

  function changesFrom(data: OfflineData): OfflineChanges {
    if (data.format === "archive") return known.takeArchive(data.archive, clock.now());
    return known.takeFlagFile(environmentsOfFlagFile(data.file, path, settings.keys));
  }

  /** SDKs with keys that nobody takes stop for good. */
  function tellOfUnusedKeys(data: OfflineData): void {
    const isUsed = data.format === "flags" && data.file.environments.size === 0;
    if (settings.keys !== undefined && !isUsed && !toldOfKeys)
      logger.warn(`${path} names its environments: the keys of the options are not used`);
    toldOfKeys = !isUsed;
  }

  async function onContents(bytes: Buffer): Promise<void> {
    const data = await readOfflineData(bytes, path, maxBytes);
    if (closed) return;
    const changes = changesFrom(data);
    tellOfUnusedKeys(data);
    const applied = environments.apply(changes.environments, changes.broken);
    const replaced = changes.replaceFlags();
    for (const problem of changes.problems) report(malformedData(`${path}: ${problem}`));
    const again = configured ? "read anew, " : "";
    configured = true;
    await Promise.allSettled([applied, replaced]);
    if (closed) return;
    logger.info(`${path}: ${again}environments: ${environments.size}`);
    succeeded();
    await replaced;
  }

  function succeeded(): void {
    state.succeeded();
    over();
  }

  function failed(error: unknown): void {
    state.interrupted(isRelayError(error) ? "INVALID_DATA" : "UNKNOWN");
    report(isRelayError(error) ? error : malformedData(`${path} cannot be read: ${messageOf(error)}`, error));
    over();
  }

  /** Nobody needs to wait any more. */
  function over(): void {
    cancelLimit();
    settle();
  }

  const unwatch = watchFile({
    path,
    intervalMs: settings.checkMs,
    maxBytes,
    clock,
    onContents,
    onRecovery() {
      logger.info(`${path}: can be used again, and is as it was`);
      succeeded();
    },
    onProblem: failed,
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
      unwatch();
      over();
      state.close();
    },
  };
}
