import { fillPlace, fillPrefix, systemClock } from "@wye/relay";
import { usedDatabases } from "./config/check-config.js";
import type { Config } from "./config/config.js";
import type { Problem } from "./config/parse-file.js";
import { defaultPrefix, findPlace } from "./databases.js";
import { type Variant, variantsIn } from "./environment-variants.js";

/** A problem for each environment that would overwrite the flags of one before it. */
export function sharedPlaces(config: Config): readonly Problem[] {
  const [database] = usedDatabases(config);
  if (database === undefined) return [];
  const owners = new Map<string, string>();
  return variantsIn(config).flatMap(({ name, ...variant }): readonly Problem[] => {
    const place = placeOf(config, variant, database === "DynamoDB");
    const owner = owners.get(place);
    if (owner === undefined) {
      owners.set(place, variant.environment);
      return [];
    }
    const origins = ["prefix", "tableName"].flatMap((key) => config.originsOf("Environment", key, name));
    const message = `${JSON.stringify(variant.environment)} and ${JSON.stringify(owner)} would overwrite each other's flags ${place}: give each a place of its own, or put $CID into it`;
    return [origins.length === 0 ? { message } : { at: origins.join(", "), message }];
  });
}

const logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Where the flags are, as a store would be told. */
function placeOf(config: Config, variant: Omit<Variant, "name">, isDynamo: boolean): string {
  const context = { ...variant, logger, clock: systemClock };
  const { prefix = isDynamo ? "" : defaultPrefix, table } = findPlace(config, variant);
  const under = `under prefix ${JSON.stringify(fillPrefix(prefix, context))}`;
  if (!isDynamo) return under;
  const { tableName = "" } = config.of("DynamoDB");
  return `in table ${fillPlace(table ?? tableName, context)} ${under}`;
}
