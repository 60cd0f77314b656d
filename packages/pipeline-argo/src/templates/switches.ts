import type { Settings } from "../options/settings.js";
import { certificatePath } from "./pod-parts.js";

/** A group of switches. */
export type SwitchGroup = "cache" | "logs" | "tls";

/**
 * The switches that drivers, importers and the launcher have in common, in the order of the groups. Versions up to 2.17 write
 * a switch only when it is on.
 */
export function switches(settings: Settings, ...groups: readonly SwitchGroup[]): string[] {
  return groups.flatMap((group) => readers[group](settings));
}

const readers: { readonly [G in SwitchGroup]: (settings: Settings) => readonly string[] } = {
  cache: (settings) => flag("cache_disabled", settings.options.cacheDisabled, settings),
  logs: (settings) => [
    ...text("log_level", settings.options.logLevel, "1", settings),
    ...text("publish_logs", settings.options.publishLogs, "true", settings),
  ],
  tls: (settings) => {
    const { mlPipelineTlsEnabled, metadataTlsEnabled } = settings.options;
    const path = certificatePath(settings);
    return [
      ...flag("ml_pipeline_tls_enabled", mlPipelineTlsEnabled, settings),
      ...flag("metadata_tls_enabled", metadataTlsEnabled, settings),
      ...text("ca_cert_path", path === "" ? undefined : path, "", settings),
    ];
  },
};

function flag(name: string, value: boolean | undefined, { target }: Settings): string[] {
  if (target.explicitFlags) return [`--${name}=${value === true}`];
  return value === true ? [`--${name}`] : [];
}

function text(name: string, value: string | undefined, otherwise: string, { target }: Settings): string[] {
  if (value === undefined && !target.explicitFlags) return [];
  return [`--${name}`, value ?? otherwise];
}
