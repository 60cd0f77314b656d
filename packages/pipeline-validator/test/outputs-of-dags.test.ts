import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";
import { container } from "./expect-findings.js";

// Outputs of DAGs of both kinds, of lists and of loops: what is said of them, and which places belong to it.

const artifact = (title: string, more = "") =>
  `{artifactType: {schemaTitle: system.${title}, schemaVersion: 0.0.1}${more}}`;
const list = ", isArtifactList: true";
const optional = ", isOptional: true";
const page = (task = "report", key = "page") =>
  `{artifactSelectors: [{producerSubtask: ${task}, outputArtifactKey: ${key}}]}`;
const text = (task = "report") => `{valueFromParameter: {producerSubtask: ${task}, outputParameterKey: q}}`;
const echo = `\n${container("args: ['{{$}}']")}`;
const report = `comp-report: {outputDefinitions: {artifacts: {page: ${artifact("HTML")}}, parameters: {q: {parameterType: STRING}}}}`;
const dag = (name: string, outputs: string, declared: string, tasks = "") =>
  `${name}: {dag: {${tasks}outputs: {${outputs}}}, outputDefinitions: {${declared}}}`;
const say = (name: string, component: string, more = "") =>
  `${name}: {taskInfo: {name: ${name}}, componentRef: {name: ${component}}${more}}`;
const message = ", inputs: {parameters: {message: {runtimeValue: {constant: x}}}}";
const numbers = "parameters: {p: {parameterType: NUMBER_DOUBLE}}";
const inner = `comp-inner: {inputDefinitions: {parameters: {one: {parameterType: STRING}}}, dag: {tasks: {${say("report", "comp-report", ", inputs: {parameters: {message: {componentInputParameter: one}}}")}}, outputs: {artifacts: {all: ${page()}}}}, outputDefinitions: {artifacts: {all: ${artifact("HTML", list)}}}}`;
const over = `, parameterIterator: {items: {raw: '["a"]'}, itemInput: one}`;

const branch = "/components/comp-branch";
const loop = "/components/comp-loop";

type Told = readonly [at: string, message: string, hint: string | undefined, ...related: string[]];

// biome-ignore format: a table
const rows: readonly (readonly [thing: string, patch: string, told: readonly Told[]])[] = [
  ["an artifact under another name, beside a parameter that no task gives, and one in another DAG", `components: {${dag("comp-branch", `artifacts: {txt: ${page()}}`, `artifacts: {text: ${artifact("HTML")}}, parameters: {p: {parameterType: STRING}}`)}, comp-loop: {outputDefinitions: {artifacts: {pages: ${artifact("HTML", list)}}}}, ${report}}`, [
    [`${branch}/dag/outputs/artifacts/txt`, 'component "comp-branch" declares no output artifact "txt"', 'did you mean "text"?'],
    [`${branch}/outputDefinitions/parameters/p`, 'no task of component "comp-branch" gives its output "p"', 'add "p" to dag.outputs.parameters'],
    [`${loop}/outputDefinitions/artifacts/pages`, 'no task of component "comp-loop" gives its output "pages"', 'add "pages" to dag.outputs.artifacts'],
  ]],
  ["a second artifact that selects nothing", `components: {${dag("comp-branch", `artifacts: {a: ${page()}, b: {artifactSelectors: []}}`, `artifacts: {a: ${artifact("HTML")}, b: ${artifact("HTML")}}`)}, ${report}}`, [
    [`${branch}/dag/outputs/artifacts/b`, 'the output "b" selects nothing', "add artifactSelectors"],
  ]],
  ["an artifact and a parameter of other types", `components: {${dag("comp-branch", `artifacts: {a: ${page()}}, parameters: {p: ${text()}}`, `artifacts: {a: ${artifact("Model")}}, parameters: {p: {parameterType: STRUCT}}`)}, ${report}}`, [
    [`${branch}/dag/outputs/artifacts/a/artifactSelectors/0/outputArtifactKey`, 'the output "a" is system.Model@0.0.1, but selects system.HTML@0.0.1', undefined, `${branch}/outputDefinitions/artifacts/a: declared here`, "/components/comp-report/outputDefinitions/artifacts/page: its source is declared here"],
    [`${branch}/dag/outputs/parameters/p/valueFromParameter/outputParameterKey`, 'the output "p" is of type STRUCT, but selects one of type STRING', undefined, `${branch}/outputDefinitions/parameters/p: declared here`, "/components/comp-report/outputDefinitions/parameters/q: its source is declared here"],
  ]],
  ["a list that a loop collects, of another type", `components: {${dag("comp-loop", `artifacts: {a: ${page()}}`, `artifacts: {a: ${artifact("Model", list)}}`)}, ${report}}`, [
    [`${loop}/dag/outputs/artifacts/a/artifactSelectors/0/outputArtifactKey`, 'the output "a" is a list of system.Model@0.0.1, but selects system.HTML@0.0.1', undefined, `${loop}/outputDefinitions/artifacts/a: declared here`, "/components/comp-report/outputDefinitions/artifacts/page: its source is declared here"],
  ]],
  ["one artifact that is to be a list of a loop within", `components: {${dag("comp-loop", `artifacts: {a: ${page("inner", "all")}}`, `artifacts: {a: ${artifact("HTML")}}`, `tasks: {${say("inner", "comp-inner", over)}}, `)}, ${inner}, ${report}}`, [
    [`${loop}/dag/outputs/artifacts/a/artifactSelectors/0/outputArtifactKey`, 'the output "a" is system.HTML@0.0.1, but selects a list of system.HTML@0.0.1', undefined, `${loop}/outputDefinitions/artifacts/a: declared here`, "/components/comp-inner/outputDefinitions/artifacts/all: its source is declared here"],
  ]],
  ["another type in a DAG behind a loop, of whose outputs nobody knows", `root: {dag: {tasks: {${say("z", "comp-z")}}}}\ncomponents: {${dag("comp-loop", `parameters: {p: ${text()}}`, numbers)}, ${dag("comp-z", `parameters: {p: ${text("say")}}`, numbers, `tasks: {${say("say", "comp-report", message)}}, `)}, ${report}}`, [
    ["/components/comp-z/dag/outputs/parameters/p/valueFromParameter/outputParameterKey", 'the output "p" is of type NUMBER_DOUBLE, but selects one of type STRING', undefined, "/components/comp-z/outputDefinitions/parameters/p: declared here", "/components/comp-report/outputDefinitions/parameters/q: its source is declared here"],
  ]],
];

test.each(rows)("of %s all is said that is wrong", (_, patch, told) => {
  const { problems } = validatePipeline(exampleText("patch", `${patch}${echo}`));
  const said = problems.map(({ path, message: what, hint, related = [] }) => [
    path,
    what,
    hint,
    ...related.map((one) => `${one.path}: ${one.message}`),
  ]);
  expect(said).toEqual(told);
});

test("a list of artifacts of an executor is told of, also behind a single artifact", () => {
  const outputs = `{one: ${artifact("HTML")}, many: ${artifact("HTML", list)}}`;
  const patch = `components: {comp-report: {outputDefinitions: {artifacts: ${outputs}}}}${echo}`;
  const { problems } = validatePipeline(exampleText("patch", patch));
  expect(problems.map(({ path }) => path)).toEqual([
    "/components/comp-report/outputDefinitions/artifacts/many",
  ]);
});

/** A DAG that hands on an optional artifact under another name, and two tasks that run it without. */
const twice = (
  first = "",
) => `root: {dag: {tasks: {${first}${say("again", "comp-branch", `, inputs: {parameters: {label: {runtimeValue: {constant: x}}}}`)}}}}
components:
  comp-branch: {inputDefinitions: {artifacts: {extra: ${artifact("Dataset", optional)}}}, dag: {tasks: {report: {inputs: {artifacts: {own: {componentInputArtifact: extra}}}}}}}
  comp-report: {inputDefinitions: {artifacts: {own: ${artifact("Dataset", optional)}}}}`;

test("of the tasks that do not give an optional artifact the first is told, and where it may stand unread", () => {
  const [problem, ...others] = validatePipeline(exampleText("patch", twice())).problems;
  expect(others).toEqual([]);
  expect(problem?.message).toMatch(/^task "branch" does not give the optional artifact "extra"/);
  expect(problem?.related?.map(({ path }) => path)).toEqual(["/root/dag/tasks/branch"]);
  const unread = validatePipeline(exampleText("patch", twice("branch: {inputs: {artifacts: {extra: 5}}}, ")));
  expect(unread.problems.map(({ code }) => code)).toEqual(["wrong-type"]);
});
