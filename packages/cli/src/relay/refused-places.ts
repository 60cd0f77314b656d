import { isRelayError, systemClock } from "@wye/relay";
import { usedDatabases } from "./config/check-config.js";
import type { Config } from "./config/config.js";
import type { Problem } from "./config/parse-file.js";
import type { Supplies } from "./databases.js";
import { type Variant, variantsIn } from "./environment-variants.js";

const logger = { debug() {}, info() {}, warn() {}, error() {} };
/** As IDs look that upstream gives. */
const someId = "0123456789abcdef01234567";

/**
 * A problem for each place that its database does not take. The stores say so themselves: they are opened, and nothing is asked of
 * them. Redis takes everything, and would be connected to.
 */
export async function refusedPlaces(config: Config, { store }: Supplies): Promise<readonly Problem[]> {
  const [database] = usedDatabases(config);
  if (store === undefined || database === undefined || database === "Redis") return [];
  const found = new Map<string, Problem>();
  for (const variant of placedIn(config)) {
    try {
      await store({ ...variant, logger, clock: systemClock }).close();
    } catch (error) {
      if (!isRelayError(error)) throw error;
      for (const message of error.problems) {
        const problem = problemOf(config, variant, message);
        // Filters, and environments without a place of their own, say the same once more.
        const key = JSON.stringify(problem.at ?? [variant.name, message]) + message;
        if (!found.has(key)) found.set(key, problem);
      }
    }
  }
  return [...found.values()];
}

/** Those of the file; otherwise one like those that are yet to be announced. */
function placedIn(config: Config): readonly Variant[] {
  const variants = variantsIn(config);
  return variants.length > 0
    ? variants
    : [{ name: "", environment: someId, envId: someId, filter: undefined }];
}

function problemOf(config: Config, { name, environment }: Variant, message: string): Problem {
  const origins = originsOf(config, name, /\btable must\b/.test(message));
  const text = name === "" ? message : `${JSON.stringify(environment)} cannot be kept: ${message}`;
  return origins.length === 0 ? { message: text } : { at: origins.join(", "), message: text };
}

/** Where it was set: for the environment, for all that are announced, for the database. */
function originsOf(config: Config, name: string, isTable: boolean): readonly string[] {
  const [own, announced] = isTable
    ? (["tableName", "envDatastoreTableName"] as const)
    : (["prefix", "envDatastorePrefix"] as const);
  const candidates = [
    name === "" ? [] : config.originsOf("Environment", own, name),
    config.originsOf("AutoConfig", announced),
    config.originsOf("OfflineMode", announced),
    isTable ? config.originsOf("DynamoDB", "tableName") : [],
  ];
  return candidates.find((origins) => origins.length > 0) ?? [];
}
