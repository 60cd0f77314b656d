import {
  PipelineTaskSpec,
  RetryPolicy,
  TaskConfigPassthroughType,
  TriggerStrategy,
} from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { compileTrigger, type FinalState, retryDelayMs, taskConfig } from "../index.js";

describe("retryDelayMs", () => {
  const policy = (of: Partial<RetryPolicy>) => RetryPolicy.create({ maxRetryCount: 2_000, ...of });
  const rows: readonly [
    name: string,
    policy: RetryPolicy | undefined,
    failures: number,
    delay: number | undefined,
  ][] = [
    ["without a policy there is no other attempt", undefined, 1, undefined],
    ["as many attempts as the policy has", policy({ maxRetryCount: 2 }), 2, 0],
    ["and no more", policy({ maxRetryCount: 2 }), 3, undefined],
    ["an empty policy has none", RetryPolicy.create(), 1, undefined],
    ["without a duration there is no delay", policy({ backoffFactor: 3 }), 5, 0],
    ["the first delay is the duration", policy({ backoffDuration: "30s", backoffFactor: 3 }), 1, 30_000],
    ["each is longer by the factor", policy({ backoffDuration: "1.5s", backoffFactor: 3 }), 3, 13_500],
    ["without a factor by two", policy({ backoffDuration: "1s" }), 4, 8_000],
    [
      "the maximum says nothing of shorter ones",
      policy({ backoffDuration: "30s", backoffMaxDuration: "100s" }),
      2,
      60_000,
    ],
    [
      "up to the maximum",
      policy({ backoffDuration: "30s", backoffFactor: 2, backoffMaxDuration: "100s" }),
      9,
      100_000,
    ],
    ["up to an hour without one", policy({ backoffDuration: "30s" }), 20, 3_600_000],
    [
      "up to an hour with a longer one",
      policy({ backoffDuration: "30s", backoffMaxDuration: "7200s" }),
      20,
      3_600_000,
    ],
    ["a factor beyond all numbers", policy({ backoffDuration: "1s", backoffFactor: 10 }), 1_000, 3_600_000],
    ["no delay, however often", policy({ backoffDuration: "0s", backoffFactor: 10 }), 1_000, 0],
    ["a negative duration is none", policy({ backoffDuration: "-5s" }), 1, 0],
    ["a negative maximum is none", policy({ backoffDuration: "5s", backoffMaxDuration: "-1s" }), 2, 0],
    ["a factor of one", policy({ backoffDuration: "8s", backoffFactor: 1 }), 3, 8_000],
    ["a factor below one", policy({ backoffDuration: "8s", backoffFactor: 0.5 }), 3, 2_000],
  ];
  for (const [name, of, failures, delay] of rows) {
    test(name, () => expect(retryDelayMs(of, failures)).toBe(delay));
  }

  test("what is no policy is refused by name", () => {
    expect(() => retryDelayMs("5s" as never, 1)).toThrow("retryDelayMs takes an object as its policy");
  });
});

describe("compileTrigger", () => {
  const trigger = (
    condition: string,
    strategy: TriggerStrategy = TriggerStrategy.TRIGGER_STRATEGY_UNSPECIFIED,
  ) => compileTrigger(PipelineTaskSpec.create({ triggerPolicy: { condition, strategy } }));
  const completed = TriggerStrategy.ALL_UPSTREAM_TASKS_COMPLETED;
  const rows: readonly [states: FinalState[], ordinary: boolean, exit: boolean][] = [
    [[], true, true],
    [["SUCCEEDED", "SKIPPED"], true, true],
    [["SUCCEEDED", "FAILED"], false, true],
    [["NOT_TRIGGERED"], false, true],
    [["CANCELLED"], false, true],
  ];
  for (const [states, ordinary, exit] of rows) {
    test(`after [${states}] an ordinary task ${ordinary ? "starts" : "does not start"}`, () => {
      expect(trigger("").startsAfter(states)).toBe(ordinary);
      expect(trigger("", completed).startsAfter(states)).toBe(exit);
    });
  }

  test("a condition decides by the inputs of the task, and says why", () => {
    const { decide, condition } = trigger("inputs.parameter_values['n'] > 3.0");
    const inputs = (n: unknown) => ({ parameters: { n }, artifacts: {}, defaulted: [] });
    expect(condition?.problems).toEqual([]);
    expect(decide(inputs(4))).toEqual({ kind: "run" });
    expect(decide(inputs(2))).toMatchObject({ kind: "skip", because: expect.stringContaining("is 2") });
    expect(decide(inputs("x"))).toMatchObject({ kind: "fail", problem: { severity: "error" } });
    const guarded = trigger("'n' in inputs.parameter_values && inputs.parameter_values['n'] > 3");
    const absent = { parameters: { n: null }, artifacts: {}, defaulted: ["n"] };
    expect(guarded.decide(absent)).toMatchObject({ kind: "skip" });
    expect(guarded.decide(inputs(4))).toEqual({ kind: "run" });
    expect(decide(absent)).toMatchObject({
      kind: "fail",
      problem: { message: expect.stringContaining("no such key: n") },
    });
    expect(trigger("").decide(inputs(1))).toEqual({ kind: "run" });
    expect(decide({ ...inputs(4), defaulted: ["n"] })).toEqual({ kind: "run" });
    const artifacts = { a: { artifacts: [] } };
    expect(trigger("has(inputs.artifacts.a)").decide({ ...inputs(1), artifacts })).toEqual({ kind: "run" });
    expect(compileTrigger(PipelineTaskSpec.create()).condition).toBeUndefined();
  });
});

describe("taskConfig", () => {
  const settings = {
    resources: { limits: { cpu: "1" } },
    env: [],
    volumes: [1],
    volumeMounts: [2],
    affinity: null,
  };
  const { ENV, KUBERNETES_VOLUMES, KUBERNETES_TOLERATIONS, KUBERNETES_AFFINITY, NONE } =
    TaskConfigPassthroughType;

  test("passes on what is asked for, and keeps it where that is said", () => {
    const passthroughs = [
      { field: ENV, applyToTask: true },
      { field: KUBERNETES_VOLUMES, applyToTask: false },
      { field: KUBERNETES_TOLERATIONS, applyToTask: false },
      { field: KUBERNETES_AFFINITY, applyToTask: false },
      { field: NONE, applyToTask: false },
    ];
    expect(taskConfig(passthroughs, settings)).toStrictEqual({
      value: { env: [], volumes: [1], volumeMounts: [2], affinity: null },
      own: { resources: { limits: { cpu: "1" } }, env: [] },
    });
  });

  const { RESOURCES, KUBERNETES_NODE_SELECTOR } = TaskConfigPassthroughType;

  test.each<[field: TaskConfigPassthroughType, ...names: string[]]>([
    [RESOURCES, "resources"],
    [ENV, "env"],
    [KUBERNETES_AFFINITY, "affinity"],
    [KUBERNETES_TOLERATIONS, "tolerations"],
    [KUBERNETES_NODE_SELECTOR, "nodeSelector"],
    [KUBERNETES_VOLUMES, "volumes", "volumeMounts"],
    [NONE],
  ])("passthrough %i takes from the pod what it names, and nothing else", (field, ...names) => {
    const all = { ...settings, tolerations: [3], nodeSelector: { disk: "ssd" } };
    const { value, own } = taskConfig([{ field, applyToTask: false }], all);
    expect(Object.keys(value)).toEqual(names);
    expect({ ...own, ...value }).toEqual(all);
    expect(Object.keys(own)).toEqual(Object.keys(all).filter((name) => !names.includes(name)));
  });

  test("without passthroughs everything is for the pod, and nothing is changed", () => {
    expect(taskConfig([], settings)).toEqual({ value: {}, own: settings });
    expect(taskConfig([], settings).own).not.toBe(settings);
  });
});
