import { describe, expect, test } from "vitest";
import {
  Duration,
  durationMs,
  ExecutorSpec,
  KubernetesExecutorConfig,
  PipelineTaskSpec,
  parsePipeline,
  Value,
} from "./index.js";

describe("a duration", () => {
  const rows: readonly [text: Duration, ms: number][] = [
    ["30s", 30_000],
    ["-1.5s", -1_500],
    ["0.000001s", 0.001],
    ["315576000000s", 315_576_000_000_000],
  ];
  for (const [text, ms] of rows) test(`of ${text} has ${ms} ms`, () => expect(durationMs(text)).toBe(ms));

  for (const text of ["30", "1m", "", "s", "1e3s", ".5s", "1.s", " 1s", "0.0000000001s"]) {
    test(`is not ${JSON.stringify(text)}`, () => {
      expect(() => durationMs(text)).toThrow(TypeError);
      expect(() => Duration.encode(text)).toThrow(TypeError);
    });
  }

  test("comes back from bytes, with zeros only where JSON has them", () => {
    const back = (text: Duration) => Duration.decode(Duration.encode(text).finish());
    expect(["30s", "-0.5s", "1.000000001s", "0s", "9223372036854775807s"].map(back)).toEqual([
      ...["30s", "-0.500s", "1.000000001s", "0s", "9223372036854775807s"],
    ]);
  });
});

test("messages survive JSON, whatever is in them", () => {
  const parsed = parsePipeline(`
pipelineInfo: {name: retries}
root: {dag: {tasks: {t: {retryPolicy: {backoffDuration: 30s, backoffMaxDuration: 3600s}}}}}
`);
  const { spec } = parsed.ok ? parsed.pipeline : expect.unreachable("it is valid");
  const messages = [
    spec,
    Value.create({ value: { $case: "intValue", value: "9223372036854775807" } }),
    PipelineTaskSpec.create({ retryPolicy: { backoffDuration: "1.5s" } }),
    ExecutorSpec.create({
      spec: { $case: "container", value: { resources: { accelerator: { count: "2" } } } },
    }),
    KubernetesExecutorConfig.create({ activeDeadlineSeconds: "5", securityContext: { runAsUser: "0" } }),
  ];
  for (const message of messages) expect(JSON.parse(JSON.stringify(message))).toEqual(message);
});
