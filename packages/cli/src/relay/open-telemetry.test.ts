import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { diag } from "@opentelemetry/api";
import { expect, onTestFinished, test, vi } from "vitest";
import { version } from "../version.js";
import { readConfig } from "./config/load-config.js";
import { openTelemetryFrom, type TelemetryContext, tryOpenTelemetry } from "./open-telemetry.js";

const configOf = (isOn: boolean) =>
  readConfig({ file: { name: "f", text: `[Wye]\nopenTelemetry = ${isOn}\n` } }, () => undefined).config;

const taken: RequestListener = (_, res) =>
  void res.writeHead(200, { "content-type": "application/json" }).end("{}");

/** A collector that answers like this; what it was sent. */
async function startCollector(answer = taken): Promise<readonly string[]> {
  const received: string[] = [];
  const server = createServer(async (req, res) => {
    received.push(await text(req));
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The exporter reads the variables of this process.
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.close();
    server.closeAllConnections();
  });
  return received;
}

/** What measurements are sent by that has something to send, and what it has warned of. */
async function start(context: Partial<TelemetryContext> = {}) {
  const warnings: string[] = [];
  const logger = { debug() {}, info() {}, warn: (line: string) => void warnings.push(line), error() {} };
  const telemetry = await openTelemetryFrom(configOf(true), {
    ...{ env: {}, logger, worker: undefined },
    ...context,
  });
  onTestFinished(() => diag.disable());
  telemetry?.metrics.count("requests", 1, {});
  return { warnings, close: async () => telemetry?.close() };
}

/** The times for which one of these timers was set. */
function timesOf(timer: "setInterval" | "setTimeout") {
  const set = vi.spyOn(globalThis, timer);
  onTestFinished(() => set.mockRestore());
  return () => set.mock.calls.map(([, ms]) => ms);
}

test("nothing is sent, and nothing is missing, where it is not switched on", async () => {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const context = { env: {}, logger, worker: undefined };
  expect(await openTelemetryFrom(configOf(false), context)).toBeUndefined();
  await tryOpenTelemetry(configOf(false));
});

test.each([
  [undefined, 60_000],
  ["", 60_000],
  ["1", 1],
  ["2147483647", 2 ** 31 - 1],
  ["2147483648", 60_000],
  ["0", 60_000],
  ["1.5", 60_000],
  ["soon", 60_000],
] as const)("with an interval of %j measurements are sent every %i ms", async (text, everyMs) => {
  await startCollector();
  const intervals = timesOf("setInterval");
  const { warnings, close } = await start({ env: { OTEL_METRIC_EXPORT_INTERVAL: text } });
  expect(intervals()).toContain(everyMs);
  const isUsed = !text || String(everyMs) === text;
  const warning = `OpenTelemetry: OTEL_METRIC_EXPORT_INTERVAL is a whole number of milliseconds from 1 to 2147483647: 60000 holds in place of "${text}"`;
  expect(warnings.filter((line) => line.includes("INTERVAL"))).toEqual(isUsed ? [] : [warning]);
  await close();
});

test.each([
  ["5000", 5000],
  ["30001", 30_000],
  [undefined, 30_000],
])("with an interval of %j the collector has %i ms to take them", async (text, ms) => {
  const received = await startCollector();
  const times = timesOf("setTimeout");
  const { close } = await start({ env: { OTEL_METRIC_EXPORT_INTERVAL: text } });
  await close();
  expect(received).toHaveLength(1);
  expect(times()).toContain(ms);
});

test.each([
  [undefined, undefined],
  [1, "1"],
  [12, "12"],
])("of worker %j the collector is told as the instance %j", async (worker, instance) => {
  const received = await startCollector();
  const { close } = await start({ worker });
  await close();
  const attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[] =
    JSON.parse(received[0] ?? "").resourceMetrics[0].resource.attributes;
  expect(Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]))).toEqual({
    "service.name": "wye-relay",
    "service.version": version(),
    ...(instance === undefined ? {} : { "service.instance.id": instance }),
  });
});

test("what the variable of OpenTelemetry says of the service wins", async () => {
  const received = await startCollector();
  vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "service.name=mine,deployment.environment=test");
  const { close } = await start();
  await close();
  expect(received[0]).toContain('{"key":"service.name","value":{"stringValue":"mine"}}');
  expect(received[0]).toContain('{"key":"deployment.environment","value":{"stringValue":"test"}}');
  expect(received[0]).not.toContain("wye-relay");
});

test("its errors and warnings are warnings, and all else it says is not told, however often it is begun", async () => {
  await startCollector();
  await (await start()).close();
  const { warnings, close } = await start();
  for (const level of ["error", "warn", "info", "debug", "verbose"] as const) diag[level](`one ${level}`);
  expect(warnings).toEqual(["OpenTelemetry: one error", "OpenTelemetry: one warn"]);
  await close();
});

test("a collector is given up after two seconds at the end, and left behind", async () => {
  const leaveBehind = vi.fn();
  await startCollector();
  await (await start({ leaveBehind })).close();
  expect(leaveBehind).not.toHaveBeenCalled();
  await startCollector(() => {});
  const { close } = await start({ leaveBehind });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = close();
  await vi.advanceTimersByTimeAsync(1999);
  expect(leaveBehind).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await closed;
  expect(leaveBehind).toHaveBeenCalledOnce();
});
