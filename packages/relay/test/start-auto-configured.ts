import type { AutoConfigOptions, RelayOptions } from "../src/options/options.js";
import type { FakeAutoConfig, FakeConfiguration } from "../src/testing/fake-auto-config.js";
import type { FakeUpstream } from "../src/testing/fake-upstream.js";
import { flag, type Running, startRelay } from "./start-relay.js";

/** An environment as upstream announces it: `n` makes its IDs and keys. */
export function announced(n: number, rest: object = {}): Record<string, unknown> {
  return {
    envID: `env-${n}`,
    envKey: `key-${n}`,
    envName: `Name ${n}`,
    mobKey: `mob-${n}`,
    projKey: "shop",
    projName: "Shop",
    sdkKey: { value: `sdk-${n}` },
    defaultTtl: 0,
    secureMode: false,
    version: 1,
    ...rest,
  };
}

/** Environments by their IDs, as a full set has them. */
export function environmentsOf(...all: readonly Record<string, unknown>[]): Record<string, unknown> {
  return Object.fromEntries(all.map((one) => [String(one.envID), one]));
}

export interface AutoConfigured extends Running {
  readonly configuration: FakeAutoConfig;
  /** The status of a poll with a key, or the version of its one flag. */
  poll(sdkKey: string, filter?: string): Promise<number>;
  /** Which of these keys are accepted. */
  accepted(...sdkKeys: readonly string[]): Promise<string[]>;
}

/** Starts a relay with automatic configuration; every SDK key `sdk-…` has one flag upstream. */
export async function startAutoConfigured(
  first: FakeConfiguration | undefined,
  {
    autoConfig = {},
    options = {},
    prepare = () => {},
  }: {
    autoConfig?: Partial<AutoConfigOptions>;
    options?: RelayOptions;
    prepare?: (upstream: FakeUpstream) => void;
  } = {},
): Promise<AutoConfigured> {
  const running = await startRelay({
    data: Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`sdk-${n}`, { flags: { a: flag("a", n) } }]),
    ),
    environments: {},
    options: { ...options, autoConfig: { key: "rel-1", ...autoConfig } },
    wait: first !== undefined,
    reach(upstream) {
      upstream.autoConfig("rel-1").setConfiguration(first);
      prepare(upstream);
      return upstream.roles;
    },
  });
  const poll = async (authorization: string, filter?: string) => {
    const query = filter === undefined ? "" : `?filter=${filter}`;
    const answer = await running.fetch("GET", `/sdk/flags${query}`, { headers: { authorization } });
    return answer.status === 200 ? Number(JSON.parse(answer.body).a?.version) : answer.status;
  };
  return {
    ...running,
    configuration: running.upstream.autoConfig("rel-1"),
    poll,
    async accepted(...sdkKeys) {
      const statuses = await Promise.all(sdkKeys.map((key) => poll(key)));
      return sdkKeys.filter((_, at) => statuses[at] !== 401);
    },
  };
}
