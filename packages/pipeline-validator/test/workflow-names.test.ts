import { describe, expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

// The back end makes an Argo workflow of a pipeline, with two tasks for most of its tasks; Argo refuses some names.
const head = `pipelineInfo: {name: a}
schemaVersion: 2.1.0
deploymentSpec: {executors: {e: {container: {image: "a:1", command: [b]}}, v: {container: {image: argostub/deletepvc}}}}
`;
const task = (name: string, component = "comp-c", more = "") =>
  `"${name}": {taskInfo: {name: x}, componentRef: {name: "${component}"}${more}}`;
const dag = (name: string, ...tasks: readonly string[]) =>
  `"${name}": {inputDefinitions: {parameters: {i: {parameterType: STRING, isOptional: true}}}, dag: {tasks: {${tasks.join(", ")}}}}`;
const each = `, parameterIterator: {items: {raw: '["a"]'}, itemInput: i}`;
const after = (name: string) =>
  `, dependentTasks: ["${name}"], triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}`;
const claim = `, inputs: {parameters: {pvc_name: {runtimeValue: {constant: d}}}}`;

const textOf = (tasks: readonly string[], components: readonly string[] = []): string => {
  const known = [
    "comp-c: {executorLabel: e}",
    "comp-v: {executorLabel: v, inputDefinitions: {parameters: {pvc_name: {parameterType: STRING}}}}",
  ];
  return `${head}root: {dag: {tasks: {${tasks.join(", ")}}}}\ncomponents: {${[...known, ...components].join(", ")}}\n`;
};
const found = (...[tasks, components]: Parameters<typeof textOf>): readonly string[] => {
  return validatePipeline(textOf(tasks, components))
    .problems.map(({ severity, code, path }) => `${severity} ${code} ${path}`)
    .filter((one) => !one.includes("unused"));
};
const invalid = (name: string) => `error task-name-invalid /root/dag/tasks/${name}`;
const style = (name: string) => `warning task-name-style /root/dag/tasks/${name}`;
const long = (length: number) => "t".repeat(length);

describe("a task", () => {
  const rows: readonly (readonly [name: string, found: readonly string[]])[] = [
    ["train", []],
    ["Train2", [style("Train2")]],
    ["train-", [style("train-")]],
    ["train_2", [invalid("train_2")]],
    ["train.2", [invalid("train.2")]],
    ["train 2", [invalid("train 2")]],
    ["zug-\u00e4", [invalid("zug-\u00e4")]],
    ["-train", [invalid("-train")]],
    ["2nd-step", [invalid("2nd-step")]],
    [long(121), []],
    [long(122), [invalid(long(122))]],
  ];
  test.each(rows)("%s", (name, wanted) => expect(found([task(name)])).toEqual(wanted));

  test("that needs no driver may have a longer name", () => {
    expect(found([task(long(128), "comp-v", claim)])).toEqual([]);
    expect(found([task(long(129), "comp-v", claim)])).toEqual([invalid(long(129))]);
  });

  const others = "has other characters than letters, digits and -, or begins with -";
  const shorter = "give it a shorter name";
  test.each([
    ["train_2", others, "use letters, digits and -", "comp-c", ""],
    ["2nd-step", "begins with a digit", "begin it with a letter", "comp-c", ""],
    [long(122), "has more than 121 characters", shorter, "comp-c", ""],
    [long(122), "has more than 121 characters", shorter, "comp-d", ""],
    [long(129), "has more than 128 characters", shorter, "comp-v", claim],
    [long(129), "has more than 128 characters", shorter, "comp-d", each],
  ])("%s %s: %s", (name, reason, hint, component, more) => {
    const { problems } = validatePipeline(textOf([task(name, component, more)], [dag("comp-d", task("t"))]));
    const told = name.length > 80 ? `${name.slice(0, 77)}…` : name;
    const message = `the name "${told}" ${reason}, which Argo Workflows refuses`;
    expect(problems.filter(({ code }) => code === "task-name-invalid")).toMatchObject([{ message, hint }]);
  });

  test("that no run comes to is not refused", () => {
    const unreached = dag("comp-d", task("train_2"), task("a"), task("a-driver"));
    expect(found([task("a")], [unreached])).toEqual([
      "warning task-name-style /components/comp-d/dag/tasks/train_2",
    ]);
  });
});

describe("a task beside the driver of another one", () => {
  const taken = "error task-name-of-driver /root/dag/tasks/train-driver";
  const rows: readonly (readonly [name: string, tasks: readonly string[], found: readonly string[]])[] = [
    ["of a container", [task("train"), task("train-driver")], [taken]],
    ["of a component with tasks", [task("train", "comp-d"), task("train-driver")], [taken]],
    [
      "of a loop, which is in a template of its own",
      [task("train", "comp-d", each), task("train-driver")],
      [],
    ],
    ["of a claim, which has none", [task("train", "comp-v", claim), task("train-driver")], []],
    ["in another DAG", [task("train"), task("d", "comp-e")], []],
    ["that is an exit task", [task("train", "comp-c", after("train-driver")), task("train-driver")], []],
    ["and an exit task itself", [task("train"), task("train-driver", "comp-c", after("train"))], []],
  ];
  test.each(rows)("%s", (_, tasks, wanted) => {
    expect(found(tasks, [dag("comp-d", task("t")), dag("comp-e", task("train-driver"))])).toEqual(wanted);
  });
});

describe("a template", () => {
  const invalid = (place: string) => `error template-name-invalid ${place}`;
  test("is called like a component with tasks", () => {
    for (const name of ["comp_u", "comp.u", `comp-${"u".repeat(130)}`]) {
      expect(found([task("t", name)], [dag(name, task("t"))])).toEqual([invalid(`/components/${name}`)]);
      const executor = found([task("t", name)], [`"${name}": {executorLabel: e}`]);
      expect(executor.filter((one) => one.startsWith("error"))).toEqual([]);
    }
  });

  test("is called like a component and a task", () => {
    const name = `comp-${"u".repeat(60)}`;
    const loop = (length: number) => found([task(long(length), name, each)], [dag(name, task("t"))]);
    expect(loop(53)).toEqual([]);
    expect(loop(54)).toEqual([invalid(`/root/dag/tasks/${long(54)}`)]);
    const exit = (length: number) => found([task("a"), task(long(length), "comp-c", after("a"))]);
    expect(exit(113)).toEqual([]);
    expect(exit(114)).toEqual([invalid(`/root/dag/tasks/${long(114)}`)]);
  });

  test("is told of once, whether one or both of a loop are called too long, or its component is", () => {
    const name = `comp-${"u".repeat(60)}`;
    const loop = found([task(long(70), name, each)], [dag(name, task("t"))]);
    expect(loop).toEqual([invalid(`/root/dag/tasks/${long(70)}`)]);
    const longer = `comp-${"u".repeat(130)}`;
    const known = found([task("t", longer, each)], [dag(longer, task("t"))]);
    expect(known).toEqual([invalid(`/components/${longer}`)]);
  });

  test("is called like a component with an executor, and like the component around an exit task", () => {
    const name = `comp-${"u".repeat(95)}`;
    const loop = found([task(long(20), name, each)], [`"${name}": {executorLabel: e}`]);
    expect(loop.filter((one) => one.startsWith("error template"))).toEqual([
      invalid(`/root/dag/tasks/${long(20)}`),
    ]);
    const around = dag(name, task("a"), task(long(20), "comp-c", after("a")));
    expect(found([task("t", name)], [around])).toEqual([
      invalid(`/components/${name}/dag/tasks/${long(20)}`),
    ]);
  });
});
