import { credentialsOf } from "../credentials.js";
import { isRelayError } from "../error.js";
import { prefixedLogger } from "../logger.js";
import { messageOf } from "../message-of.js";
import { type EnvironmentWithFlags, environmentsOfFlagFile } from "./environments-of-flag-file.js";
import type { FlagFile } from "./flag-file-contents.js";
import { OfflineEnvironments } from "./offline-environments.js";
import type { OfflineChange, OfflineSourceFactory } from "./offline-source.js";
import { readOfflineData } from "./read-offline-data.js";
import { watchFile } from "./watch-file.js";

/**
 * How long a file of flags must stand still that takes keys away. It may be half of what is being written, and SDKs whose key is
 * unknown stop for good. The checksum of an archive says that it is whole.
 */
const restMs = 5000;

type Named = ReadonlyMap<string, EnvironmentWithFlags>;

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
  let present: Named = new Map();
  let broken: OfflineChange["broken"] = new Map();
  let toldOfKeys = false;
  let closed = false;

  /** SDKs with keys that nobody takes stop for good. */
  function tellOfUnusedKeys(file: FlagFile | undefined): void {
    const isUsed = file?.environments.size === 0;
    if (keys !== undefined && !isUsed && !toldOfKeys)
      logger.warn(`${path} names its environments: the keys of the options are not used`);
    toldOfKeys = !isUsed;
  }

  /** Whether these can be taken now; what is lost is told when it is seen first. */
  function isTimely(next: Named, stillMs: number): boolean {
    const losing = stillMs < restMs ? losingKeys(present, next) : [];
    if (losing.length === 0) return true;
    const names = losing.map((name) => JSON.stringify(name)).join(", ");
    logger.warn(
      `${path}: keys of ${names} are not in it any more; it is taken when it has stood still for ${restMs / 1000} s`,
    );
    return false;
  }

  async function onContents(bytes: Buffer, stillMs: number): Promise<number> {
    const data = await readOfflineData(bytes, path, maxBytes);
    if (closed) return 0;
    const file = data.format === "flags" ? data.file : undefined;
    const next = file && environmentsOfFlagFile(file, path, keys);
    if (next !== undefined && !isTimely(next, stillMs)) return restMs;
    const change =
      data.format === "archive"
        ? known.takeArchive(data.archive, clock.now())
        : known.takeFlagFile(next ?? new Map());
    tellOfUnusedKeys(file);
    present = next ?? new Map();
    broken = change.broken;
    await sink.apply(change);
    return 0;
  }

  const unwatch = watchFile({
    path,
    intervalMs: checkMs,
    maxBytes,
    clock,
    onContents,
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

/** The environments with a key that leads nowhere in the next reading. */
function losingKeys(present: Named, next: Named): readonly string[] {
  const kept = new Set([...next.values()].flatMap(keysOf));
  return [...present].filter(([, one]) => keysOf(one).some((key) => !kept.has(key))).map(([name]) => name);
}

function keysOf({ options }: EnvironmentWithFlags): readonly string[] {
  return credentialsOf({ ...options, further: [] }).map(({ kind, value }) => JSON.stringify([kind, value]));
}
