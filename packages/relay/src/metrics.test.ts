import { expect, test } from "vitest";
import { createMetrics } from "./metrics.js";

test("prints counters and gauges in the text format of Prometheus, grouped by name", () => {
  const metrics = createMetrics();
  const requests = metrics.counter("requests", { environment: 'a"b\\c\nd', endpoint: "evaluate" });
  requests.add(1);
  metrics.gauge("open_streams", { environment: "a" }).add(3);
  metrics.gauge("open_streams", { environment: "a" }).add(-1);
  metrics.counter("requests", {}).add(2);
  requests.add(1);
  expect(metrics.print()).toBe(
    [
      "# TYPE wye_relay_requests_total counter",
      'wye_relay_requests_total{environment="a\\"b\\\\c\\nd",endpoint="evaluate"} 2',
      "wye_relay_requests_total 2",
      "# TYPE wye_relay_open_streams gauge",
      'wye_relay_open_streams{environment="a"} 2',
      "",
    ].join("\n"),
  );
});

test("passes every measurement on to the host", () => {
  const seen: unknown[] = [];
  const metrics = createMetrics({
    count: (...measurement) => seen.push(measurement),
    gauge: (...measurement) => seen.push(measurement),
  });
  metrics.counter("updates", { environment: "a" }).add(5);
  const streams = metrics.gauge("open_streams", { environment: "a" });
  streams.add(2);
  streams.add(1);
  expect(seen).toEqual([
    ["updates", 5, { environment: "a" }],
    ["open_streams", 2, { environment: "a" }],
    ["open_streams", 3, { environment: "a" }],
  ]);
});

test("an environment is forgotten; another of its name begins anew, and does not end with it", () => {
  const gauges: number[] = [];
  const counts: number[] = [];
  const metrics = createMetrics({
    count: (_, amount) => counts.push(amount),
    gauge: (_, value) => gauges.push(value),
  });
  const old = metrics.forEnvironment("a");
  old.counter("updates", { kind: "put" }).add(7);
  old.gauge("open_streams", {}).add(2);
  metrics.forEnvironment("b").counter("updates", {}).add(1);
  old.forget();
  expect(metrics.print()).toBe(
    '# TYPE wye_relay_updates_total counter\nwye_relay_updates_total{environment="b"} 1\n',
  );
  const next = metrics.forEnvironment("a");
  next.gauge("open_streams", {}).add(1);
  // What is still under way in the old one.
  old.counter("updates", { kind: "put" }).add(1);
  old.counter("events_delivered", {}).add(3);
  old.gauge("open_streams", {}).add(-1);
  old.forget();
  expect(metrics.print()).toBe(
    [
      "# TYPE wye_relay_updates_total counter",
      'wye_relay_updates_total{environment="b"} 1',
      "# TYPE wye_relay_open_streams gauge",
      'wye_relay_open_streams{environment="a"} 1',
      "",
    ].join("\n"),
  );
  expect(gauges).toEqual([2, 0, 1]);
  expect(counts).toEqual([7, 1, 1, 3]);
});
