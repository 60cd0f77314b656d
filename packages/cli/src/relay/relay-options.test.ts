import { didYouMean } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { readConfig } from "./config/load-config.js";
import { type RelayParts, relayOptionsFrom } from "./relay-options.js";

const logger = { debug() {}, info() {}, warn() {}, error() {} };

function optionsOf(text: string, parts: Partial<RelayParts> = {}) {
  const { config, problems } = readConfig({ file: { text, name: "relay.conf" } }, didYouMean);
  expect(problems).toEqual([]);
  return relayOptionsFrom(config, { stores: {}, logger, cwd: "/etc", ...parts });
}

const environment = '[Environment "a"]\nsdkKey = sdk-a\n';
const services = {
  stream: "https://stream.launchdarkly.com",
  polling: "https://sdk.launchdarkly.com",
  events: "https://events.launchdarkly.com",
};

test.each<[string, object]>([
  ["", {}],
  ["baseUri = https://app.launchdarkly.com", {}],
  ["baseUri = https://app.launchdarkly.com//", {}],
  ["baseUri = https://sdk.launchdarkly.com/", {}],
  ["baseUri = https://own.example/", { polling: "https://own.example/", app: "https://own.example/" }],
  ["clientSideBaseUri = https://side.example", { app: "https://side.example" }],
  [
    "baseUri = https://own.example\nclientSideBaseUri = https://side.example",
    { polling: "https://own.example", app: "https://side.example" },
  ],
  ["streamUri = https://stream.example", { stream: "https://stream.example" }],
])("upstream is the service unless the configuration says otherwise: %j", (lines, others) => {
  const { upstream } = optionsOf(`[Main]\n${lines}\n${environment}`);
  expect(upstream).toEqual({ ...services, ...others });
});

test("events go where the configuration says, as it says, or nowhere", () => {
  const events = (text: string) => optionsOf(text).events;
  expect(events(environment)).toBe(false);
  const sent =
    "[Events]\nsendEvents = true\nflushInterval = 7s\ncapacity = 5\nmaxInboundPayloadSize = 3KiB\n";
  expect(events(sent + environment)).toEqual({ flushInterval: 7000, capacity: 5, maxBodyBytes: 3072 });
  const most = Math.floor(Number.MAX_SAFE_INTEGER / 8);
  for (const [size, maxBodyBytes] of [
    [`${most}B`, most],
    [`${most + 1}B`, most],
    ["7EiB", most],
  ] as const)
    expect(events(sent.replace("3KiB", size) + environment)).toMatchObject({ maxBodyBytes });
  expect(events(`${sent}eventsUri = https://e.example\n[OfflineMode]\nfileDataSource = f\n`)).toBe("discard");
  expect(events("[OfflineMode]\nfileDataSource = f\n")).toBe("discard");
  const { upstream } = optionsOf(`[Events]\neventsUri = https://e.example\n${environment}`);
  expect(upstream).toMatchObject({ events: "https://e.example" });
});

test.each<[string, number]>([
  ["0s", 0],
  ["-5s", 0],
  ["1ms", 1],
  ["1500us", 2],
  ["90m", 5_400_000],
  ["2000000h", 100 * 365 * 24 * 3_600_000],
])("a time span of %s is one of %i ms for a relay", (text, ms) => {
  const { streams } = optionsOf(`[Main]\nmaxClientConnectionTime = ${text}\n${environment}`);
  expect(streams).toMatchObject({ maxConnectionTime: ms });
});

test("what a relay is told of itself", () => {
  const main =
    "[Main]\nheartbeatInterval = 1m\ninitTimeout = 2s\ndisconnectedStatusTime = 3s\nbigSegmentsStaleAsDegraded = true\nbigSegmentsStaleThreshold = 4m\n";
  expect(optionsOf(main + environment)).toMatchObject({
    streams: { heartbeat: 60_000, maxConnectionTime: 0 },
    initTimeout: 2000,
    disconnectedStatusTime: 3000,
    bigSegments: { staleAsDegraded: true, staleThreshold: 240_000 },
    publicStatus: true,
    logger,
  });
  expect(optionsOf(environment)).toMatchObject({ bigSegments: { staleAsDegraded: false } });
  expect(optionsOf(`${environment}[Wye]\nstatusPort = 9\n`).publicStatus).toBe(false);
});

test("what a relay is made of is handed on, and is not there where there is none", () => {
  const [dispatcher, metrics] = [{}, {}] as unknown as [
    NonNullable<RelayParts["dispatcher"]>,
    NonNullable<RelayParts["metrics"]>,
  ];
  const without = optionsOf(environment);
  expect([without.upstream, without]).not.toEqual(
    expect.arrayContaining([expect.objectContaining({ dispatcher: expect.anything() })]),
  );
  expect("metrics" in without).toBe(false);
  const given = optionsOf(environment, { dispatcher, metrics });
  expect(given.upstream?.dispatcher).toBe(dispatcher);
  expect(given.metrics).toBe(metrics);
});

const source = () => ({ close() {} });
const store = (() => {}) as never;
const bigSegments = (() => {}) as never;
const rules = { allowedOrigins: ["o"], allowedHeaders: ["h"], clientStream: "evaluated" };

test("environments come from the configuration, from upstream, or out of a file", () => {
  const stores = { store, bigSegments };
  const named = optionsOf(environment, { stores });
  expect(named).toMatchObject({ environments: { a: { sdkKey: "sdk-a", store, bigSegments } } });
  expect([named.autoConfig, named.offline]).toEqual([undefined, undefined]);

  const auto = "[AutoConfig]\nkey = rel-1\nenvAllowedOrigin = o\nenvAllowedHeader = h\n";
  const announced = optionsOf(auto, { stores });
  expect(announced.autoConfig).toEqual({ key: "rel-1", ...rules, ...stores });
  expect([announced.environments, announced.offline]).toEqual([undefined, undefined]);
  expect(optionsOf(auto, { announcements: source }).autoConfig).toEqual({
    key: "rel-1",
    announcements: source,
    ...rules,
  });

  const offline =
    "[OfflineMode]\nfileDataSource = flags.json\nfileDataSourceMonitoringInterval = 9s\nenvAllowedOrigin = o\nenvAllowedHeader = h\n";
  const file = { file: "/etc/flags.json", checkInterval: 9000, ...rules };
  const read = optionsOf(offline, { stores });
  expect(read.offline).toEqual({ ...file, store });
  expect([read.environments, read.autoConfig]).toEqual([undefined, undefined]);
  const keys = { sdkKey: "k" };
  expect(optionsOf(offline, { contents: source, keys } as Partial<RelayParts>).offline).toEqual({
    ...file,
    contents: source,
    keys,
  });
  const pings = optionsOf(`${offline}[Wye]\nclientPing = true\n`);
  expect(pings.offline).toMatchObject({ clientStream: "ping" });
});
