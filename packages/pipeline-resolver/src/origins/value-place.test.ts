import { buildGraph, parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { explainInput, explainOutput } from "../index.js";

const parsed = parsePipeline(`
pipelineInfo: {name: places}
root:
  inputDefinitions: {parameters: {uri: {parameterType: STRING}}, artifacts: {sets: {artifactType: {schemaTitle: system.Dataset}, isArtifactList: true}}}
  dag:
    tasks:
      fixed: {componentRef: {name: comp-fixed}}
      old: {componentRef: {name: comp-old}}
      given: {componentRef: {name: comp-given}, inputs: {parameters: {uri: {componentInputParameter: uri}}}}
      bare: {componentRef: {name: comp-bare}}
      lost: {componentRef: {name: comp-lost}}
      odd: {componentRef: {name: comp-gone}}
      endless: {componentRef: {name: comp-used}, artifactIterator: {itemInput: set}}
      twice: {componentRef: {name: comp-same}, inputs: {parameters: {p: {runtimeValue: {constant: "{{$.inputs.parameters['same']}} {{$.inputs.parameters['same']}}"}}}}}
      two: {componentRef: {name: comp-same}, inputs: {parameters: {p: {runtimeValue: {constant: "{{$.inputs.parameters['same']}} {{$.inputs.parameters['none']}}"}}}}}
      each: {componentRef: {name: comp-used}, artifactIterator: {itemInput: set, items: {inputArtifact: sets}}, inputs: {artifacts: {sets: {componentInputArtifact: sets}}}}
      mixed: {componentRef: {name: comp-used}, inputs: {artifacts: {set: {taskOutputArtifact: {producerTask: fixed, outputArtifactKey: artifact}}}, parameters: {p: {runtimeValue: {constant: {deep: ["{{$.inputs.artifacts['set'].uri}}", 5, null]}}}, status: {taskFinalStatus: {producerTask: nobody}}, typed: {runtimeValue: {constantValue: {intValue: 5}}}, run: {runtimeValue: {runtimeParameter: uri}}}}}
components:
  comp-fixed: {executorLabel: exec-fixed, outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset}}}}}
  comp-old: {executorLabel: exec-old, outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset}}}}}
  comp-given: {executorLabel: exec-given, inputDefinitions: {parameters: {uri: {parameterType: STRING}}}, outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset}}}}}
  comp-bare: {executorLabel: exec-bare, outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset}}}}}
  comp-lost: {executorLabel: exec-lost, outputDefinitions: {parameters: {o: {parameterType: STRING}}}}
  comp-used: {executorLabel: exec-used, inputDefinitions: {parameters: {p: {parameterType: STRUCT}, status: {parameterType: TASK_FINAL_STATUS}}, artifacts: {set: {artifactType: {schemaTitle: system.Dataset}}}}}
  comp-same: {executorLabel: exec-used, inputDefinitions: {parameters: {p: {parameterType: STRING}, same: {parameterType: STRING, defaultValue: d}}, artifacts: {same: {artifactType: {schemaTitle: system.Dataset}}}}}
  comp-unused: {inputDefinitions: {parameters: {x: {parameterType: STRING, defaultValue: d}}, artifacts: {y: {artifactType: {schemaTitle: system.Dataset}}}}, dag: {tasks: {}}}
deploymentSpec:
  executors:
    exec-fixed: {importer: {artifactUri: {constant: "gs://b/fixed"}}}
    exec-old: {importer: {artifactUri: {constantValue: {stringValue: "gs://b/old"}}}}
    exec-given: {importer: {artifactUri: {runtimeParameter: uri}}}
    exec-bare: {importer: {}}
    exec-used: {container: {image: python}}
`);
const pipeline = parsed.ok ? parsed.pipeline : parsed.partial;
const graph = buildGraph(pipeline ?? expect.unreachable("the text holds a specification"));
const task = (name: string) => graph.task(`/root/dag/tasks/${name}`) ?? expect.unreachable(name);
const component = (name: string) => graph.component(name) ?? expect.unreachable(name);
const root = graph.root ?? expect.unreachable("there is a root");

/** Each way to the beginning, one step behind the other. */
const rows: readonly (readonly [
  what: string,
  explained: ReturnType<typeof explainInput>,
  steps: readonly string[],
])[] = [
  [
    "an importer with an address",
    explainOutput(task("fixed"), "artifact", "artifact"),
    [
      'output: output "artifact" of task "fixed"',
      'executor: what executor "exec-fixed" imports from "gs://b/fixed"',
    ],
  ],
  [
    "an importer with an address in the old form",
    explainOutput(task("old"), "artifact", "artifact"),
    [
      'output: output "artifact" of task "old"',
      'executor: what executor "exec-old" imports from "gs://b/old"',
    ],
  ],
  [
    "an importer whose address is an input of its task",
    explainOutput(task("given"), "artifact", "artifact"),
    [
      'output: output "artifact" of task "given"',
      'executor: what executor "exec-given" imports',
      'task-input: input "uri" of task "given"',
      'component-input: input "uri" of the pipeline',
      "run: what the run is given",
    ],
  ],
  [
    "an importer whose address is an input of its component",
    explainOutput(component("comp-given"), "artifact", "artifact"),
    [
      'output: output "artifact" of component "comp-given"',
      'executor: what executor "exec-given" imports',
      'component-input: input "uri" of component "comp-given"',
      'task-input: input "uri" of task "given"',
      'component-input: input "uri" of the pipeline',
      "run: what the run is given",
    ],
  ],
  [
    "an importer without an address",
    explainOutput(task("bare"), "artifact", "artifact"),
    ['output: output "artifact" of task "bare"', 'executor: what executor "exec-bare" imports from null'],
  ],
  [
    "an executor that is not there",
    explainOutput(task("lost"), "o"),
    ['output: output "o" of task "lost"', "nothing: nothing: the component has no executor"],
  ],
  [
    "a component that is not there",
    explainOutput(task("odd"), "o"),
    ['nothing: nothing: the component of task "odd" does not exist'],
  ],
  [
    "an executor of a component",
    explainOutput(component("comp-used"), "o"),
    ['output: output "o" of component "comp-used"', 'executor: what executor "exec-used" writes'],
  ],
  [
    "a DAG without the output",
    explainOutput(component("comp-unused"), "o"),
    ['nothing: nothing: no task of component "comp-unused" gives its output "o"'],
  ],
  [
    "a parameter of a component that no task runs",
    explainInput(component("comp-unused"), "x"),
    ['component-input: input "x" of component "comp-unused"', "nothing: nothing: no task runs the component"],
  ],
  [
    "an artifact of a component that no task runs",
    explainInput(component("comp-unused"), "y", "artifact"),
    ['component-input: input "y" of component "comp-unused"', "nothing: nothing: no task runs the component"],
  ],
  [
    "an artifact that is not declared",
    explainInput(root, "x", "artifact"),
    ['nothing: nothing: the pipeline has no input artifact "x"'],
  ],
  [
    "an artifact of a loop",
    explainInput(task("each"), "set", "artifact"),
    [
      'item: input "set" of task "each": an item of its loop',
      'task-input: input "sets" of task "each"',
      'component-input: input "sets" of the pipeline',
      "run: what the run is given",
    ],
  ],
  [
    "a loop over nothing",
    explainInput(task("endless"), "set", "artifact"),
    [
      'task-input: input "set" of task "endless"',
      "nothing: nothing: the task does not supply it, and it has no default",
    ],
  ],
  [
    "an artifact beside a parameter of the same name that has a default",
    explainInput(task("twice"), "same", "artifact"),
    [
      'task-input: input "same" of task "twice"',
      "nothing: nothing: the task does not supply it, and it has no default",
    ],
  ],
  [
    "a constant that names an input twice",
    explainInput(task("twice"), "p"),
    [
      'task-input: input "p" of task "twice"',
      `constant: the constant "{{$.inputs.parameters['same']}} {{$.inputs.parameters['sam…`,
      'task-input: input "same" of task "twice"',
      'default: the default "d"',
    ],
  ],
  [
    "an artifact in a constant, however deep",
    explainInput(task("mixed"), "p"),
    [
      'task-input: input "p" of task "mixed"',
      "constant: the constant {…}",
      'task-input: input "set" of task "mixed"',
      'output: output "artifact" of task "fixed"',
      'executor: what executor "exec-fixed" imports from "gs://b/fixed"',
    ],
  ],
  [
    "a constant in the old form",
    explainInput(task("mixed"), "typed"),
    ['task-input: input "typed" of task "mixed"', "constant: the constant 5"],
  ],
  [
    "a runtime parameter",
    explainInput(task("mixed"), "run"),
    [
      'task-input: input "run" of task "mixed"',
      'component-input: input "uri" of the pipeline',
      "run: what the run is given",
    ],
  ],
  [
    "the end of a task that is not there",
    explainInput(task("mixed"), "status"),
    ['task-input: input "status" of task "mixed"', 'status: how task "nobody" ended'],
  ],
];

test.each(rows)("%s", (_, { steps }, wanted) => {
  expect(steps.map(({ kind, text }) => `${kind}: ${text}`)).toEqual(wanted);
  expect(steps.map(({ depth }) => depth)).toEqual(wanted.map((_, depth) => depth));
});

test("each step has a pointer to what it says", () => {
  const places = ({ steps }: ReturnType<typeof explainInput>) => steps.map(({ at }) => at);
  expect(places(explainOutput(component("comp-lost"), "o"))).toEqual([
    "/components/comp-lost/outputDefinitions/parameters/o",
    "/components/comp-lost",
  ]);
  expect(places(explainOutput(component("comp-fixed"), "artifact", "artifact"))).toEqual([
    "/components/comp-fixed/outputDefinitions/artifacts/artifact",
    "/deploymentSpec/executors/exec-fixed",
  ]);
  expect(places(explainInput(task("twice"), "same"))).toEqual([
    "/root/dag/tasks/twice",
    "/components/comp-same/inputDefinitions/parameters/same/defaultValue",
  ]);
  expect(places(explainInput(task("each"), "set", "artifact"))).toEqual([
    "/root/dag/tasks/each/artifactIterator/items",
    "/root/dag/tasks/each/inputs/artifacts/sets",
    "/root/inputDefinitions/artifacts/sets",
    "/root/inputDefinitions/artifacts/sets",
  ]);
});

test("a constant that names two inputs which the task does not supply has both before it", () => {
  expect(
    explainInput(task("two"), "p")
      .text.split("\n")
      .map((line) => line.replace(/ \(.*/, "")),
  ).toEqual([
    'input "p" of task "two"',
    `  ← the constant "{{$.inputs.parameters['same']}} {{$.inputs.parameters['non…`,
    '    ← input "same" of task "two"',
    '      ← the default "d"',
    '    ← input "none" of task "two"',
    "      ← nothing: the task does not supply it, and it has no default",
  ]);
});
