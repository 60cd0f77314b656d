import { expect, test } from "vitest";
import { type Profile, validatePipeline } from "../src/index.js";

// What a task needs that is told how another one ended.

interface Parts {
  readonly dependentTasks?: string;
  readonly strategy?: string;
  readonly producer?: string;
  readonly type?: string;
  /** What the input is given. */
  readonly source?: string;
  readonly component?: string;
  readonly schemaVersion?: string;
}

function told(parts: Parts, profile: Profile = "kfp"): readonly string[] {
  const { dependentTasks = "a", strategy = "ALL_UPSTREAM_TASKS_COMPLETED", producer = "a" } = parts;
  const { type = "TASK_FINAL_STATUS", source = `{taskFinalStatus: {producerTask: ${producer}}}` } = parts;
  const { component = "comp-say", schemaVersion = "2.1.0" } = parts;
  const plain = (name: string) => `${name}: {taskInfo: {name: ${name}}, componentRef: {name: comp-a}}`;
  const { problems } = validatePipeline(
    `pipelineInfo: {name: p}
schemaVersion: ${schemaVersion}
root: {dag: {tasks: {${plain("a")}, ${plain("b")}, say: {taskInfo: {name: say}, componentRef: {name: ${component}}, dependentTasks: [${dependentTasks}], triggerPolicy: {strategy: ${strategy}}, inputs: {parameters: {status: ${source}}}}}}}
components: {comp-a: {dag: {tasks: {${plain("t").replace("comp-a", "comp-t")}}}}, comp-t: {executorLabel: e}, comp-say: {executorLabel: e, inputDefinitions: {parameters: {status: {parameterType: ${type}, isOptional: true}}}}}
deploymentSpec: {executors: {e: {container: {image: "i:1", command: [c]}}}}
`,
    { profile },
  );
  return problems
    .filter(({ code }) => code.startsWith("final-status"))
    .map(({ code, path, message, hint, related = [] }) =>
      [
        `${code} at ${path.replace("/root/dag/tasks/say/", "")}: ${message}`,
        ...(hint === undefined ? [] : [hint]),
        ...related.map((one) => `see ${one.path}: ${one.message}`),
      ].join(" | "),
    );
}

const at = "inputs/parameters/status/taskFinalStatus";
const see = "see /root/dag/tasks/say/inputs/parameters/status/taskFinalStatus: received here";
const declared = "see /components/comp-say/inputDefinitions/parameters/status: declared here";
const early = `final-status-strategy at triggerPolicy/strategy: task "say" receives a final status, but runs only after success | add triggerPolicy.strategy: ALL_UPSTREAM_TASKS_COMPLETED | ${see}`;
const unlisted = `final-status-dependency at ${at}/producerTask: task "say" does not list "a" in dependentTasks | add "a" to dependentTasks`;
const more =
  'final-status-dependency at dependentTasks: task "say" depends on other tasks than "a", whose status it receives | keep "a" only';
const typed = (type: string) =>
  `final-status-type at ${at}: the input "status" receives a final status, but is of type ${type} | declare it TASK_FINAL_STATUS | ${declared}`;
const other =
  'final-status-source at inputs/parameters/status/runtimeValue: the input "status" takes the final status of a task only | use taskFinalStatus';
const constant = "{runtimeValue: {constant: {state: SUCCEEDED}}}";

// biome-ignore format: a table
const rows: readonly (readonly [name: string, parts: Parts, ...told: readonly string[]])[] = [
  ["it runs after that task alone, whatever becomes of it", {}],
  ["it is the same task twice", { dependentTasks: "a, a" }],
  ["it runs after success only", { strategy: "ALL_UPSTREAM_TASKS_SUCCEEDED" }, early],
  ["it does not run after the task", { dependentTasks: "b" }, unlisted],
  ["it runs after none", { dependentTasks: "" }, unlisted],
  ["it runs after another as well", { dependentTasks: "a, b" }, more],
  ["the task is none", { producer: "c" }],
  ["the task is itself", { producer: "say" }],
  ["the component is unknown", { component: "comp-none" }],
  ["it is a text", { type: "STRING" }, typed("STRING")],
  ["it is a list", { type: "LIST" }, typed("LIST")],
  ["it is an object, which holds a status as well", { type: "STRUCT" }],
  ["it is something else", { source: constant }, other],
  ["it is something else for an object", { source: constant, type: "STRUCT" }],
  ["it is the input of nobody", { source: constant, component: "comp-none" }],
];
test.each(rows.map(([name, parts, ...lines]) => [name, parts, lines] as const))("%s", (_, parts, lines) => {
  expect(told(parts)).toEqual(lines);
});

test("for the document it is of its own type, and of schema version 2.0.0", () => {
  const version = `final-status-schema-version at ${at}: the input "status" receives a final status, which needs schema version 2.0.0`;
  expect(told({}, "spec")).toEqual([version]);
  expect(told({ schemaVersion: "2.0.0" }, "spec")).toEqual([]);
  expect(told({ schemaVersion: "2.0.0", type: "STRUCT" }, "spec")).toEqual([typed("STRUCT")]);
  expect(told({ schemaVersion: "2.0.0", source: constant }, "spec")).toEqual([other]);
});
