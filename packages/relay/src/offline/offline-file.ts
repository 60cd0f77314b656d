import { credentialsOf } from "../credentials.js";
import { isRelayError, malformedData } from "../error.js";
import { prefixedLogger } from "../logger.js";
import { messageOf } from "../message-of.js";
import { type EnvironmentWithFlags, environmentsOfFlagFile } from "./environments-of-flag-file.js";
import type { FlagFile } from "./flag-file-contents.js";
import { OfflineEnvironments } from "./offline-environments.js";
import type { OfflineChange, OfflineSourceFactory } from "./offline-source.js";
import { readOfflineData } from "./read-offline-data.js";
import { watchFile } from "./watch-file.js";

/**
 * How long a key must be missing in a file of flags before it is taken away. The file may be half of what is being written, and SDKs whose
 * key is unknown stop for good. The checksum of an archive says that it is whole.
 */
const restMs = 5000;

const nothing = { environments: new Map(), flags: new Map(), problems: [] } as const;

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
  /** Keys that are not in the file any more, and since when. */
  let missing: ReadonlyMap<string, number> = new Map();
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

  /** Those with keys that are not taken yet, and that must not be unknown meanwhile: SDKs would stop for good. */
  function waitingIn(next: Named): OfflineChange["broken"] {
    const error = malformedData(
      "its file is taken when keys that are gone have been missing for some seconds",
    );
    return new Map(
      lostKeys(next, present).map(({ name }) => [name, { wanted: next.get(name)?.options ?? {}, error }]),
    );
  }

  /** How long until these can be taken; what is lost is told when it is seen first. A file may be written anew meanwhile, and often. */
  function restOf(next: Named): number {
    const now = clock.monotonic();
    const lost = lostKeys(present, next);
    const names = new Set(
      lost.filter(({ key }) => !missing.has(key)).map(({ name }) => JSON.stringify(name)),
    );
    missing = new Map(lost.map(({ key }) => [key, missing.get(key) ?? now]));
    const rest = [...missing.values()].reduce((most, since) => Math.max(most, since + restMs - now), 0);
    if (rest > 0 && names.size > 0)
      logger.warn(
        `${path}: keys of ${[...names].join(", ")} are not in it any more; it is taken when they have been missing for ${restMs / 1000} s`,
      );
    return rest;
  }

  async function onContents(bytes: Buffer): Promise<number> {
    const data = await readOfflineData(bytes, path, maxBytes);
    if (closed) return 0;
    const file = data.format === "flags" ? data.file : undefined;
    const next = file && environmentsOfFlagFile(file, path, keys);
    const rest = next === undefined ? 0 : restOf(next);
    if (next !== undefined && rest > 0) {
      await sink.apply({ ...nothing, broken: waitingIn(next) });
      return rest;
    }
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
      missing = new Map();
      logger.info(`${path}: can be used again, and is as it was`);
      void sink.apply({ ...nothing, broken });
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

/** The keys that lead nowhere in the next reading, with their environments. */
function lostKeys(present: Named, next: Named): readonly { readonly name: string; readonly key: string }[] {
  const kept = new Set([...next.values()].flatMap(keysOf));
  return [...present].flatMap(([name, one]) =>
    keysOf(one)
      .filter((key) => !kept.has(key))
      .map((key) => ({ name, key })),
  );
}

function keysOf({ options }: EnvironmentWithFlags): readonly string[] {
  return credentialsOf({ ...options, further: [] }).map(({ kind, value }) => JSON.stringify([kind, value]));
}
