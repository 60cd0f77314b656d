import { announcementStream } from "./auto-config/announcement-stream.js";
import { startAutoConfig } from "./auto-config/start-auto-config.js";
import type { Configuration } from "./configuration.js";
import { ConfiguredEnvironments, type EnvironmentsPort } from "./configured-environments.js";
import type { RelayError } from "./error.js";
import { offlineFile } from "./offline/offline-file.js";
import { startOffline } from "./offline/start-offline.js";
import type { ResolvedOptions } from "./options/resolved-options.js";

/** Starts what names the environments, if it is not the host. */
export function startConfiguration(
  options: ResolvedOptions,
  port: EnvironmentsPort,
): Configuration | undefined {
  const { configuration: settings, logger, clock, random } = options;
  if (settings === undefined) return undefined;
  const report = (error: RelayError) => {
    logger.error(error.message);
    settings.onError(error);
  };
  const environments = new ConfiguredEnvironments({ port, report, logger, clock, random });
  if (settings.kind === "offline") {
    const startSource = settings.contents ?? offlineFile;
    return startOffline({ settings, options, environments, startSource, report });
  }
  const startSource = settings.announcements ?? announcementStream;
  return startAutoConfig({ settings, options, environments, startSource, report });
}
