import type { Change } from "../change.js";
import { isRelayError, malformedData } from "../error.js";
import { messageOf } from "../message-of.js";
import { type Duration, parseDuration } from "../options/duration.js";
import { withOwnFlags } from "../sources/own-flags.js";
import type { SourceFactory } from "../sources/source.js";
import { checkStoreOptions } from "../stores/check-store-options.js";
import type { FlagFile } from "./flag-file-contents.js";
import { parseFlagFile } from "./parse-flag-file.js";
import { type ReadItems, raiseVersions } from "./raise-versions.js";
import { maxFlagFileBytes, textOf } from "./read-offline-data.js";
import { watchFile } from "./watch-file.js";

/** A file of flags as the source of an environment. */
export interface FlagFileOptions {
  /** The file, in JSON or YAML. */
  readonly path: string;
  /** The environment of the file whose flags are meant. Default: the flags that belong to none. */
  readonly environment?: string;
  /** How often the file is looked at, which costs no reading; at least `"100ms"`. Default: `"1s"`. */
  readonly checkInterval?: Duration;
}

const shortestCheckMs = 100;

/**
 * Flags that stand in a file, for an environment whose keys stand in the options. They are read anew when the file changes;
 * a file with mistakes is reported, with line and flag, and what was served before still is.
 */
export function flagFile(options: FlagFileOptions): SourceFactory {
  checkStoreOptions(options, {
    caller: "flagFile",
    known: ["path", "environment", "checkInterval"],
    look({ path: given, environment, checkInterval }, report) {
      if (typeof given !== "string" || given === "" || given.includes("\0"))
        report('path must be a file, as in flagFile({ path: "flags.yaml" })');
      if (environment !== undefined && typeof environment !== "string")
        report("environment must be the name of an environment in the file");
      if (checkInterval !== undefined && (parseDuration(checkInterval) ?? 0) < shortestCheckMs)
        report('checkInterval must be a time span of at least "100ms"');
    },
  });
  const { path, environment, checkInterval = "1s" } = options;
  return withOwnFlags(({ sink, logger, clock }) => {
    let items: ReadItems | undefined;
    const close = watchFile({
      path,
      intervalMs: parseDuration(checkInterval) ?? shortestCheckMs,
      maxBytes: maxFlagFileBytes,
      clock,
      async onContents(bytes) {
        const change = changeOf(await parseFlagFile(textOf(bytes, path), path), path, environment);
        items = raiseVersions(change.items, items);
        await sink.apply({ ...change, items: items.served });
        return 0;
      },
      onRecovery: () => logger.info(`${path}: can be used again, and is as it was`),
      onProblem(error) {
        const message = isRelayError(error) ? error.message : `${path} cannot be read: ${messageOf(error)}`;
        logger.error(message);
        sink.interrupted(isRelayError(error) ? "INVALID_DATA" : "UNKNOWN", message);
      },
    });
    return { close };
  });
}

function changeOf({ shared, environments }: FlagFile, path: string, name: string | undefined): Change {
  if (name === undefined) return shared;
  const found = environments.get(name);
  if (found !== undefined) return found.change;
  const names = [...environments.keys()].map((one) => JSON.stringify(one)).join(", ") || "none";
  throw malformedData(`${path} has no environment ${JSON.stringify(name)}; there are ${names}`);
}
