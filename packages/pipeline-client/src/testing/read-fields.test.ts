import { describe, expect, test } from "vitest";
import { type FieldKinds, readFields } from "./read-fields.js";
import { Refusal } from "./refusal.js";

const kinds: FieldKinds = {
  a_name: "text",
  count: "number",
  is_on: "flag",
  values: "struct",
  start_time: "time",
  created_at: "output",
  mode: ["NONE", "ON", "OFF"],
  inside: { b_name: "text" },
  pipeline_version_reference: "struct",
  pipeline_spec: "struct",
  pipeline_version_id: "text",
  trigger: { periodic_schedule: { x: "text" }, cron_schedule: { x: "text" } },
};
const read = (text: string) => readFields(new TextEncoder().encode(text), kinds);

describe("a request is read as", () => {
  test.each<readonly [text: string, fields: object]>([
    ["", {}],
    ["{}", {}],
    ['{"a_name":"x"}', { a_name: "x" }],
    ['{"aName":""}', { a_name: "" }],
    ['{"aName":null,"mode":null,"inside":null,"startTime":null}', {}],
    ['{"count":5}', { count: 5 }],
    ['{"count":"7"}', { count: 7 }],
    ['{"count":0}', { count: 0 }],
    ['{"count":"9007199254740993"}', { count: "9007199254740993" }],
    ['{"isOn":true}', { is_on: true }],
    ['{"values":{"aB":[1]}}', { values: { aB: [1] } }],
    ['{"startTime":"2026-01-02T03:04:05.678Z"}', { start_time: "2026-01-02T03:04:05Z" }],
    ['{"startTime":"2026-01-02T03:04:05+01:00"}', { start_time: "2026-01-02T02:04:05Z" }],
    ['{"createdAt":"whatever"}', {}],
    ['{"mode":"OFF"}', { mode: "OFF" }],
    ['{"mode":1}', { mode: "ON" }],
    ['{"inside":{"bName":"y"}}', { inside: { b_name: "y" } }],
    ['{"pipelineSpec":{}}', { pipeline_spec: {} }],
    ['{"pipelineSpec":null,"pipelineVersionId":"x"}', { pipeline_version_id: "x" }],
    ['{"trigger":{"cronSchedule":{"x":"1"}}}', { trigger: { cron_schedule: { x: "1" } } }],
  ])("%s", (text, fields) => expect(read(text)).toEqual(fields));
});

const source = "kubeflow.pipelines.backend.api.v2beta1.Run.pipeline_source is already set";
const trigger = "kubeflow.pipelines.backend.api.v2beta1.Trigger.trigger is already set";

describe("a request is refused, with the place:", () => {
  test.each<readonly [text: string, message: string]>([
    ["{", "unexpected EOF"],
    ["[1]", "proto: syntax error (line 1:1): unexpected token ["],
    [' "x"', 'proto: syntax error (line 1:1): unexpected token "'],
    ["null", "proto: syntax error (line 1:1): unexpected token n"],
    ['{"other":1}', 'proto: (line 1:2): unknown field "other"'],
    ['{"toString":1}', 'proto: (line 1:2): unknown field "toString"'],
    ['{"inside":{"c":1}}', 'proto: (line 1:12): unknown field "c"'],
    ['{"a_name":5}', "proto: (line 1:11): invalid value for string field aName: 5"],
    ['{"aName":{}}', "proto: (line 1:10): invalid value for string field aName: {}"],
    ['{"count":"x"}', 'proto: (line 1:10): invalid value for int64 field count: "x"'],
    ['{"count":1.5}', "proto: (line 1:10): invalid value for int64 field count: 1.5"],
    ['{"startTime":5}', "proto: (line 1:14): invalid google.protobuf.Timestamp value 5"],
    [
      '{"startTime":"2026-01-02"}',
      'proto: (line 1:14): invalid google.protobuf.Timestamp value "2026-01-02"',
    ],
    [
      '{"startTime":"2026-99-02T00:00:00Z"}',
      'proto: (line 1:14): invalid google.protobuf.Timestamp value "2026-99-02T00:00:00Z"',
    ],
    [
      '{"startTime":"x2026-01-02T00:00:00Z"}',
      'proto: (line 1:14): invalid google.protobuf.Timestamp value "x2026-01-02T00:00:00Z"',
    ],
    ['{"mode":"MAYBE"}', 'proto: (line 1:9): invalid value for enum field mode: "MAYBE"'],
    ['{"mode":3}', "proto: (line 1:9): invalid value for enum field mode: 3"],
    ['{"inside":"x"}', 'proto: (line 1:11): syntax error: unexpected token "x"'],
    [
      '{"pipelineSpec":{},"pipelineVersionId":"x"}',
      `proto: (line 1:20): error parsing "pipeline_version_id", oneof ${source}`,
    ],
    [
      '{"pipelineVersionId":"x","pipelineVersionReference":{}}',
      `proto: (line 1:26): error parsing "pipeline_version_reference", oneof ${source}`,
    ],
    [
      '{"trigger":{"cronSchedule":{},"periodicSchedule":{}}}',
      `proto: (line 1:31): error parsing "periodic_schedule", oneof ${trigger}`,
    ],
    [
      '{"trigger":{"periodicSchedule":{},"cronSchedule":null}}',
      `proto: (line 1:35): error parsing "cron_schedule", oneof ${trigger}`,
    ],
  ])("%s", (text, message) => {
    const refused = (() => {
      try {
        return read(text);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({
      status: 400,
      contentType: "application/json",
      body: JSON.stringify({ code: 3, message }),
    });
  });
});
