import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { expect, test } from "vitest";
import { openTelemetrySink } from "../src/index.js";
import { keys, startRelay } from "./start-relay.js";

test("an OpenTelemetry meter receives what is measured, under bounded labels", async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const provider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
  const { fetch, open } = await startRelay({
    options: { metrics: openTelemetrySink(provider.getMeter("test")) },
  });
  for (const path of ["/sdk/flags", "/sdk/flags/a", "/sdk/flags/b"]) {
    await fetch("GET", path, { headers: { authorization: keys.sdkKey } });
  }
  const stream = await open("/all", { headers: { authorization: keys.sdkKey } });
  await stream.next();
  await provider.forceFlush();
  const found = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap(({ metrics }) => metrics)
    .flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => ({ name: descriptor.name, ...attributes, value })),
    );
  await provider.shutdown();
  const environment = "prod";
  expect(found).toEqual(
    expect.arrayContaining([
      { name: "wye.relay.requests", environment, endpoint: "php-flags", status: "2xx", value: 1 },
      { name: "wye.relay.requests", environment, endpoint: "php-flag", status: "2xx", value: 1 },
      { name: "wye.relay.requests", environment, endpoint: "php-flag", status: "4xx", value: 1 },
      {
        name: "wye.relay.request_seconds",
        endpoint: "php-flag",
        value: expect.objectContaining({ count: 2 }),
      },
      { name: "wye.relay.requests", environment, endpoint: "all-stream", status: "2xx", value: 1 },
      { name: "wye.relay.open_streams", environment, channel: "all", value: 1 },
      { name: "wye.relay.updates", environment, kind: "put", value: 1 },
    ]),
  );
});

test("each instrument is made once, and receives amounts and labels as they are", () => {
  const calls: unknown[] = [];
  const noting = (what: string) => (name: string) => {
    calls.push([what, name]);
    const note = (amount: number, labels: object) => calls.push([name, amount, labels]);
    return { add: note, record: note };
  };
  const sink = openTelemetrySink({
    createCounter: noting("counter"),
    createGauge: noting("gauge"),
    createHistogram: noting("histogram"),
  });
  sink.count("events_dropped", 3, { reason: "a" });
  sink.count("events_dropped", 2, { reason: "b" });
  sink.gauge("open_streams", 4, { channel: "all" });
  sink.gauge("open_streams", 0, { channel: "all" });
  sink.observe?.("request_seconds", 0.5, { endpoint: "goals" });
  expect(calls).toEqual([
    ["counter", "wye.relay.events_dropped"],
    ["wye.relay.events_dropped", 3, { reason: "a" }],
    ["wye.relay.events_dropped", 2, { reason: "b" }],
    ["gauge", "wye.relay.open_streams"],
    ["wye.relay.open_streams", 4, { channel: "all" }],
    ["wye.relay.open_streams", 0, { channel: "all" }],
    ["histogram", "wye.relay.request_seconds"],
    ["wye.relay.request_seconds", 0.5, { endpoint: "goals" }],
  ]);
});

test("what is no meter is refused at once", () => {
  const counts = { createCounter: () => {}, createHistogram: () => {} };
  expect(() => openTelemetrySink(counts as never)).toThrow(
    "openTelemetrySink: the meter must be an object with the methods createCounter, createGauge, createHistogram; missing: createGauge",
  );
  // @ts-expect-error: a meter is needed
  expect(() => openTelemetrySink()).toThrow("missing: createCounter, createGauge, createHistogram");
});
