import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

// The back end makes templates by the names of components, and refuses a run whose templates have the same name.
const task = (name: string, component: string, more = "") =>
  `${name}: {taskInfo: {name: ${name}}, componentRef: {name: ${component}}${more}}`;
const loop = (name: string, component: string) =>
  task(name, component, `, parameterIterator: {items: {raw: '["a"]'}, itemInput: i}`);
const body = (name: string) =>
  `${name}: {inputDefinitions: {parameters: {i: {parameterType: STRING}}}, dag: {tasks: {${task("t", "comp-c")}}}}`;
const dag = (name: string, ...tasks: string[]) => `${name}: {dag: {tasks: {${tasks.join(", ")}}}}`;

type More = { readonly executors?: string; readonly settings?: string };

const reportOf = (
  tasks: readonly string[],
  components: readonly string[],
  { executors = "", settings = "" }: More = {},
) => {
  const { problems } = validatePipeline(`pipelineInfo: {name: a}
schemaVersion: 2.1.0
deploymentSpec: {executors: {e: {container: {image: "a:1", command: [b]}}, ${executors}}}
root: {dag: {tasks: {${tasks.join(", ")}}}}
components: {${[...components, "comp-c: {executorLabel: e}"].join(", ")}}
---
platforms: {kubernetes: {pipelineConfig: {workspace: {size: 1Gi, kubernetes: {pvcSpecPatch: {accessModes: [ReadWriteOnce]}}}}, deploymentSpec: {executors: {${settings}}}}}
`);
  return problems.filter(({ severity }) => severity === "error");
};

const errorsOf = (...given: Parameters<typeof reportOf>) =>
  reportOf(...given).map(({ code, path }) => `${code} ${path}`);

/** What is said of the one thing that is wrong, what to do about it, and what else is to be seen. */
const told = (...given: Parameters<typeof reportOf>) =>
  reportOf(...given).map(({ message, hint, related }) => [
    message,
    hint,
    related?.map((one) => `${one.path}: ${one.message}`),
  ]);

const shared = "iterator-component-shared";
test.each([
  [
    "two loops over one component",
    [loop("a", "l"), loop("b", "l")],
    [body("l")],
    [`${shared} /root/dag/tasks/b/componentRef/name`],
  ],
  [
    "a loop within a loop over the same kind of body",
    [loop("a", "l"), task("s", "sub")],
    [body("l"), dag("sub", loop("b", "l"))],
    [`${shared} /components/sub/dag/tasks/b/componentRef/name`],
  ],
  [
    "a sub-pipeline with a loop, used twice",
    [task("a", "sub"), task("b", "sub")],
    [body("l"), dag("sub", loop("x", "l"))],
    [],
  ],
  ["a loop that no run comes to", [loop("a", "l")], [body("l"), dag("unused", loop("b", "l"))], []],
  ["loops over copies", [loop("a", "l"), loop("b", "m")], [body("l"), body("m")], []],
])("%s", (_, tasks, components, errors) => {
  expect(errorsOf(tasks, components)).toEqual(errors);
});

// The back end makes these only where something needs them.
const importer =
  "i: {importer: {artifactUri: {constant: 'gs://b/x'}, typeSchema: {schemaTitle: system.Model}}}";
const inWorkspace = importer.replace("{importer: {", "{importer: {downloadToWorkspace: true, ");
const retried = task("r", "comp-c", ", retryPolicy: {maxRetryCount: 1}");
const exit = (name: string) =>
  task(name, "comp-c", ", triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}, dependentTasks: [x]");
const withMetadata = (metadata: string) => `e: {podMetadata: ${metadata}}`;
const reserved = (name: string) => `component-name-reserved /components/${name}`;

interface Row {
  readonly name: string;
  readonly tasks?: readonly string[];
  readonly components?: readonly string[];
  readonly executors?: string;
  readonly settings?: string;
}

test.each<Row>([
  { name: "l-iteration", tasks: [loop("a", "l")], components: [body("l")] },
  { name: "l-a-iterator", tasks: [loop("a", "l")], components: [body("l")] },
  { name: "exit-hook-root-e", tasks: [exit("e")] },
  {
    name: "exit-hook-sub-e",
    tasks: [task("s", "sub")],
    components: [dag("sub", task("x", "comp-c"), exit("e"))],
  },
  { name: "retry-system-container-executor", tasks: [retried] },
  { name: "retry-system-container-impl", tasks: [retried] },
  // What is retried as a whole hands that down to its tasks.
  {
    name: "retry-system-container-impl",
    tasks: [task("s", "sub", ", retryPolicy: {maxRetryCount: 1}")],
    components: [dag("sub", task("t", "comp-c"))],
  },
  { name: "metadata-0-0-system-container-impl", settings: withMetadata("{}") },
  {
    name: "metadata-1-2-system-container-executor",
    settings: withMetadata("{annotations: {a: b}, labels: {a: b, c: d}}"),
  },
  {
    name: "metadata-0-1-retry-system-container-impl",
    tasks: [retried],
    settings: withMetadata("{labels: {a: b}}"),
  },
  { name: "system-importer", tasks: [task("i", "comp-i")], executors: importer },
  { name: "system-importer-workspace", tasks: [task("i", "comp-i")], executors: inWorkspace },
])("a component with tasks cannot be called $name where the back end needs that", (row) => {
  const { name, tasks = [], components = [], executors = importer, settings = "" } = row;
  const named = [
    dag(name, task("t", "comp-c")),
    "comp-i: {executorLabel: i, outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Model}}}}}",
  ];
  const one = [task("x", name)];
  expect(errorsOf([...one, ...tasks], [...named, ...components], { executors, settings })).toEqual([
    reserved(name),
  ]);
  // A task of another name, and nothing that needs the template.
  expect(errorsOf(one, named, { executors })).toEqual([]);
  expect(
    errorsOf([task("x", "comp-c"), ...tasks], [...named, ...components], { executors, settings }),
  ).toEqual([]);
});

const subExits = (first: string, second: string) =>
  [
    [task("s", "a"), task("t", "a-b")],
    [dag("a", task("x", "comp-c"), exit(first)), dag("a-b", task("x", "comp-c"), exit(second))],
  ] as const;

test.each([
  ["l-iteration", [loop("a", "l")], [body("l")], 'the items of the loop "a"', "/root/dag/tasks/a"],
  ["l-a-iterator", [loop("a", "l")], [body("l")], 'the loop "a"', "/root/dag/tasks/a"],
  ["exit-hook-root-e", [exit("e")], [], 'the exit task "e"', "/root/dag/tasks/e"],
])("what %s is made for is told", (name, tasks, components, what, place) => {
  expect(told([task("x", name), ...tasks], [dag(name, task("t", "comp-c")), ...components])).toEqual([
    [
      `"${name}" is the name of a template of the back end, for ${what}`,
      "give it another name",
      [`${place}: made for this`],
    ],
  ]);
});

test("a template that is made for no task alone is told without one", () => {
  expect(told([task("x", "root")], [dag("root", task("t", "comp-c"))])).toEqual([
    ['"root" is the name of a template of the back end', "give it another name", undefined],
  ]);
});

test("of two templates with the same name both are told", () => {
  const hint = "give one of the two another name";
  expect(told([loop("b-c", "a"), loop("c", "a-b")], [body("a"), body("a-b")])).toEqual([
    [
      'the template for the loop "c" is called "a-b-c-iterator", like that for the loop "b-c"',
      hint,
      ["/root/dag/tasks/b-c: the other one"],
    ],
  ]);
  expect(told(...subExits("b-c", "c"))).toEqual([
    [
      'the template for the exit task "c" is called "exit-hook-a-b-c", like that for the exit task "b-c"',
      hint,
      ["/components/a/dag/tasks/b-c: the other one"],
    ],
  ]);
});

test("the templates of two tasks cannot have the same name", () => {
  const ambiguous = "task-template-ambiguous";
  const loops = [loop("b-c", "a"), loop("c", "a-b")];
  expect(errorsOf(loops, [body("a"), body("a-b")])).toEqual([`${ambiguous} /root/dag/tasks/c`]);
  expect(errorsOf([loop("b-c", "a"), loop("d", "a-b")], [body("a"), body("a-b")])).toEqual([]);
  expect(errorsOf(...subExits("b-c", "c"))).toEqual([`${ambiguous} /components/a-b/dag/tasks/c`]);
  expect(errorsOf(...subExits("b-c", "d"))).toEqual([]);
});

test.each([
  ["e-iteration", "x", 'the items of the loop "x"', 'the exit task "e-iteration"'],
  ["e-x-iterator", "x", 'the loop "x"', 'the exit task "e-x-iterator"'],
  ["e-iteration", "a", 'the exit task "e-iteration"', 'the items of the loop "a"'],
  ["e-a-iterator", "a", 'the exit task "e-a-iterator"', 'the loop "a"'],
])("the exit task %s and the loop %s may have templates of one name", (last, looped, of, like) => {
  const component = "exit-hook-root-e";
  expect(told([loop(looped, component), exit(last)], [body(component)])[0]?.[0]).toBe(
    `the template for ${of} is called "exit-hook-root-${last}", like that for ${like}`,
  );
});

test.each([
  "entrypoint",
  "root",
  "system-dag-driver",
  "system-container-driver",
  "system-container-executor",
  "system-container-impl",
])("a component with tasks cannot be called %s", (name) => {
  expect(errorsOf([task("x", name)], [dag(name, task("t", "comp-c"))])).toEqual([
    `component-name-reserved /components/${name}`,
  ]);
  expect(errorsOf([task("x", name)], [`${name}: {executorLabel: e}`])).toEqual([]);
  expect(errorsOf([task("x", "comp-c")], [dag(name, task("t", "comp-c"))])).toEqual([]);
});
