import { demandMade } from "./call-host.js";
import type { MetricLabels, MetricsSink } from "./metrics.js";

/** What is needed of a meter of OpenTelemetry: those of `@opentelemetry/api` fit. */
export interface OpenTelemetryMeter {
  createCounter(name: string): { add(amount: number, labels: MetricLabels): void };
  createGauge(name: string): { record(value: number, labels: MetricLabels): void };
  createHistogram(name: string): { record(value: number, labels: MetricLabels): void };
}

/** Hands measurements to a meter of OpenTelemetry, under names that begin with `wye.relay.`. */
export function openTelemetrySink(meter: OpenTelemetryMeter): MetricsSink {
  demandMade("openTelemetrySink: the meter", meter, ["createCounter", "createGauge", "createHistogram"]);
  const counter = onceForEach((name) => meter.createCounter(name));
  const gauge = onceForEach((name) => meter.createGauge(name));
  const histogram = onceForEach((name) => meter.createHistogram(name));
  return {
    count: (name, amount, labels) => counter(name).add(amount, labels),
    gauge: (name, value, labels) => gauge(name).record(value, labels),
    observe: (name, value, labels) => histogram(name).record(value, labels),
  };
}

function onceForEach<Instrument>(make: (name: string) => Instrument): (name: string) => Instrument {
  const made = new Map<string, Instrument>();
  return (name) => {
    const instrument = made.get(name) ?? make(`wye.relay.${name}`);
    made.set(name, instrument);
    return instrument;
  };
}
