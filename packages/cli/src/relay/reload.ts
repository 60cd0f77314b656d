import { isRelayError, type Relay } from "@wye/relay";
import { messageOf } from "../message-of.js";
import type { Config } from "./config/config.js";
import type { ConfigSources } from "./config/load-config.js";
import { propertiesOf, type SectionName, sectionNames, sectionOf } from "./config/sections.js";
import type { Supplies } from "./databases.js";
import { environmentFrom } from "./environment-options.js";
import { readAgain } from "./load-usable.js";
import { type Log, logRules } from "./log.js";
import { lineOf } from "./problem-lines.js";
import type { Trial } from "./try-config.js";

/** What a configuration that is read again is applied to. */
export interface Running {
  readonly relay: Relay;
  readonly stores: Supplies;
  readonly log: Log;
  readonly sources: ConfigSources;
  /** What it is tried with. */
  readonly trial: Trial;
  /** Of the start: what only a restart changes. */
  readonly started: Config;
  /** What the environments are made of that run now. */
  config: Config;
  /** What was read last: of what is looked at when it is needed. */
  latest: Config;
}

/** Reads the configuration again and applies what can be without a restart. A wrong one changes nothing. */
export async function reload(running: Running): Promise<void> {
  const { log, sources, trial, started, config: before } = running;
  const loaded = await readAgain(sources, trial, log);
  if (loaded === undefined) return;
  const now = loaded.config;
  for (const warning of loaded.warnings) log.warn(lineOf(warning));
  running.latest = now;
  log.follow(logRules(now));
  const hasEnvironments = isManual(started) && isManual(now);
  if (hasEnvironments) {
    running.config = now;
    try {
      await changeEnvironments(running, before);
    } catch (error) {
      // It was asked to end meanwhile: nobody is left to be served.
      if (isClosed(error)) return;
      throw error;
    }
  }
  const applied = hasEnvironments ? [...atOnce, ...withEnvironments] : atOnce;
  for (const place of unapplied(started, now, applied)) log.warn(`${place} has changed; it needs a restart`);
  log.info(`read ${loaded.description} again`);
}

function isClosed(error: unknown): boolean {
  return isRelayError(error) && error.code === "closed";
}

/** What holds as soon as it is read. */
const atOnce = ["Main.logLevel", "Wye.logFormat", "Wye.drainTimeout"];
/** What is a part of every environment of the file. */
const withEnvironments = ["Wye.clientPing"];

/** Whether the environments stand in the configuration. */
export function isManual(config: Config): boolean {
  return config.of("AutoConfig").key === undefined && config.of("OfflineMode").fileDataSource === undefined;
}

/** What is not as at the start, and holds only from the next one on. */
function unapplied(started: Config, now: Config, applied: readonly string[]): readonly string[] {
  return sectionNames
    .filter((section) => !sectionOf(section).named)
    .flatMap((section) =>
      propertiesOf(section)
        .filter(([key]) => !applied.includes(`${section}.${key}`) && !isEqual(started, now, section, key))
        .map(([key]) => `[${section}] ${key}`),
    );
}

function isEqual(before: Config, after: Config, section: SectionName, key: string): boolean {
  const [old, now] = [before, after].map((config): unknown => Reflect.get(config.of(section), key));
  return JSON.stringify(old) === JSON.stringify(now);
}

/**
 * Removes, changes and adds environments. Streams of those that stay the same go on. One that cannot be added keeps no other from
 * it, is told in the status, and is tried again the next time: what counts is what runs.
 */
async function changeEnvironments(running: Running, before: Config): Promise<void> {
  const { relay, config, log } = running;
  const now = config.namesOf("Environment");
  const old = relay.environments.names();
  const added = now.filter((name) => !old.includes(name));
  const gone = old.filter((name) => !now.includes(name));
  const changed = now.filter(
    (name) => old.includes(name) && describe(before, name) !== describe(config, name),
  );
  const unserved = new Map(added.map((name) => [name, starting]));
  tellUnserved(running, unserved);
  removeAll(running, gone);
  const updated = await Promise.all(changed.map((name) => update(running, before, name)));
  const renewed = changed.filter((_, index) => !updated[index]);
  for (const name of gone) log.info(`[${name}] is removed`);
  for (const name of changed) if (!renewed.includes(name)) log.info(`[${name}] is changed`);
  for (const name of renewed) unserved.set(name, starting);
  tellUnserved(running, unserved);
  // Keys may have gone from one to another: all of them are removed before the first is added.
  removeAll(running, renewed);
  const add = (name: string, what: string) => addOne(running, unserved, { name, what });
  await Promise.all([
    ...renewed.map((name) => add(name, "started anew")),
    ...added.map((name) => add(name, "added")),
  ]);
}

/** Adds all environments to a relay that has none, and waits for none of them. */
export function addAll(running: Running): void {
  const unserved = new Map<string, string>();
  // It fails when the relay is closed: nobody is left to be served.
  for (const name of running.config.namesOf("Environment"))
    addOne(running, unserved, { name, what: "added" }).catch(() => {});
}

/** Their keys are unknown at once. Nobody waits for their last events: what is read next, and what is in it, must not hold later for them. */
function removeAll({ relay }: Running, names: readonly string[]): void {
  // It fails when the relay is closed: nobody is left to be served.
  for (const name of names) relay.environments.remove(name).catch(() => {});
}

const starting = "it is being started";

/** Tells why those are not there that should be: to SDKs, too, which stop for good when they meet an unknown key. */
function tellUnserved({ relay, config }: Running, problems: ReadonlyMap<string, string>): void {
  const entries = [...problems].map(([name, problem]) => {
    const options = environmentFrom(config, name, {});
    return [name, { options, problem }] as const;
  });
  relay.environments.setUnserved(Object.fromEntries(entries));
}

/** Adds one, and waits for its flags no longer than until it is there: what is read next must not hold later for them. */
async function addOne(
  running: Running,
  unserved: Map<string, string>,
  { name, what }: { readonly name: string; readonly what: string },
): Promise<void> {
  const { relay, config, stores, log } = running;
  const add = async () => relay.environments.add(name, environmentFrom(config, name, stores));
  const added = add().catch((error: unknown) => {
    if (isClosed(error)) throw error;
    log.error(`[${name}] cannot be served: ${messageOf(error)}`);
    // What was read since then has told its own.
    if (running.config !== config) return;
    // Others than our own may have passwords in them, and strangers read the status.
    unserved.set(name, isRelayError(error) ? error.problems.join("; ") : "the log has why");
    tellUnserved(running, unserved);
  });
  if (!relay.environments.names().includes(name)) return added;
  unserved.delete(name);
  log.info(`[${name}] is ${what}`);
  // It fails when the relay is closed: nobody is left to be served.
  added.catch(() => {});
}

/** Changes a running environment, if that can be done: it is refused at once, or is changed and may wait for flags and last events. */
async function update({ relay, config }: Running, before: Config, name: string): Promise<boolean> {
  if (!isLasting(before, config, name)) return false;
  const { envId: _, ...changes } = environmentFrom(config, name, {});
  const update = relay.environments.update(name, { mobileKey: null, ...changes });
  return Promise.race([
    update.then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setImmediate(resolve, true)),
  ]);
}

/** Everything about an environment that the relay is told. */
function describe(config: Config, name: string): string {
  const { prefix, tableName } = config.of("Environment", name);
  return JSON.stringify([environmentFrom(config, name, {}), prefix, tableName]);
}

/** Whether nothing has changed that an environment is made of. */
function isLasting(before: Config, after: Config, name: string): boolean {
  const [old, now] = [before, after].map((config) => {
    const { envId, prefix, tableName } = config.of("Environment", name);
    return JSON.stringify([envId, prefix, tableName]);
  });
  return old === now;
}
