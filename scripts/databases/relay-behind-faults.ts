import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Change, createRelay, type FlagStoreFactory, type Relay, type SourceSink } from "@wye/relay";
import { createManualClock, type ManualClock } from "@wye/relay/testing";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.js";
import { until } from "./until.js";

/** A database, and how a relay keeps flags in it. */
export interface FaultyDatabase {
  readonly port: number;
  /** Keeps the flags of each environment apart by its name; reaches the database at this port. */
  store(port: number): FlagStoreFactory;
  /** What the database has of the flags of an environment: text by key, asked without detours. */
  contents(environment: string): Promise<Readonly<Record<string, string>>>;
  /** Lets it take no writes any more, or take them again. */
  refuseWrites(refuse: boolean): Promise<void>;
}

/** A relay, its time, and what is between it and its database. */
export interface RelayBehindFaults {
  readonly relay: Relay;
  readonly proxy: FaultProxy;
  readonly clock: ManualClock;
  /** What upstream tells; resolves when it is served. */
  deliver(environment: string, change: Change): Promise<void>;
  /** What the relay answers: the text of a flag, or the status that stands for none. */
  ask(environment: string, key: string): Promise<string>;
  storeState(environment: string): string | undefined;
  /** The relay's time goes on, by so much after each question, but no faster than the database, which has to answer within its limits. */
  until(enough: () => Promise<boolean>, stepMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts one for several environments. */
export async function startRelayBehindFaults(
  database: FaultyDatabase,
  environments: readonly string[],
): Promise<RelayBehindFaults> {
  const proxy = await startFaultProxy(database.port);
  const clock = createManualClock();
  const sinks = new Map<string, SourceSink>();
  const store = database.store(proxy.port);
  const relay = createRelay({
    environments: Object.fromEntries(
      environments.map((name) => [
        name,
        {
          sdkKey: `sdk-${name}`,
          store,
          source({ sink }) {
            sinks.set(name, sink);
            return { close() {} };
          },
        },
      ]),
    ),
    events: false,
    clock,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const server = createServer(relay.handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const { port } = address;

  return {
    relay,
    proxy,
    clock,
    async deliver(environment, change) {
      await sinks.get(environment)?.apply(change);
    },
    async ask(environment, key) {
      const headers = { authorization: `sdk-${environment}` };
      const response = await fetch(`http://127.0.0.1:${port}/sdk/flags/${key}`, { headers });
      const text = await response.text();
      return response.ok ? text : String(response.status);
    },
    storeState: (environment) => relay.status().environments[environment]?.dataStoreStatus.state,
    async until(enough, stepMs = 20) {
      await until(enough, Boolean, () => {
        clock.advance(stepMs);
        return pause(2);
      });
    },
    async close() {
      await relay.close({ within: 0 });
      server.closeAllConnections();
      server.close();
      await proxy.close();
    },
  };
}
