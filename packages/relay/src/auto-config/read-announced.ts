import { aboutNames, type EnvironmentAbout } from "../environment-about.js";
import type { Fields } from "../fields.js";
import type { AnnouncedEnvironment, AnnouncedFilter, ExpiringKey } from "./announced.js";
import { demandFields, integerOf, textOf, truthOf } from "./fields.js";

const msPerMinute = 60_000;

/** Reads an environment. Throws a `RelayError` (`malformed_data`) that says what is wrong with it. */
export function readAnnouncedEnvironment(value: unknown): AnnouncedEnvironment {
  const fields = demandFields(value, "the environment");
  const sdkKey = demandFields(fields.sdkKey ?? {}, "sdkKey");
  return {
    version: integerOf(fields, "version"),
    envId: textOf(fields, "envID"),
    sdkKey: textOf(sdkKey, "value"),
    expiring: expiringFrom(sdkKey.expiring),
    mobileKey: textOf(fields, "mobKey"),
    secureMode: truthOf(fields, "secureMode"),
    ttlMs: Math.max(0, integerOf(fields, "defaultTtl")) * msPerMinute,
    about: aboutFrom(fields),
  };
}

/** Reads a payload filter. Throws a `RelayError` (`malformed_data`) that says what is wrong with it. */
export function readAnnouncedFilter(value: unknown): AnnouncedFilter {
  const fields = demandFields(value, "the filter");
  return {
    version: integerOf(fields, "version"),
    projKey: textOf(fields, "projKey"),
    key: textOf(fields, "key"),
  };
}

function expiringFrom(value: unknown): ExpiringKey | undefined {
  const fields = demandFields(value ?? {}, "sdkKey.expiring");
  const key = textOf(fields, "value");
  return key === "" ? undefined : { key, expires: integerOf(fields, "timestamp") };
}

function aboutFrom(fields: Fields): EnvironmentAbout {
  return Object.fromEntries(
    aboutNames.flatMap((name) => (textOf(fields, name) === "" ? [] : [[name, textOf(fields, name)]])),
  );
}
