import { systemClock } from "../clock.js";
import { ConfiguredEnvironments, type EnvironmentsPort } from "../configured-environments.js";
import { type DirectoryEntry, EnvironmentDirectory } from "../environment-directory.js";
import { KeyRing } from "../key-ring.js";
import { silentLogger } from "../logger.js";
import { resolveEnvironment } from "../options/resolve-environment.js";
import type { OfflineChange } from "./offline-source.js";

/** What becomes of the environments of a file. */
export interface JudgedEnvironments {
  /** The names of those that are served. */
  readonly served: readonly string[];
  /** A sentence for each that is not. */
  readonly refused: readonly string[];
}

/** Has the environments of a file judged as by a relay that starts with it, and starts none of them. */
export async function judgeEnvironments({
  environments,
  broken,
}: OfflineChange): Promise<JudgedEnvironments> {
  const directory = new EnvironmentDirectory<DirectoryEntry>(systemClock);
  const refused: string[] = [];
  const configured = new ConfiguredEnvironments({
    port: unstarted(directory),
    logger: silentLogger,
    clock: systemClock,
    random: Math.random,
    report: ({ message }) => refused.push(message),
  });
  await configured.apply(environments, broken);
  configured.close();
  return { served: directory.names(), refused };
}

/** Takes environments as the registry of a relay does. Nothing of what is new is ever changed. */
function unstarted(directory: EnvironmentDirectory<DirectoryEntry>): EnvironmentsPort {
  return {
    addNow(name, options) {
      const settings = resolveEnvironment(name, options);
      directory.refuseTaken(name, settings);
      directory.add({ name, settings, ring: new KeyRing(systemClock, settings.keys, () => {}) });
    },
    updateNow: () => ({ isAnew: false }),
    async remove() {},
    unserved: { replace() {}, expect() {} },
  };
}
