import { expect, test } from "vitest";
import { sumMetrics } from "./sum-metrics.js";

test("series of workers add up, and those that only one has stand with their kind", () => {
  const one = [
    "# HELP wye_relay_requests_total Requests.",
    "# TYPE wye_relay_requests_total counter",
    'wye_relay_requests_total{environment="a b",status="2xx"} 2',
    "# TYPE wye_relay_request_seconds histogram",
    'wye_relay_request_seconds_bucket{le="0.5"} 1',
    "wye_relay_request_seconds_sum 0.25",
    "wye_relay_request_seconds_count 1",
    "# TYPE wye_relay_open_streams gauge",
    "wye_relay_open_streams 3",
    "",
  ].join("\n");
  const other = [
    "# HELP wye_relay_requests_total Requests.",
    "# TYPE wye_relay_requests_total counter",
    'wye_relay_requests_total{environment="a b",status="2xx"} 5',
    'wye_relay_requests_total{environment="a b",status="4xx"} 1',
    "# TYPE wye_relay_request_seconds histogram",
    'wye_relay_request_seconds_bucket{le="0.5"} 2',
    "wye_relay_request_seconds_sum 0.5",
    "wye_relay_request_seconds_count 3",
    "",
  ].join("\n");
  expect(sumMetrics([one, other])).toBe(
    [
      "# HELP wye_relay_requests_total Requests.",
      "# TYPE wye_relay_requests_total counter",
      'wye_relay_requests_total{environment="a b",status="2xx"} 7',
      'wye_relay_requests_total{environment="a b",status="4xx"} 1',
      "# TYPE wye_relay_request_seconds histogram",
      'wye_relay_request_seconds_bucket{le="0.5"} 3',
      "wye_relay_request_seconds_sum 0.75",
      "wye_relay_request_seconds_count 4",
      "# TYPE wye_relay_open_streams gauge",
      "wye_relay_open_streams 3",
      "",
    ].join("\n"),
  );
  expect(sumMetrics([one])).toBe(one);
  expect(sumMetrics([])).toBe("");
});

test("series of a counter whose name ends as a part of a histogram does stand with their own kind", () => {
  const one = [
    "# TYPE jobs_count counter",
    "jobs_count 1",
    "# TYPE jobs histogram",
    'jobs_bucket{le="1"} 1',
    "jobs_sum 0.5",
    "",
  ].join("\n");
  expect(sumMetrics([one, 'jobs_count{a="b"} 2\njobs_bucket{le="2"} 3\n'])).toBe(
    [
      "# TYPE jobs_count counter",
      "jobs_count 1",
      'jobs_count{a="b"} 2',
      "# TYPE jobs histogram",
      'jobs_bucket{le="1"} 1',
      "jobs_sum 0.5",
      'jobs_bucket{le="2"} 3',
      "",
    ].join("\n"),
  );
});

test("what only a later worker has of a histogram stands behind all that others have of it", () => {
  const begin = ["# TYPE jobs histogram", 'jobs_bucket{le="1"} 1', "jobs_sum 0.5", "jobs_count 1"];
  const more = "# TYPE others gauge\nothers 1\n";
  expect(sumMetrics([`${begin.join("\n")}\n${more}`, 'jobs_bucket{le="2"} 3\njobs_count{a="b"} 1\n'])).toBe(
    [...begin, 'jobs_bucket{le="2"} 3', 'jobs_count{a="b"} 1', more].join("\n"),
  );
});
