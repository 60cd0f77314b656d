import { expect, test } from "vitest";
import { EnvironmentMeter } from "./environment-meter.js";
import { createMetrics } from "./metrics.js";

/** A meter of an environment `a`, and what is printed of it beside zeros. */
function setUp() {
  const metrics = createMetrics();
  const meter = new EnvironmentMeter(metrics.forEnvironment("a"));
  const lines = () =>
    metrics
      .print()
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) =>
        line.replace("wye_relay_", "").replace('environment="a",', "").replace('{environment="a"}', ""),
      );
  return { meter, metrics, lines, counted: () => lines().filter((line) => !line.endsWith(" 0")) };
}

test("all that can be counted is there from the start, as zero", () => {
  const { lines, counted } = setUp();
  expect(counted()).toEqual([]);
  const endpoints = [
    ..."all-stream flags-stream ping-stream client-stream evaluate evaluate-values latest-all".split(" "),
    ..."php-flags php-flag php-segment goals events diagnostic event-image".split(" "),
  ];
  const requests = endpoints.flatMap((endpoint) =>
    ["2xx", "3xx", "4xx", "5xx", "aborted"].map(
      (status) => `requests_total{endpoint="${endpoint}",status="${status}"} 0`,
    ),
  );
  const channels = ["all", "flags", "ping", "client"];
  const kinds = ["ERROR_RESPONSE", "INVALID_DATA", "NETWORK_ERROR", "STORE_ERROR", "UNKNOWN"];
  const expected = [
    ...requests,
    ...channels.map((channel) => `streams_opened_total{channel="${channel}"} 0`),
    ...channels.map((channel) => `open_streams{channel="${channel}"} 0`),
    ...["put", "item"].map((kind) => `updates_total{kind="${kind}"} 0`),
    ...kinds.map((kind) => `upstream_errors_total{kind="${kind}"} 0`),
    ...["events_accepted", "events_dropped", "events_delivered", "event_posts_failed", "streams_dropped"].map(
      (name) => `${name}_total 0`,
    ),
    "queued_events 0",
  ];
  const ofEnvironment = lines().filter((line) => !line.startsWith("request_seconds"));
  expect(ofEnvironment.toSorted()).toEqual(expected.toSorted());
  for (const endpoint of endpoints)
    expect(lines()).toContain(`request_seconds_count{endpoint="${endpoint}"} 0`);
});

test.each([
  [200, "2xx"],
  [299, "2xx"],
  [304, "3xx"],
  [400, "4xx"],
  [499, "4xx"],
  [503, "5xx"],
  [undefined, "aborted"],
])("a request that ends with %s counts as %s", (status, outcome) => {
  const { meter, counted } = setUp();
  meter.countRequest("evaluate", status, 2500);
  expect(counted().toSorted()).toEqual(
    [
      `requests_total{endpoint="evaluate",status="${outcome}"} 1`,
      'request_seconds_bucket{endpoint="evaluate",le="2.5"} 1',
      'request_seconds_bucket{endpoint="evaluate",le="5"} 1',
      'request_seconds_bucket{endpoint="evaluate",le="+Inf"} 1',
      'request_seconds_sum{endpoint="evaluate"} 2.5',
      'request_seconds_count{endpoint="evaluate"} 1',
    ].toSorted(),
  );
});

test("requests of operators are not counted", () => {
  const { meter, counted } = setUp();
  for (const endpoint of ["status", "live", "ready", "metrics"] as const)
    meter.countRequest(endpoint, 200, 5);
  expect(counted()).toEqual([]);
});

test("what happens to streams, flags and events is counted under its name, until the environment is over", () => {
  const { meter, metrics, counted } = setUp();
  for (const channel of ["ping", "ping", "client"] as const) meter.streamOpened(channel);
  meter.streamClosed("ping");
  meter.streamDropped();
  meter.countUpdate("put");
  for (let times = 0; times < 2; times++) meter.countUpdate("item");
  meter.countError("STORE_ERROR");
  meter.countEvents("events_accepted", 5);
  meter.countEvents("event_posts_failed", 1);
  meter.queuedEvents(7);
  meter.queuedEvents(-3);
  expect(counted().toSorted()).toEqual(
    [
      'streams_opened_total{channel="ping"} 2',
      'streams_opened_total{channel="client"} 1',
      'open_streams{channel="ping"} 1',
      'open_streams{channel="client"} 1',
      "streams_dropped_total 1",
      'updates_total{kind="put"} 1',
      'updates_total{kind="item"} 2',
      'upstream_errors_total{kind="STORE_ERROR"} 1',
      "events_accepted_total 5",
      "event_posts_failed_total 1",
      "queued_events 4",
    ].toSorted(),
  );
  meter.close();
  expect(metrics.print()).not.toContain('environment="a"');
});
