import { checkMembers, type Members } from "./check-members.js";
import { clientConfig } from "./client-config.js";
import { Follower } from "./follower.js";
import { guardedLogger } from "./guarded-logger.js";
import { checkMs, checkShare } from "./numbers.js";
import type { PostgresCatalogue, PostgresCatalogueOptions } from "./postgres-catalogue.js";
import { checkSchema, defaultSchema } from "./schema-name.js";

const members: Members<PostgresCatalogueOptions> = {
  connection: 1,
  schema: 1,
  pollMs: 1,
  timeoutMs: 1,
  brandAliases: "an object",
  extension: "an object",
  leastShare: 1,
  logger: "an object",
};

/**
 * Makes a catalogue of what a database holds. It is all in memory, so search and order are those of the catalogue in memory,
 * and it goes on while the database is away. It follows every change: told by a notification, or else at the next poll.
 */
export function createPostgresCatalogue(options: PostgresCatalogueOptions): PostgresCatalogue {
  checkMembers("createPostgresCatalogue", options, members);
  const { connection, schema = defaultSchema, pollMs = 5000, timeoutMs = 10_000 } = options;
  const { brandAliases, extension, leastShare = 0.5, logger } = options;
  // What cannot be meant is refused here, not at each attempt to connect.
  clientConfig(connection, timeoutMs);
  const follower = new Follower({
    connection,
    schema: checkSchema(schema),
    pollMs: checkMs("pollMs", pollMs),
    timeoutMs,
    brandAliases,
    extension,
    leastShare: checkShare(leastShare),
    logger: guardedLogger(logger),
  });
  return {
    ...(extension === undefined ? {} : { extension }),
    understands: follower.understands,
    snapshot: () => follower.snapshot(),
    ready: () => follower.loaded.passed,
    refresh: async (once = {}) => {
      checkMembers("refresh", once, { leastShare: 1 });
      return follower.refresh(once.leastShare === undefined ? undefined : checkShare(once.leastShare));
    },
    health: () => follower.health.read(),
    close: () => follower.close(),
  };
}
