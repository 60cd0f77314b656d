import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import { describe, expect, test } from "vitest";
import { durationFromNanos, nanosOfDuration } from "./duration.js";
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

describe("a duration in bytes", () => {
  test.each<[text: Duration, ...bytes: number[]]>([
    ["0s"],
    ["3s", 8, 3],
    ["0.000000005s", 16, 5],
    ["3.000000005s", 8, 3, 16, 5],
    ["-0.000000001s", 16, ...new Array<number>(9).fill(255), 1],
    ["-1s", 8, ...new Array<number>(9).fill(255), 1],
  ])("of %s has no part that is zero", (text, ...bytes) => {
    expect([...Duration.encode(text).finish()]).toEqual(bytes);
    expect(durationMs(Duration.decode(Uint8Array.from(bytes)))).toBe(durationMs(text));
  });

  test.each<[bytes: number[], text: Duration]>([
    [[], "0s"],
    [[16, 5, 8, 3], "3.000000005s"],
    [[8, 1, 8, 2], "2s"],
    // Fields that are not known are passed over, whatever they hold.
    [[24, 7, 8, 3], "3s"],
    [[34, 2, 8, 9, 8, 3], "3s"],
    [[61, 8, 9, 8, 9, 8, 3], "3s"],
    // The end of a group, or of all, is the end of it.
    [[8, 3, 12, 8, 4], "3s"],
    [[8, 3, 0, 8, 4], "3s"],
  ])("%j is %s", (bytes, text) => expect(Duration.decode(Uint8Array.from(bytes))).toBe(text));

  test("is as long as somebody says who reads it", () => {
    const reader = new BinaryReader(Uint8Array.of(9, 8, 3, 8, 4));
    reader.uint32();
    expect([Duration.decode(reader, 2), reader.pos]).toEqual(["3s", 3]);
    expect([Duration.decode(reader), reader.pos]).toEqual(["4s", 5]);
  });

  test("goes behind what was written before", () => {
    expect([...Duration.encode("3s", new BinaryWriter().uint32(7)).finish()]).toEqual([7, 8, 3]);
  });
});

test.each<[text: Duration, nanos: bigint | undefined]>([
  ["0s", 0n],
  ["-0s", 0n],
  ["1s", 1_000_000_000n],
  ["-1.5s", -1_500_000_000n],
  ["00001.100000000s", 1_100_000_000n],
  [`${"9".repeat(19)}s`, 9_999_999_999_999_999_999_000_000_000n],
  [`1${"9".repeat(19)}s`, undefined],
  ["+1s", undefined],
  ["--1s", undefined],
  ["1ss", undefined],
  ["1s ", undefined],
  ["a1s", undefined],
  ["1.s", undefined],
  ["1.0000000000s", undefined],
])("%s has %s nanoseconds", (text, nanos) => expect(nanosOfDuration(text)).toBe(nanos));

test.each<[nanos: bigint, text: Duration]>([
  [0n, "0s"],
  [1n, "0.000000001s"],
  [-1n, "-0.000000001s"],
  [1_000n, "0.000001s"],
  [1_010n, "0.000001010s"],
  [1_000_000n, "0.001s"],
  [1_001_000n, "0.001001s"],
  [100_000_000n, "0.100s"],
  [999_999_999n, "0.999999999s"],
  [1_000_000_000n, "1s"],
  [-1_000_000_000n, "-1s"],
  [60_000_000_000n, "60s"],
  [1_000_000_000_000_000_000n, "1000000000s"],
])("%s nanoseconds are %s", (nanos, text) => {
  expect(durationFromNanos(nanos)).toBe(text);
  expect(nanosOfDuration(text)).toBe(nanos);
});

test("what is no duration is refused by the name of who was given it", () => {
  const told = (caller: string) =>
    new TypeError(`"1m" is not a duration, which ${caller} takes: write it as seconds, such as "30s"`);
  expect(() => durationMs("1m")).toThrow(told("durationMs"));
  expect(() => Duration.encode("1m")).toThrow(told("Duration"));
  expect(() => durationMs(5 as never)).toThrow(
    new TypeError("durationMs takes a text as its duration, not the number 5"),
  );
  expect([Duration.create(), Duration.create("5s")]).toEqual(["0s", "5s"]);
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
