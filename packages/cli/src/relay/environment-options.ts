import type { EnvironmentOptions } from "@wye/relay";
import type { Config } from "./config/config.js";
import type { Supplies } from "./databases.js";

/** Every environment that the configuration names, as the relay takes it. */
export function environmentsFrom(config: Config, stores: Supplies): Record<string, EnvironmentOptions> {
  const names = config.namesOf("Environment");
  return Object.fromEntries(names.map((name) => [name, environmentFrom(config, name, stores)]));
}

/** One environment as the relay takes it. */
export function environmentFrom(
  config: Config,
  name: string,
  stores: Supplies,
): EnvironmentOptions & Required<Pick<EnvironmentOptions, "filters">> {
  const {
    sdkKey = "",
    mobileKey,
    envId,
    secureMode,
    allowedOrigin,
    allowedHeader,
    ttl,
    projKey,
  } = config.of("Environment", name);
  const filters = projKey === undefined ? [] : (config.of("Filters", projKey).keys ?? []);
  return {
    sdkKey,
    ...(mobileKey === undefined ? {} : { mobileKey }),
    ...(envId === undefined ? {} : { envId }),
    secureMode,
    ttl: Math.max(Math.ceil(ttl ?? 0), 0),
    allowedOrigins: textsOf(allowedOrigin),
    allowedHeaders: textsOf(allowedHeader),
    filters: textsOf(filters),
    clientStream: clientStreamOf(config),
    ...stores,
  };
}

/** What client-side streams carry. */
export function clientStreamOf(config: Config): "ping" | "evaluated" {
  return config.of("Wye").clientPing ? "ping" : "evaluated";
}

/** The texts of a list, without blanks around them and without those that are nothing but blanks. */
export function textsOf(list: readonly string[] = []): readonly string[] {
  return [...new Set(list.map((one) => one.trim()).filter((one) => one !== ""))];
}
