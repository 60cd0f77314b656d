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

test("forgets an environment", () => {
  const metrics = createMetrics();
  metrics.counter("updates", { environment: "a" }).add(1);
  metrics.counter("updates", { environment: "b" }).add(1);
  metrics.forget("a");
  expect(metrics.print()).toBe(
    '# TYPE wye_relay_updates_total counter\nwye_relay_updates_total{environment="b"} 1\n',
  );
});
