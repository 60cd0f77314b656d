import {
  buildGraph,
  type ComponentNode,
  type PipelineGraph,
  parsePipeline,
  type TaskNode,
} from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { explainInput, explainOutput } from "../index.js";

function graphOf(text: string): PipelineGraph {
  const parsed = parsePipeline(text);
  const pipeline = parsed.ok ? parsed.pipeline : parsed.partial;
  return buildGraph(pipeline ?? expect.unreachable("the text holds a specification"));
}

const graph = graphOf(`
pipelineInfo: {name: training}
root:
  inputDefinitions:
    parameters: {rows: {parameterType: NUMBER_INTEGER, defaultValue: 100}, bucket: {parameterType: STRING}}
    artifacts: {given: {artifactType: {schemaTitle: system.Dataset}}}
  dag:
    outputs: {parameters: {score: {valueFromOneof: {parameterSelectors: [{producerSubtask: loop, outputParameterKey: score}, {producerSubtask: gone, outputParameterKey: score}]}}}}
    tasks:
      make: {componentRef: {name: comp-make}, inputs: {parameters: {rows: {componentInputParameter: rows}}}}
      fetch: {componentRef: {name: comp-import}, inputs: {parameters: {uri: {runtimeValue: {constant: "gs://{{$.inputs.parameters['bucket']}}/x"}}, bucket: {componentInputParameter: bucket}}}}
      loop:
        componentRef: {name: comp-body}
        parameterIterator: {itemInput: item, items: {inputParameter: list}}
        inputs:
          parameters: {list: {taskOutputParameter: {producerTask: make, outputParameterKey: list}, parameterExpressionSelector: 'parseJson(string_value)["all"]'}}
          artifacts: {data: {taskOutputArtifact: {producerTask: fetch, outputArtifactKey: artifact}}}
      raw: {componentRef: {name: comp-body}, parameterIterator: {itemInput: item, items: {raw: '[1, 2]'}}}
      exit: {componentRef: {name: comp-make}, inputs: {parameters: {status: {taskFinalStatus: {producerTask: loop}}, wrong: {componentInputParameter: nowhere}, lost: {taskOutputParameter: {producerTask: nobody, outputParameterKey: x}}, empty: {}}}}
      odd: {componentRef: {name: comp-gone}}
components:
  comp-make:
    executorLabel: exec-make
    inputDefinitions: {parameters: {rows: {parameterType: NUMBER_INTEGER, defaultValue: 7}, other: {parameterType: STRING}}}
    outputDefinitions: {parameters: {list: {parameterType: LIST}}}
  comp-import:
    executorLabel: exec-import
    inputDefinitions: {parameters: {uri: {parameterType: STRING}}}
    outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset}}}}
  comp-body:
    inputDefinitions: {parameters: {item: {parameterType: STRUCT}}, artifacts: {data: {artifactType: {schemaTitle: system.Dataset}}}}
    outputDefinitions: {parameters: {score: {parameterType: NUMBER_DOUBLE}}}
    dag:
      outputs: {parameters: {score: {valueFromParameter: {producerSubtask: train, outputParameterKey: score}}}}
      tasks:
        train: {componentRef: {name: comp-make}, inputs: {parameters: {rows: {componentInputParameter: item}}, artifacts: {data: {componentInputArtifact: data}}}}
deploymentSpec:
  executors:
    exec-make: {container: {image: python}}
    exec-import: {importer: {artifactUri: {runtimeParameter: uri}, typeSchema: {schemaTitle: system.Dataset}}}
`);

const task = (path: string): TaskNode => graph.task(path) ?? expect.unreachable(`${path} is a task`);
const component = (name: string): ComponentNode => graph.component(name) ?? expect.unreachable(name);
const root = graph.root ?? expect.unreachable("there is a root");
const train = task("/components/comp-body/dag/tasks/train");

test("an input is followed through loops, outputs and selectors to its beginnings", () => {
  expect(explainInput(train, "rows").text).toBe(
    [
      'input "rows" of task "train" (/components/comp-body/dag/tasks/train/inputs/parameters/rows)',
      '  ← input "item" of component "comp-body" (/components/comp-body/inputDefinitions/parameters/item)',
      '    ← input "item" of task "loop": an item of its loop (/root/dag/tasks/loop/parameterIterator/items)',
      '      ← input "list" of task "loop", the part parseJson(string_value)["all"] (/root/dag/tasks/loop/inputs/parameters/list)',
      '        ← output "list" of task "make" (/root/dag/tasks/make)',
      '          ← what executor "exec-make" writes (/deploymentSpec/executors/exec-make)',
      '    ← input "item" of task "raw": an item of its loop (/root/dag/tasks/raw/parameterIterator/items)',
      '      ← the list "[1, 2]" (/root/dag/tasks/raw/parameterIterator/items/raw)',
    ].join("\n"),
  );
});

test("an artifact is followed to the importer, and its address through placeholders to what the run is given", () => {
  expect(explainInput(train, "data", "artifact").text).toBe(
    [
      'input "data" of task "train" (/components/comp-body/dag/tasks/train/inputs/artifacts/data)',
      '  ← input "data" of component "comp-body" (/components/comp-body/inputDefinitions/artifacts/data)',
      '    ← input "data" of task "loop" (/root/dag/tasks/loop/inputs/artifacts/data)',
      '      ← output "artifact" of task "fetch" (/root/dag/tasks/fetch)',
      '        ← what executor "exec-import" imports (/deploymentSpec/executors/exec-import)',
      '          ← input "uri" of task "fetch" (/root/dag/tasks/fetch/inputs/parameters/uri)',
      `            ← the constant "gs://{{$.inputs.parameters['bucket']}}/x" (/root/dag/tasks/fetch/inputs/parameters/uri/runtimeValue/constant)`,
      '              ← input "bucket" of task "fetch" (/root/dag/tasks/fetch/inputs/parameters/bucket)',
      '                ← input "bucket" of the pipeline (/root/inputDefinitions/parameters/bucket)',
      "                  ← what the run is given (/root/inputDefinitions/parameters/bucket)",
      '    ← input "data" of task "raw" (/root/dag/tasks/raw)',
      "      ← nothing: the task does not supply it, and it has no default (/root/dag/tasks/raw)",
    ].join("\n"),
  );
});

test("an output of the pipeline is followed into its tasks, and what is not there is said", () => {
  expect(explainOutput(root, "score").text).toBe(
    [
      'output "score" of the pipeline, the first of these that has a value (/root/dag/outputs/parameters/score)',
      '  ← output "score" of all iterations of task "loop" (/root/dag/tasks/loop)',
      '    ← output "score" of component "comp-body" (/components/comp-body/dag/outputs/parameters/score)',
      '      ← output "score" of task "train" (/components/comp-body/dag/tasks/train)',
      '        ← what executor "exec-make" writes (/deploymentSpec/executors/exec-make)',
      '  ← nothing: there is no task "gone" beside it (/root/dag/outputs/parameters/score/valueFromOneof/parameterSelectors/1)',
    ].join("\n"),
  );
});

describe("the beginning", () => {
  const inputs = "/root/dag/tasks/exit/inputs/parameters";
  const exit = task("/root/dag/tasks/exit");
  const rows: readonly [
    what: string,
    of: TaskNode | ComponentNode,
    name: string,
    kind: string,
    at: string,
    text: string,
  ][] = [
    ["is how a task ended", exit, "status", "status", "/root/dag/tasks/loop", 'how task "loop" ended'],
    [
      "is the default of the component",
      exit,
      "rows",
      "default",
      "/components/comp-make/inputDefinitions/parameters/rows/defaultValue",
      "the default 7",
    ],
    [
      "is the default of the pipeline",
      root,
      "rows",
      "default",
      "/root/inputDefinitions/parameters/rows/defaultValue",
      "the default 100",
    ],
    [
      "is nothing without a default",
      exit,
      "other",
      "nothing",
      "/root/dag/tasks/exit",
      "nothing: the task does not supply it, and it has no default",
    ],
    [
      "is nothing for a parent without the input",
      exit,
      "wrong",
      "nothing",
      "/root",
      'nothing: the pipeline has no input parameter "nowhere"',
    ],
    [
      "is nothing for a producer that does not exist",
      exit,
      "lost",
      "nothing",
      `${inputs}/lost`,
      'nothing: there is no task "nobody" beside it',
    ],
    [
      "is nothing for an input without source",
      exit,
      "empty",
      "nothing",
      `${inputs}/empty`,
      "nothing: the input names no source",
    ],
    [
      "is nothing without a component",
      task("/root/dag/tasks/odd"),
      "x",
      "nothing",
      "/root/dag/tasks/odd",
      "nothing: the task does not supply it",
    ],
    [
      "is nothing for an undeclared input",
      component("comp-make"),
      "x",
      "nothing",
      "/components/comp-make",
      'nothing: component "comp-make" has no input parameter "x"',
    ],
  ];
  for (const [what, of, name, kind, at, text] of rows) {
    test(`${what}: ${name}`, () => {
      expect(explainInput(of, name).steps.at(-1)).toMatchObject({ kind, at, text });
    });
  }
});

test("what was listed before is not listed again", () => {
  const { steps } = explainInput(component("comp-make"), "rows");
  expect(steps.filter(({ repeated }) => repeated)).toEqual([]);
  const twice = explainInput(
    graphOf(`
root:
  inputDefinitions: {parameters: {a: {parameterType: STRING}}}
  dag: {tasks: {both: {componentRef: {name: c}, inputs: {parameters: {x: {runtimeValue: {constant: "{{$.inputs.parameters['y']}}{{$.inputs.parameters['z']}}"}}, y: {componentInputParameter: a}, z: {componentInputParameter: a}}}}}}
`).task("/root/dag/tasks/both")!,
    "x",
  ).steps;
  expect(twice.map(({ depth, kind, repeated }) => [depth, kind, repeated])).toEqual([
    [0, "task-input", false],
    [1, "constant", false],
    [2, "task-input", false],
    [3, "component-input", false],
    [4, "run", false],
    [2, "task-input", false],
    [3, "component-input", true],
  ]);
});

test("components that contain each other, and constants that need each other, come to an end", () => {
  const ring = graphOf(`
root: {dag: {tasks: {t: {componentRef: {name: a}}}}}
components:
  a: {inputDefinitions: {parameters: {x: {parameterType: STRING}}}, dag: {tasks: {again: {componentRef: {name: a}, inputs: {parameters: {x: {componentInputParameter: x}, y: {runtimeValue: {constant: "{{$.inputs.parameters['y']}}"}}}}}}}}
`);
  const again = ring.task("/components/a/dag/tasks/again")!;
  expect(explainInput(again, "x").steps.filter(({ repeated }) => repeated)).toHaveLength(1);
  expect(explainInput(again, "y").steps).toHaveLength(3);
});

test("20,000 levels of nesting, and 20,000 branches of 20,000 tasks, take a moment", () => {
  const levels = 20_000;
  const input = { parameters: { x: { componentInputParameter: "x" } } };
  const definitions = { inputDefinitions: { parameters: { x: { parameterType: "STRING" } } } };
  const components: Record<string, object> = {};
  for (let i = 0; i < levels; i++) {
    components[`c${i}`] = {
      ...definitions,
      dag: { tasks: { t: { componentRef: { name: `c${i + 1}` }, inputs: input } } },
    };
  }
  const root = { ...definitions, dag: { tasks: { t: { componentRef: { name: "c0" }, inputs: input } } } };
  const deep = graphOf(JSON.stringify({ pipelineInfo: { name: "deep" }, root, components }));
  const { steps, text } = explainInput(deep.task(`/components/c${levels - 1}/dag/tasks/t`)!, "x");
  expect(steps).toHaveLength(2 * (levels + 1) + 1);
  const indents = text.split("\n").map((line) => line.search(/\S/));
  expect(indents.slice(38, 43)).toEqual([76, 78, 80, 80, 80]);

  const names = Array.from({ length: levels }, (_, i) => `t${i}`);
  const choices = names.map((producerSubtask) => ({ producerSubtask, outputParameterKey: "x" }));
  const outputs = { parameters: { x: { valueFromOneof: { parameterSelectors: choices } } } };
  const tasksOf = (name: string) => Object.fromEntries(names.map((one) => [one, { componentRef: { name } }]));
  const wide = graphOf(
    JSON.stringify({
      pipelineInfo: { name: "wide" },
      root: { dag: { outputs, tasks: tasksOf("inner") } },
      components: { inner: { dag: { outputs, tasks: tasksOf("leaf") } }, leaf: { executorLabel: "e" } },
    }),
  );
  expect(explainOutput(wide.root!, "x").steps.length).toBeLessThan(5 * levels);
});
