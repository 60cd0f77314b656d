import { describe, expect, test } from "vitest";
import { toArgoWorkflow } from "../src/index.js";
import { dag, exit, importer, type Json, leaf, pipelineOf, to, warningsOf } from "./small-pipelines.js";

// How Argo counts is in processNodeRetries of its controller: the longest time from the start of the first try on, "0" as no time at all,
// and the factor by Atoi.

const policy = (retryPolicy: Json): Json => ({ retryPolicy });
const good = { maxRetryCount: 3, backoffDuration: "10s", backoffFactor: 2, backoffMaxDuration: "3600s" };
const lost = (tasks: Json, components: Json = {}) =>
  warningsOf({ tasks, components }).filter(([code]) => code === "lost-retries");

describe("a retry policy with which Argo tries nothing again is a warning", () => {
  test.each<[string, Json, says: string]>([
    [
      "a factor that is no whole number",
      { ...good, backoffFactor: 1.5 },
      "whole number below a million, and this one is 1.5",
    ],
    ["a factor of a million", { ...good, backoffFactor: 1e6 }, "and this one is 1e+06"],
    ["a factor that is endless", { ...good, backoffFactor: "Infinity" }, "and this one is +Inf"],
    ["a factor that is hardly any", { ...good, backoffFactor: 0.5 }, "and this one is 0.5"],
    ["no longest time", { maxRetryCount: 3 }, "without a backoffMaxDuration of a second"],
    [
      "a longest time below a second",
      { ...good, backoffMaxDuration: "0.9s" },
      "without a backoffMaxDuration of a second",
    ],
    [
      "a longest time below nothing",
      { ...good, backoffMaxDuration: "-1s" },
      "without a backoffMaxDuration of a second",
    ],
    [
      "a longest time that is the first wait",
      { ...good, backoffDuration: "3600s" },
      "not above backoffDuration",
    ],
  ])("%s", (_, retryPolicy, says) => {
    const one = ["lost-retries", "/root/dag/tasks/a/retryPolicy", expect.stringContaining(says)];
    expect(lost({ a: to("leaf", policy(retryPolicy)) })).toEqual([one]);
  });

  test.each<[Json, times: number, of: number]>([
    [{ maxRetryCount: 10, backoffDuration: "60s", backoffFactor: 2, backoffMaxDuration: "3600s" }, 5, 10],
    [{ maxRetryCount: 10, backoffDuration: "1000s", backoffFactor: 100, backoffMaxDuration: "3600s" }, 1, 10],
    [{ maxRetryCount: 4, backoffDuration: "10s", backoffFactor: 1, backoffMaxDuration: "40s" }, 3, 4],
    [{ maxRetryCount: 5, backoffDuration: "10s", backoffFactor: 1, backoffMaxDuration: "45s" }, 4, 5],
    [{ maxRetryCount: 5, backoffDuration: "1s", backoffFactor: 2, backoffMaxDuration: "7s" }, 2, 5],
    [{ maxRetryCount: 5, backoffDuration: "1s", backoffFactor: 2, backoffMaxDuration: "8s" }, 3, 5],
    [
      { maxRetryCount: 2147483647, backoffDuration: "1s", backoffMaxDuration: "315576000000s" },
      2147483647,
      0,
    ],
    [{ maxRetryCount: 5, backoffDuration: "60s", backoffFactor: 2, backoffMaxDuration: "3600s" }, 5, 0],
    [{ maxRetryCount: 9, backoffDuration: "0s", backoffFactor: 2, backoffMaxDuration: "1s" }, 9, 0],
  ])("and one of which some do not fit: %j", (retryPolicy, times, of) => {
    const says = `is tried again at most ${times} of ${of} times:`;
    const told =
      of === 0 ? [] : [["lost-retries", "/root/dag/tasks/a/retryPolicy", expect.stringContaining(says)]];
    expect(lost({ a: to("leaf", policy(retryPolicy)) })).toEqual(told);
  });

  test.each<[string, Json]>([
    ["an importer", importer],
    ["what its driver does", { container: { image: "argostub/createpvc" } }],
  ])("and one of a task that has no retries: %s", (what, executor) => {
    const model = { artifactType: { schemaTitle: "system.Model", schemaVersion: "0.0.1" } };
    const components = { c: { ...leaf, outputDefinitions: { artifacts: { artifact: model } } } };
    const of = (retryPolicy: Json) =>
      warningsOf({ tasks: { a: to("c", policy(retryPolicy)) }, components, executor });
    expect(of(good)).toEqual([
      ["lost-retries", "/root/dag/tasks/a/retryPolicy", expect.stringContaining(`${what} has no retries`)],
    ]);
    expect(of({ maxRetryCount: 0 })).toEqual([]);
  });

  test("but not one that a DAG hands down to an importer, as it may be meant for others", () => {
    const artifacts = { artifact: { artifactType: { schemaTitle: "system.Model", schemaVersion: "0.0.1" } } };
    const components = {
      c: { ...leaf, outputDefinitions: { artifacts } },
      d: { dag: { tasks: { x: to("c") } } },
    };
    expect(warningsOf({ tasks: { a: to("d", policy(good)) }, components, executor: importer })).toEqual([]);
  });

  test("also where a patch has templates that are none", () => {
    const pipeline = pipelineOf({ tasks: { a: to("leaf", policy({ maxRetryCount: 3 })) } });
    const { problems } = toArgoWorkflow(pipeline, { specPatch: { templates: [null] } });
    expect(problems.map(({ code }) => code)).toContain("lost-retries");
  });

  test("for each of its reasons", () => {
    const told = lost({ a: to("leaf", policy({ maxRetryCount: 3, backoffFactor: 1.5 })) });
    expect(told.map(([, , message]) => message)).toEqual([
      expect.stringContaining("backoffFactor"),
      expect.stringContaining("backoffMaxDuration"),
    ]);
  });

  test("once, where it stands, also when others have taken it over", () => {
    const inside = { dag: { tasks: { x: to("leaf"), y: to("e"), z: to("leaf", policy(good)) } } };
    const below = { dag: { tasks: { b: to("e"), c: to("e", { ...exit, dependentTasks: ["b"] }) } } };
    expect(
      lost({ a: to("d", policy({ maxRetryCount: 1 })) }, { d: inside, e: { ...below }, f: dag }),
    ).toEqual([
      [
        "lost-retries",
        "/root/dag/tasks/a/retryPolicy",
        expect.stringContaining('the task "x" is never tried again'),
      ],
    ]);
  });

  test("where it stands, when it is handed down through two DAGs", () => {
    const tasks = { a: to("outer", policy({ maxRetryCount: 1 })) };
    const told = lost(tasks, { outer: { dag: { tasks: { x: to("inner") } } }, inner: dag });
    expect(told.map(([, path]) => path)).toEqual(["/root/dag/tasks/a/retryPolicy"]);
  });

  test.each<[string, Json, Json?]>([
    ["what the SDK writes", { a: to("leaf", policy(good)) }],
    ["no factor", { a: to("leaf", policy({ maxRetryCount: 1, backoffMaxDuration: "1s" })) }],
    [
      "the largest factor",
      { a: to("leaf", policy({ ...good, backoffDuration: "0s", backoffFactor: 999_999 })) },
    ],
    ["no retry at all", { a: to("leaf", policy({ maxRetryCount: 0, backoffFactor: 1.5 })) }],
    [
      "one that nothing takes over",
      { a: to("d", policy({ maxRetryCount: 1 })) },
      { d: { dag: { tasks: { x: to("leaf", policy(good)) } } } },
    ],
    ["a factor below nothing", { a: to("leaf", policy({ ...good, backoffFactor: -1 })) }],
  ])("and none is: %s", (_, tasks, components = {}) =>
    expect(lost(tasks, { leaf, ...components })).toEqual([]),
  );
});

test.each<[factor: number | string, printed: string]>([
  [1, "1"],
  [0, "0"],
  ["NaN", "NaN"],
  ["Infinity", "+Inf"],
  ["-Infinity", "-Inf"],
  [2, "2"],
  [1.5, "1.5"],
  [999_999, "999999"],
  [1_000_000, "1e+06"],
  [1.5e6, "1.5e+06"],
  [1e100, "1e+100"],
  [0.0001, "0.0001"],
  [0.00015, "0.00015"],
  [0.00001, "1e-05"],
  [0.000099, "9.9e-05"],
])("a factor is printed as Go does: %s", (backoffFactor, printed) => {
  const result = toArgoWorkflow(pipelineOf({ tasks: { a: to("leaf", policy({ ...good, backoffFactor })) } }));
  expect(JSON.stringify(result)).toContain(`{"name":"retry-backoff-factor","value":"${printed}"}`);
});

test.each([
  ["1.9s", "1"],
  ["0.9s", "0"],
  ["-1.9s", "-1"],
  ["90s", "90"],
])("of a wait of %s Argo gets the whole seconds: %s", (backoffDuration, seconds) => {
  const parts = { tasks: { a: to("leaf", policy({ ...good, backoffDuration })) } };
  expect(JSON.stringify(toArgoWorkflow(pipelineOf(parts)))).toContain(
    `{"name":"retry-backoff-duration","value":"${seconds}"}`,
  );
});
