import { aboutNames, type EnvironmentAbout } from "../environment-about.js";
import { type Fields, isFields } from "../fields.js";
import type { AnnouncedEnvironment, AnnouncedFilter, AnnouncedKeys, ExpiringKey } from "./announced.js";
import { demandFields, integerOf, textOf, truthOf } from "./fields.js";

const msPerMinute = 60_000;

/** Reads an environment. Throws a `RelayError` (`malformed_data`) that says what is wrong with it. */
export function readAnnouncedEnvironment(value: unknown): AnnouncedEnvironment {
  const fields = demandFields(value, "the environment");
  return {
    version: integerOf(fields, "version"),
    envId: textOf(fields, "envID"),
    ...sdkKeysFrom(fields),
    mobileKey: textOf(fields, "mobKey"),
    secureMode: truthOf(fields, "secureMode"),
    ttlMs: Math.max(0, integerOf(fields, "defaultTtl")) * msPerMinute,
    about: aboutFrom(fields),
  };
}

/**
 * Reads the keys of an environment that cannot be used as a whole, and is this one as far as it says. Of what is wrong with them
 * themselves nothing is said, as if upstream had named none.
 */
export function readAnnouncedKeys(id: string, value: unknown): AnnouncedKeys {
  const fields = isFields(value) && (value.envID ?? id) === id ? value : {};
  return {
    ...orElse(() => sdkKeysFrom(fields), { sdkKey: "", expiring: undefined }),
    mobileKey: orElse(() => textOf(fields, "mobKey"), ""),
  };
}

function orElse<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function sdkKeysFrom(fields: Fields): Pick<AnnouncedKeys, "sdkKey" | "expiring"> {
  const sdkKey = demandFields(fields.sdkKey ?? {}, "sdkKey");
  return { sdkKey: textOf(sdkKey, "value"), expiring: expiringFrom(sdkKey.expiring) };
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
