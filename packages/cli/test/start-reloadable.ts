import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createRelay, type FlagStore, type FlagStoreContext, systemClock } from "@wye/relay";
import { onTestFinished } from "vitest";
import { loadConfig } from "../src/relay/config/load-config.js";
import type { LogRules } from "../src/relay/log.js";
import { relayOptionsFrom } from "../src/relay/relay-options.js";
import { type Running, reload } from "../src/relay/reload.js";
import { fakeUpstream, mainSection } from "./relay-and-upstream.js";
import { makeFolder } from "./run-program.js";

/** The lines of an environment of a file. */
export const environment = (name: string, sdkKey = `sdk-${name}`, more = "") =>
  `[Environment "${name}"]\nsdkKey = ${sdkKey}\nprefix = ${name}\n${more}`;

/** A store that keeps nothing. */
export const emptyStore = (close = async () => {}): FlagStore => ({
  read: async () => undefined,
  replace: async () => {},
  upsert: async () => [],
  close,
});

/** A relay of a configuration file whose stores are in the hands of the test. */
export async function startReloadable(
  lines: string,
  store: (context: FlagStoreContext) => FlagStore,
  clock = systemClock,
) {
  const upstream = await fakeUpstream("sdk-p", "sdk-q", "sdk-r");
  const cwd = makeFolder();
  const write = (text: string) => writeFileSync(join(cwd, "relay.conf"), mainSection(upstream) + text);
  write(lines);
  const sources = { cwd, file: "relay.conf" };
  const { config } = await loadConfig(sources);
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const followed: LogRules[] = [];
  const follow = (rules: LogRules) => void followed.push(rules);
  const log = { debug() {}, info: print, warn: print, error: print, follow };
  const relay = createRelay({ ...relayOptionsFrom(config, { stores: { store }, logger: log, cwd }), clock });
  const server = createServer(relay.handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await relay.close({ within: 0 });
  });
  const running: Running = {
    relay,
    stores: { store },
    log,
    sources,
    trial: { cwd, env: {}, isDev: false, isWorker: false },
    started: config,
    config,
    latest: config,
  };
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    base,
    cwd,
    relay,
    running,
    printed,
    followed,
    /** Reads this; gives what is said to need a restart. */
    async again(text: string): Promise<readonly string[]> {
      const before = printed.length;
      write(text);
      await reload(running);
      const ending = " has changed; it needs a restart";
      return printed
        .slice(before)
        .flatMap((line) => (line.endsWith(ending) ? [line.slice(0, -ending.length)] : []));
    },
  };
}
