import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { PipelineRunError, startRun, type TaskReport } from "./index.js";

function pipelineOf(): Pipeline {
  const leaf = (more: object = {}) => ({ componentRef: { name: "leaf" }, ...more });
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "reported" },
      root: {
        dag: {
          tasks: {
            a: leaf(),
            begun: leaf(),
            over: leaf(),
            waits: leaf({ dependentTasks: ["a"] }),
            group: { componentRef: { name: "group" } },
            loop: {
              componentRef: { name: "item" },
              parameterIterator: { items: { raw: "[1]" }, itemInput: "item" },
            },
          },
        },
      },
      components: {
        leaf: {
          executorLabel: "exec",
          outputDefinitions: {
            parameters: { out: { parameterType: "STRUCT" } },
            artifacts: { data: { artifactType: { schemaTitle: "system.Artifact" } } },
          },
        },
        item: {
          executorLabel: "exec",
          inputDefinitions: { parameters: { item: { parameterType: "NUMBER_INTEGER" } } },
        },
        group: { dag: { tasks: { a: leaf() } } },
      },
      deploymentSpec: { executors: { exec: { container: { image: "alpine", command: ["true"] } } } },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
}

function running() {
  const run = startRun(pipelineOf());
  run.report("begun", { state: "RUNNING" });
  run.report("over", { state: "SUCCEEDED" });
  return run;
}

const well = (outputs: unknown) => ({ state: "SUCCEEDED", outputs });
const failed = (error: unknown) => ({ state: "FAILED", error });
const [list, states] = [
  "is a list: { artifacts: [ … ] }, each with a uri",
  "its state is one of RUNNING, SUCCEEDED, FAILED, CANCELLED, QUEUED, not",
];

describe("a report that cannot be is refused, and nothing has changed", () => {
  test.each<[string, unknown, string]>([
    ["no report", undefined, "it is an object with a state, not a value of type undefined"],
    ["a text", "SUCCEEDED", 'it is an object with a state, not the text "SUCCEEDED"'],
    ["a state that there is not", { state: "DONE" }, `${states} the text "DONE"`],
    ["a state of objects", { state: "constructor" }, `${states} the text "constructor"`],
    ["no state", {}, `${states} a value of type undefined`],
    ["a moment that is none", { state: "RUNNING", at: Number.NaN }, "`at` is a moment in milliseconds"],
    ["a moment without end", { state: "RUNNING", at: Infinity }, "`at` is a moment in milliseconds"],
    ["a moment that is a text", { state: "RUNNING", at: "0" }, "`at` is a moment in milliseconds"],
    ["a failure without an error", { state: "FAILED" }, "a failure has an error with a message"],
    ["an error without a message", failed({}), "a failure has an error with a message"],
    ["a message that is no text", failed({ message: 5 }), "a failure has an error with a message"],
    [
      "a code that is a text",
      failed({ message: "", code: "1" }),
      'the code of an error is a number, not the text "1"',
    ],
    [
      "a code without end",
      failed({ message: "", code: Infinity }),
      "the code of an error is a number, not the number Infinity",
    ],
    ["a stamp that is no text", { state: "SUCCEEDED", stamp: 5 }, "its stamp is a text, not the number 5"],
    ["outputs that are a list", well([]), "its outputs are an object, not a list"],
    [
      "parameters that are a list",
      well({ parameters: [] }),
      "the parameters among its outputs are an object, not a list",
    ],
    [
      "artifacts that are a list",
      well({ artifacts: [] }),
      "the artifacts among its outputs are an object, not a list",
    ],
    [
      "a parameter that is not declared",
      well({ parameters: { oat: 1 } }),
      'the component declares no output parameter "oat"; did you mean "out"?',
    ],
    [
      "a parameter by the name of an artifact",
      well({ parameters: { data: 1 } }),
      'the component declares no output parameter "data"',
    ],
    [
      "an artifact that is not declared",
      well({ artifacts: { dat: { artifacts: [] } } }),
      'the component declares no output artifact "dat"; did you mean "data"?',
    ],
    [
      "a name of objects",
      well({ parameters: { toString: 1 } }),
      'the component declares no output parameter "toString"',
    ],
    ["an artifact that is none", well({ artifacts: { data: 5 } }), `the output artifact "data" ${list}`],
    [
      "artifacts that are no list",
      well({ artifacts: { data: { artifacts: {} } } }),
      `the output artifact "data" ${list}`,
    ],
    [
      "an item that is none",
      well({ artifacts: { data: { artifacts: ["x"] } } }),
      `the output artifact "data" ${list}`,
    ],
    [
      "an item without a place, beside one with",
      well({ artifacts: { data: { artifacts: [{ uri: "" }, { uri: 5 }] } } }),
      `the output artifact "data" ${list}`,
    ],
  ])("%s", (_, report, message) => {
    const run = running();
    const before = JSON.stringify([run.snapshot(), run.tasks, run.events]);
    // Programs without types hand in anything.
    const refused = () => run.report("a", report as TaskReport);
    expect(refused).toThrow(PipelineRunError);
    expect(refused).toThrow(
      expect.objectContaining({ code: "report", message: `the report on a: ${message}`, problems: [] }),
    );
    expect(JSON.stringify([run.snapshot(), run.tasks, run.events])).toBe(before);
  });

  const all = ["RUNNING", "SUCCEEDED", "FAILED", "CANCELLED", "QUEUED"] as const;
  const either = (state: string) => `only QUEUED or RUNNING leads to ${state}`;
  const onlyRunning = (state: string) => `only RUNNING leads to ${state}`;
  test.each<[string, string, readonly (string | undefined)[]]>([
    // In the order of the states: undefined where a report may say so.
    ["a", "QUEUED", [undefined, undefined, undefined, onlyRunning("CANCELLED"), onlyRunning("QUEUED")]],
    ["begun", "RUNNING", ["only QUEUED leads to RUNNING", undefined, undefined, undefined, undefined]],
    [
      "waits",
      "PENDING",
      [
        "only QUEUED leads to RUNNING",
        either("SUCCEEDED"),
        either("FAILED"),
        onlyRunning("CANCELLED"),
        onlyRunning("QUEUED"),
      ],
    ],
    ["over", "SUCCEEDED", all.map(() => "nothing can follow")],
  ])("to the task %s, which is %s", (id, now, problems) => {
    for (const [at, state] of all.entries()) {
      const run = running();
      const report = { state, ...(state === "FAILED" && { error: { message: "" } }) } as TaskReport;
      let refusal: unknown;
      try {
        run.report(id, report);
      } catch (error) {
        refusal = error;
      }
      const message = problems[at] && `${id} is ${now}: ${problems[at]}`;
      expect([state, refusal]).toEqual([
        state,
        message === undefined ? undefined : expect.objectContaining({ code: "state", message }),
      ]);
    }
  });

  test.each([
    ["group", "dag"],
    ["loop", "loop"],
  ])("to a %s, which is a %s, whatever it says", (id, kind) => {
    for (const state of all) {
      const report = { state } as TaskReport;
      expect(() => running().report(id, report)).toThrow(
        expect.objectContaining({
          code: "state",
          message: `${id} is a ${kind}: it ends by itself when its tasks have ended`,
        }),
      );
    }
  });

  test.each([
    ["ab", 'the run has no task "ab"; did you mean "a"?'],
    ["nothing like it", 'the run has no task "nothing like it"'],
    ["", 'the run has no task ""'],
  ])("to the task “%s” that there is not", (id, message) => {
    expect(() => running().report(id, { state: "RUNNING" })).toThrow(
      expect.objectContaining({ code: "task", message }),
    );
  });
});

test.each<[string, object]>([
  ["nothing but a state", { state: "SUCCEEDED" }],
  ["no outputs", well({})],
  ["a moment, a stamp, outputs", { ...well({ parameters: { out: {} } }), at: 0, stamp: "" }],
  ["no artifacts in a list", well({ artifacts: { data: { artifacts: [] } } })],
  ["an artifact with a place that is empty", well({ artifacts: { data: { artifacts: [{ uri: "" }] } } })],
  ["a failure without a code", failed({ message: "" })],
  ["a failure with a code", failed({ message: "x", code: -1 })],
])("a report with %s is taken", (_, report) => {
  const run = running();
  run.report("a", report as TaskReport);
  expect(run.task("a")?.state).toBe((report as TaskReport).state);
});
