import {
  createDatabasePlaces,
  describeAddress,
  explainFailures,
  type FlagStoreFactory,
  fillPrefix,
  RelayError,
} from "@wye/relay";
import { checkOptions, prefixProblems } from "./check-options.js";
import { createConsulKv } from "./consul-kv.js";
import type { ConsulOptions } from "./consul-options.js";
import { createConsulStore } from "./create-consul-store.js";
import { remediesUnder } from "./remedies.js";
import { shareAgent } from "./share-agent.js";

/**
 * Keeps flags in the key-value store of Consul: `environments: { production: { …, store: consulStore({ address }) } }`.
 * One factory may serve several environments. Throws when the options are wrong.
 */
export function consulStore(options: ConsulOptions = {}): FlagStoreFactory {
  const { cacheTtlMs } = checkOptions(options);
  const { address = "http://localhost:8500", datacenter, prefix: template = "launchdarkly" } = options;
  const dbServer = describeAddress(address);
  const server = JSON.stringify([new URL(address).host, datacenter]);
  const ownPlaces = createDatabasePlaces();
  const lease = shareAgent(options.dispatcher);
  return (context) => {
    const prefix = fillPrefix(template, context);
    const problems = prefixProblems(prefix);
    if (problems.length > 0)
      throw new RelayError("invalid_options", `consulStore: ${problems}: ${JSON.stringify(prefix)}`);
    const place = `flags under prefix ${JSON.stringify(prefix)}`;
    const release = (context.places ?? ownPlaces).claim(server, place, context.environment);
    const { dispatcher, end } = lease();
    const store = createConsulStore({
      kv: createConsulKv({ ...options, dispatcher }, context.clock),
      prefix,
      about: { database: "consul", dbServer, dbPrefix: prefix },
      ...(cacheTtlMs === undefined ? {} : { cacheTtlMs }),
      logger: context.logger,
      async close() {
        end();
        release();
      },
    });
    return explainFailures(store, remediesUnder(prefix));
  };
}
