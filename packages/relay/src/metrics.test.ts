import { expect, test } from "vitest";
import { createMetrics } from "./metrics.js";

test("prints counters and gauges in the text format of Prometheus, grouped by name", () => {
  const metrics = createMetrics();
  const requests = metrics.counter("requests", { environment: 'a"b"\\c\\\nd\n', endpoint: "evaluate" });
  requests.add(1);
  metrics.gauge("open_streams", { environment: "a" }).add(3);
  metrics.gauge("open_streams", { environment: "a" }).add(-1);
  metrics.counter("requests", {}).add(2);
  requests.add(1);
  expect(metrics.print()).toBe(
    [
      "# TYPE wye_relay_requests_total counter",
      'wye_relay_requests_total{environment="a\\"b\\"\\\\c\\\\\\nd\\n",endpoint="evaluate"} 2',
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

test("a histogram is printed with each bound, its sum and its count, and is that of the relay as a whole", () => {
  const seen: unknown[] = [];
  const metrics = createMetrics({
    count() {},
    gauge() {},
    observe: (...measurement) => seen.push(measurement),
  });
  const a = metrics.forEnvironment("a").histogram("request_seconds", { endpoint: "x" });
  const b = metrics.forEnvironment("b").histogram("request_seconds", { endpoint: "x" });
  a.add(0.25);
  b.add(4);
  const lines = metrics.print().split("\n");
  expect(lines[0]).toBe("# TYPE wye_relay_request_seconds histogram");
  expect(lines.filter((line) => line.includes("_bucket"))).toEqual(
    ["0.0005 0", "0.001 0", "0.0025 0", "0.005 0", "0.01 0", "0.025 0", "0.05 0", "0.1 0"]
      .concat(["0.25 1", "0.5 1", "1 1", "2.5 1", "5 2", "+Inf 2"])
      .map((end) => end.split(" "))
      .map(([upTo, count]) => `wye_relay_request_seconds_bucket{endpoint="x",le="${upTo}"} ${count}`),
  );
  expect(lines.slice(-3)).toEqual([
    'wye_relay_request_seconds_sum{endpoint="x"} 4.25',
    'wye_relay_request_seconds_count{endpoint="x"} 2',
    "",
  ]);
  expect(seen).toEqual([
    ["request_seconds", 0.25, { endpoint: "x" }],
    ["request_seconds", 4, { endpoint: "x" }],
  ]);
});

test("a sink that has no use for histograms is not asked", () => {
  const metrics = createMetrics({ count() {}, gauge() {} });
  expect(() => metrics.histogram("request_seconds", {}).add(1)).not.toThrow();
});

test("an environment that could not take the place of another of its name leaves it as it was", () => {
  const metrics = createMetrics();
  const first = metrics.forEnvironment("a");
  first.counter("updates", {}).add(1);
  const second = metrics.forEnvironment("a");
  second.counter("updates", {}).add(2);
  const printed = (value: number) =>
    `# TYPE wye_relay_updates_total counter\nwye_relay_updates_total{environment="a"} ${value}\n`;
  expect(metrics.print()).toBe(printed(2));
  second.forget();
  expect(metrics.print()).toBe(printed(1));
  const third = metrics.forEnvironment("a");
  third.counter("updates", {}).add(3);
  first.forget();
  expect(metrics.print()).toBe(printed(3));
  third.forget();
  expect(metrics.print()).toBe("");
});

test("what an environment has at its end goes to zero, and what is zero is not told again", () => {
  const told: unknown[] = [];
  const metrics = createMetrics({ count() {}, gauge: (...measurement) => told.push(measurement) });
  const environment = metrics.forEnvironment("a");
  environment.counter("updates", {}).add(7);
  environment.gauge("queued_events", {});
  environment.gauge("open_streams", { channel: "all" }).add(2);
  environment.gauge("open_streams", { channel: "ping" }).add(1);
  environment.gauge("open_streams", { channel: "ping" }).add(-1);
  metrics.gauge("open_streams", {}).add(3);
  told.length = 0;
  for (let times = 0; times < 2; times++) environment.forget();
  expect(told).toEqual([["open_streams", 0, { environment: "a", channel: "all" }]]);
});
