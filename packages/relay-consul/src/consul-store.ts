import { createDatabasePlaces, type FlagStoreFactory, fillPrefix, RelayError } from "@wye/relay";
import { checkOptions, prefixProblems } from "./check-options.js";
import { createConsulKv } from "./consul-kv.js";
import type { ConsulOptions } from "./consul-options.js";
import { createConsulStore } from "./create-consul-store.js";

/**
 * Keeps flags in the key-value store of Consul: `environments: { production: { …, store: consulStore({ address }) } }`.
 * One factory may serve several environments. Throws when the options are wrong.
 */
export function consulStore(options: ConsulOptions = {}): FlagStoreFactory {
  const { cacheTtlMs } = checkOptions(options);
  const places = createDatabasePlaces();
  const kv = createConsulKv(options);
  return (context) => {
    const prefix = fillPrefix(options.prefix ?? "launchdarkly", context);
    const problems = prefixProblems(prefix);
    if (problems.length > 0)
      throw new RelayError("invalid_options", `${problems}: ${JSON.stringify(prefix)}`);
    const release = places.claim(`prefix ${prefix}`, context.environment);
    return createConsulStore({
      kv,
      prefix,
      about: { database: "consul", dbServer: options.address ?? "http://localhost:8500", dbPrefix: prefix },
      ...(cacheTtlMs === undefined ? {} : { cacheTtlMs }),
      logger: context.logger,
      async close() {
        release();
      },
    });
  };
}
