import type { Relay } from "@wye/relay";
import type { Host } from "../host.js";
import { messageOf } from "../message-of.js";
import type { Config } from "./config/config.js";
import { type ConfigSources, loadConfig } from "./config/load-config.js";
import { propertiesOf, type SectionName, sectionNames, sectionOf } from "./config/sections.js";
import type { Supplies } from "./databases.js";
import { environmentFrom } from "./environment-options.js";
import { type Log, logRules } from "./log.js";
import { lineOf } from "./problem-lines.js";
import { tryConfig } from "./try-config.js";

/** What a configuration that is read again is applied to. */
export interface Running {
  readonly relay: Relay;
  readonly stores: Supplies;
  readonly log: Log;
  readonly host: Host;
  readonly sources: ConfigSources;
  /** Whether flags come from a file of a developer. */
  readonly isDev: boolean;
  /** What holds now. */
  config: Config;
}

/** Reads the configuration again and applies what can be without a restart. A wrong one changes nothing. */
export async function reload(running: Running): Promise<void> {
  const { log, host, sources, isDev, config: before } = running;
  const { cwd, env } = host;
  const loaded = await loadConfig(sources);
  const problems =
    loaded.problems.length > 0 ? loaded.problems : await tryConfig(loaded.config, { cwd, env, isDev });
  if (problems.length > 0) {
    for (const problem of problems) log.error(lineOf(problem));
    log.error("the configuration stays as it was");
    return;
  }
  for (const warning of loaded.warnings) log.warn(lineOf(warning));
  running.config = loaded.config;
  log.follow(logRules(loaded.config));
  if (isManual(before) && isManual(loaded.config)) await changeEnvironments(running, before);
  for (const place of unapplied(before, loaded.config)) log.warn(`${place} has changed; it needs a restart`);
  log.info(`read ${loaded.description} again`);
}

function isManual(config: Config): boolean {
  return config.of("AutoConfig").key === undefined && config.of("OfflineMode").fileDataSource === undefined;
}

/** What has changed and holds only from the next start on. */
function unapplied(before: Config, after: Config): readonly string[] {
  const applied = new Set(["Main.logLevel", "Wye.logFormat"]);
  return sectionNames
    .filter((section) => !sectionOf(section).named)
    .flatMap((section) =>
      propertiesOf(section)
        .filter(([key]) => !applied.has(`${section}.${key}`) && !isEqual(before, after, section, key))
        .map(([key]) => `[${section}] ${key}`),
    );
}

function isEqual(before: Config, after: Config, section: SectionName, key: string): boolean {
  const [old, now] = [before, after].map((config): unknown => Reflect.get(config.of(section), key));
  return JSON.stringify(old) === JSON.stringify(now);
}

/**
 * Removes, changes and adds environments. Streams of those that stay the same go on. One that cannot be added keeps no other from
 * it, and is tried again the next time: what counts is what runs.
 */
async function changeEnvironments(running: Running, before: Config): Promise<void> {
  const { relay, config, stores, log } = running;
  const now = config.namesOf("Environment");
  const old = relay.environments.names();
  const isKnown = (name: string) => old.includes(name);
  const remove = (name: string) => relay.environments.remove(name);
  const gone = old.filter((name) => !now.includes(name));
  await Promise.all(gone.map(remove));
  const changed = now.filter((name) => isKnown(name) && describe(before, name) !== describe(config, name));
  const updated = await Promise.all(changed.map((name) => update(running, before, name)));
  const renewed = changed.filter((_, index) => !updated[index]);
  // Keys may have gone from one to another: all of them are removed before the first is added.
  await Promise.all(renewed.map(remove));
  for (const name of gone) log.info(`[${name}] is removed`);
  for (const name of changed) if (!renewed.includes(name)) log.info(`[${name}] is changed`);
  const add = async (name: string, what: string) => {
    try {
      const added = relay.environments.add(name, environmentFrom(config, name, stores));
      if (relay.environments.names().includes(name)) log.info(`[${name}] is ${what}`);
      await added;
    } catch (error) {
      log.error(`[${name}] cannot be served: ${messageOf(error)}`);
    }
  };
  await Promise.all([
    ...renewed.map((name) => add(name, "started anew")),
    ...now.filter((name) => !isKnown(name)).map((name) => add(name, "added")),
  ]);
}

/** Changes a running environment, if that can be done. */
async function update({ relay, config }: Running, before: Config, name: string): Promise<boolean> {
  if (!isLasting(before, config, name)) return false;
  const { envId: _, ...changes } = environmentFrom(config, name, {});
  try {
    await relay.environments.update(name, { mobileKey: null, ...changes });
    return true;
  } catch {
    return false;
  }
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
