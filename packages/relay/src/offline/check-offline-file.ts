import { systemClock } from "../clock.js";
import { malformedData } from "../error.js";
import { messageOf } from "../message-of.js";
import type { OfflineOptions } from "../options/options.js";
import { offlineFileFrom } from "../options/resolve-configuration.js";
import { environmentsOfFlagFile } from "./environments-of-flag-file.js";
import { judgeEnvironments } from "./judge-environments.js";
import { OfflineEnvironments } from "./offline-environments.js";
import { readOfflineData } from "./read-offline-data.js";
import { readSteadyFile } from "./read-steady-file.js";

/** What a file for offline mode has. */
export interface OfflineFileReport {
  readonly format: "archive" | "flags";
  /** The environments that a relay would serve, as the status names them. */
  readonly environments: readonly string[];
  /** What a relay would report and go on without; what it would not go on without is thrown. */
  readonly problems: readonly string[];
}

const maxBytes = 1024 ** 3;

/**
 * Reads a file as a relay with `offline: { file, keys }` would. Rejects with a `RelayError` (`malformed_data`), whose `problems` has
 * a sentence for each mistake, when it could not be used.
 */
export async function checkOfflineFile(
  file: string,
  options: Pick<OfflineOptions, "keys"> = {},
): Promise<OfflineFileReport> {
  const { path, keys } = offlineFileFrom(file, options);
  const { bytes } = await readSteadyFile(path, maxBytes).catch((cause: unknown) => {
    throw malformedData(`${path} cannot be read: ${messageOf(cause)}`, cause);
  });
  const data = await readOfflineData(bytes, path, maxBytes);
  const known = new OfflineEnvironments();
  const changes =
    data.format === "archive"
      ? known.takeArchive(data.archive, systemClock.now())
      : known.takeFlagFile(environmentsOfFlagFile(data.file, path, keys));
  const { served, refused } = await judgeEnvironments(changes);
  return { format: data.format, environments: served, problems: [...changes.problems, ...refused] };
}
