import { isRelayError } from "../error.js";
import { prefixedLogger } from "../logger.js";
import { messageOf } from "../message-of.js";
import { environmentsOfFlagFile } from "./environments-of-flag-file.js";
import { OfflineEnvironments } from "./offline-environments.js";
import type { OfflineChange, OfflineSourceFactory } from "./offline-source.js";
import { type OfflineData, readOfflineData } from "./read-offline-data.js";
import { watchFile } from "./watch-file.js";

/** Follows an archive or a file of flags. */
export const offlineFile: OfflineSourceFactory = ({
  file: path,
  checkMs,
  maxBytes,
  keys,
  sink,
  ...context
}) => {
  const { clock } = context;
  const logger = prefixedLogger(context.logger, "[offline]");
  const known = new OfflineEnvironments();
  let broken: OfflineChange["broken"] = new Map();
  let toldOfKeys = false;
  let closed = false;

  function changeFrom(data: OfflineData): OfflineChange {
    if (data.format === "archive") return known.takeArchive(data.archive, clock.now());
    return known.takeFlagFile(environmentsOfFlagFile(data.file, path, keys));
  }

  /** SDKs with keys that nobody takes stop for good. */
  function tellOfUnusedKeys(data: OfflineData): void {
    const isUsed = data.format === "flags" && data.file.environments.size === 0;
    if (keys !== undefined && !isUsed && !toldOfKeys)
      logger.warn(`${path} names its environments: the keys of the options are not used`);
    toldOfKeys = !isUsed;
  }

  const unwatch = watchFile({
    path,
    intervalMs: checkMs,
    maxBytes,
    clock,
    async onContents(bytes) {
      const data = await readOfflineData(bytes, path, maxBytes);
      if (closed) return;
      const change = changeFrom(data);
      tellOfUnusedKeys(data);
      broken = change.broken;
      await sink.apply(change);
    },
    onRecovery() {
      logger.info(`${path}: can be used again, and is as it was`);
      void sink.apply({ environments: new Map(), flags: new Map(), broken, problems: [] });
    },
    onProblem(error) {
      if (isRelayError(error)) sink.interrupted("INVALID_DATA", error.message);
      else sink.interrupted("UNKNOWN", `${path} cannot be read: ${messageOf(error)}`);
    },
  });
  return {
    close() {
      closed = true;
      unwatch();
    },
  };
};
