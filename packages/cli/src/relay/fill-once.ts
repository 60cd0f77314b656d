import type { Relay, RelayStatus } from "@wye/relay";
import type { ExitCode } from "../exit-code.js";
import { aborted } from "./aborted.js";
import type { Config } from "./config/config.js";
import type { Log } from "./log.js";

/** What fills a database. */
export interface Filling {
  readonly relay: Pick<Relay, "ready" | "status" | "close">;
  readonly log: Pick<Log, "error">;
  readonly config: Config;
}

const lookEveryMs = 50;

/** Waits until every environment has data, and its database what they need, or has failed: for programs that do only this. */
export async function fillOnce({ relay, log, config }: Filling, interrupted: AbortSignal): Promise<ExitCode> {
  const startedOn = Date.now();
  const close = () => relay.close({ within: Math.max(config.of("Wye").drainTimeout, 0) });
  const ready = await Promise.race([relay.ready(), aborted(interrupted)]);
  if (ready === undefined) {
    log.error("asked to end before every environment had data");
    await close();
    return 1;
  }
  if (hasFailed(ready)) {
    await close();
    log.error("Unable to create relay: one or more environments failed to initialize");
    return 1;
  }
  const limitMs = Math.max(config.of("Main").initTimeout, 0);
  const behind = await waitForMembers(() => behindSince(relay.status(), startedOn), limitMs, interrupted);
  await close();
  for (const name of behind)
    log.error(
      `[${name}] the database does not have the members of big segments: they did not come within initTimeout, or could not be written`,
    );
  const unwritten = namesOf(relay.status(), ({ dataStoreStatus }) => dataStoreStatus.state !== "VALID");
  for (const name of unwritten)
    log.error(`[${name}] the database does not have the flags: it could not be written`);
  return behind.length + unwritten.length === 0 ? 0 : 1;
}

function hasFailed({ environments, configurationStatus }: RelayStatus): boolean {
  const states = [configurationStatus, ...Object.values(environments).map((one) => one.connectionStatus)];
  return states.some((one) => one !== undefined && one.state !== "VALID");
}

/** The environments with big segments whose members were not found in step since then: what earlier runs have found is past. */
function behindSince(status: RelayStatus, timeMs: number): readonly string[] {
  return namesOf(
    status,
    ({ bigSegmentStatus: members }) => members !== undefined && members.lastSynchronizedOn < timeMs,
  );
}

/** Looks again and again until nothing is behind; gives what still is when that has taken too long. */
async function waitForMembers(
  behind: () => readonly string[],
  limitMs: number,
  interrupted: AbortSignal,
): Promise<readonly string[]> {
  const until = performance.now() + limitMs;
  for (;;) {
    const found = behind();
    if (found.length === 0 || interrupted.aborted || performance.now() >= until) return found;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

function namesOf(
  { environments }: RelayStatus,
  isMeant: (one: RelayStatus["environments"][string]) => boolean,
): readonly string[] {
  return Object.entries(environments).flatMap(([name, one]) => (isMeant(one) ? [name] : []));
}
