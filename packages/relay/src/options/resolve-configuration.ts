import type { AnnouncementSourceFactory } from "../auto-config/announcement-source.js";
import { callHost } from "../call-host.js";
import type { OwnKeys } from "../credentials.js";
import { invalidOptions, type RelayError } from "../error.js";
import type { Logger } from "../logger.js";
import { messageOf } from "../message-of.js";
import type { OfflineSourceFactory } from "../offline/offline-source.js";
import { OptionReader } from "./option-reader.js";
import type { AutoConfigOptions, OfflineOptions } from "./options.js";
import { environmentDefaultsFrom, environmentKeysFrom } from "./read-environment.js";
import type { ResolvedConfiguration } from "./resolved-options.js";

const autoDefaults = [
  "allowedOrigins",
  "allowedHeaders",
  "clientStream",
  "source",
  "store",
  "bigSegments",
] as const satisfies (keyof AutoConfigOptions)[];
const offlineDefaults = [
  "allowedOrigins",
  "allowedHeaders",
  "clientStream",
  "store",
] as const satisfies (keyof OfflineOptions)[];
const offlineNames = [
  "file",
  "checkInterval",
  "keys",
  "maxBytes",
  "onError",
  "contents",
] as const satisfies (keyof OfflineOptions)[];
const keyNames = ["sdkKey", "mobileKey", "envId"] as const;

const shortestCheckMs = 100;
const defaultMaxBytes = 1024 ** 3;

/** The sections `autoConfig` and `offline`: each says where the environments come from, and only one thing can. */
export function configurationFrom(options: OptionReader, logger: Logger): ResolvedConfiguration | undefined {
  const given = new Set(options.names());
  const has = { auto: given.has("autoConfig"), offline: given.has("offline") };
  const named = options.section("environments", undefined, { problems: [] }).names().length > 0;
  if (has.auto && has.offline) options.report("autoConfig", bothSay("offline"));
  else if (has.auto && named) options.report("autoConfig", bothSay("environments"));
  else if (has.offline && named) options.report("offline", bothSay("environments"));
  if (has.auto) return autoConfigFrom(options, logger);
  return has.offline ? offlineFrom(options, logger) : undefined;
}

function bothSay(other: string): string {
  return `and ${other} both say which environments there are; leave one of them out, or serve them with two relays`;
}

function autoConfigFrom(options: OptionReader, logger: Logger): ResolvedConfiguration {
  const reader = options.section("autoConfig", ["key", "onError", ...autoDefaults, "announcements"]);
  reader.demandObject();
  return {
    kind: "auto",
    key: reader.credential("key", "is required: the key of the automatic configuration") ?? "",
    announcements: reader.function<AnnouncementSourceFactory | undefined>("announcements", undefined),
    defaults: environmentDefaultsFrom(reader, autoDefaults),
    onError: onErrorFrom(reader, logger),
  };
}

function offlineFrom(options: OptionReader, logger: Logger): ResolvedConfiguration {
  const reader = options.section("offline", [...offlineNames, ...offlineDefaults]);
  reader.demandObject();
  const checkMs = reader.timeLimit("checkInterval", 1000);
  if (checkMs < shortestCheckMs) reader.report("checkInterval", 'must be "100ms" at least');
  return {
    kind: "offline",
    file: fileFrom(reader),
    checkMs,
    maxBytes: reader.count("maxBytes", defaultMaxBytes),
    keys: offlineKeysFrom(reader),
    contents: reader.function<OfflineSourceFactory | undefined>("contents", undefined),
    defaults: environmentDefaultsFrom(reader, offlineDefaults),
    onError: onErrorFrom(reader, logger),
  };
}

function offlineKeysFrom(reader: OptionReader) {
  return reader.names().includes("keys") ? environmentKeysFrom(reader.section("keys", keyNames)) : undefined;
}

/** What `checkOfflineFile` is called with. Throws a `RelayError` as for the options of a relay. */
export function offlineFileFrom(
  file: unknown,
  options: unknown,
): { readonly path: string; readonly keys: OwnKeys | undefined } {
  const problems: string[] = [];
  const path = fileFrom(new OptionReader({ file }, "checkOfflineFile", problems));
  const reader = new OptionReader(options, "the options of checkOfflineFile", problems);
  reader.onlyThese(["keys"]);
  const keys = offlineKeysFrom(reader);
  if (problems.length > 0) throw invalidOptions(problems);
  return { path, keys };
}

function fileFrom(reader: OptionReader): string {
  const file = reader.string("file");
  if (file !== undefined && file !== "" && !file.includes("\0")) return file;
  reader.report("file", 'must be the path of an archive or of a file of flags, such as "/data/flags.yaml"');
  return "";
}

/** What the host is told by; what it throws is logged. */
function onErrorFrom(reader: OptionReader, logger: Logger): (error: RelayError) => void {
  const onError = reader.function<(error: RelayError) => unknown>("onError", () => {});
  return (error) =>
    callHost(
      () => onError(error),
      (thrown) => logger.error(`onError threw: ${messageOf(thrown)}`),
    );
}
