import { describe, expect, test } from "vitest";
import { ruleCatalogue, validatePipeline } from "../src/index.js";
import {
  addInner,
  after,
  claim,
  conditionalDrop,
  conditionalUse,
  constant,
  early,
  given,
  innerUse,
  inputs,
  made,
  notWaiting,
  type Parts,
  task,
  use,
  when,
} from "./claims.js";
import { exampleText } from "./example-text.js";

// A claim is deleted while tasks inside of loops, conditions and other pipelines still mount it.

const rows: readonly (readonly [name: string, parts: Parts, mounted: string, found: readonly string[]])[] = [
  [
    "an output of a task, mounted in a DAG that is forgotten",
    {
      root: `${task("loop", "inner", inputs(made))}\n      ${task("drop", "drop", claim(made))}`,
      ...innerUse,
    },
    given,
    addInner,
  ],
  [
    "an output of a task, mounted in a DAG that is waited for",
    {
      root: `${task("loop", "inner", inputs(made))}\n      ${task("drop", "drop", `${claim(made)}, ${after("loop")}`)}`,
      ...innerUse,
    },
    given,
    [],
  ],
  [
    "an input of the pipeline",
    {
      root: `${task("loop", "inner", inputs(given))}\n      ${task("drop", "drop", claim(given))}`,
      ...innerUse,
    },
    given,
    addInner,
  ],
  [
    "another input of the pipeline",
    {
      root: `${task("loop", "inner", inputs("{componentInputParameter: other}"))}\n      ${task("drop", "drop", claim(given))}`,
      inputs: ", other: {parameterType: STRING, defaultValue: x}",
      ...innerUse,
    },
    given,
    [],
  ],
  [
    "a constant",
    {
      root: `${task("loop", "inner", inputs(given))}\n      ${task("drop", "drop", claim(constant))}`,
      ...innerUse,
    },
    constant,
    addInner,
  ],
  [
    "a constant that is filled in is another one in another DAG",
    {
      root: `${task("loop", "inner", inputs(given))}\n      ${task("drop", "drop", claim("{runtimeValue: {constant: \"{{$.inputs.parameters['name']}}\"}}"))}`,
      ...innerUse,
    },
    "{runtimeValue: {constant: \"{{$.inputs.parameters['name']}}\"}}",
    [],
  ],
  [
    "deleted inside of a condition, mounted beside it",
    {
      root: `${task("use", "use", after("make"))}\n      ${task("cleanup", "inner", inputs(made))}`,
      inner: task("drop", "drop", claim(given)),
    },
    made,
    notWaiting("/components/comp-inner/dag/tasks/drop", 'add "use" to dependentTasks of "cleanup"'),
  ],
  [
    "deleted inside of a condition that waits",
    {
      root: `${task("use", "use", after("make"))}\n      ${task("cleanup", "inner", `${inputs(made)}, ${after("use")}`)}`,
      inner: task("drop", "drop", claim(given)),
    },
    made,
    [],
  ],
  [
    "deleted and mounted in two DAGs, two levels down",
    {
      root: `${task("loop", "outer", inputs(made))}\n      ${task("cleanup", "inner", inputs(made))}`,
      inner: task("drop", "drop", claim(given)),
      more: `comp-outer: {inputDefinitions: {parameters: {name: {parameterType: STRING}}}, dag: {tasks: {${task("middle", "middle", inputs(given))}}}}
  comp-middle: {inputDefinitions: {parameters: {name: {parameterType: STRING}}}, dag: {tasks: {${use}}}}`,
    },
    given,
    notWaiting("/components/comp-inner/dag/tasks/drop", 'add "loop" to dependentTasks of "cleanup"'),
  ],
  [
    "in branches of which only one runs",
    {
      root: `${task("loop", "inner", `${inputs(given)}, ${when("a")}`)}\n      ${conditionalDrop("b")}`,
      ...innerUse,
    },
    given,
    [],
  ],
  [
    "in branches that may both run",
    {
      root: `${task("loop", "inner", `${inputs(given)}, ${when("a")}`)}\n      ${conditionalDrop("a")}`,
      ...innerUse,
    },
    given,
    addInner,
  ],
  [
    "mounted under a condition inside of a DAG, and deleted in any case",
    {
      root: `${task("loop", "inner", inputs(given))}\n      ${task("drop", "drop", claim(given))}`,
      inner: conditionalUse,
    },
    given,
    addInner,
  ],
  [
    "mounted under a condition inside of a DAG, and deleted under one, of which nobody can tell whether both hold",
    {
      root: `${task("loop", "inner", inputs(given))}\n      ${conditionalDrop("a")}`,
      inner: conditionalUse,
    },
    given,
    [],
  ],
  [
    "mounted under two conditions, of which nobody can tell either",
    {
      root: `${task("loop", "inner", `${inputs(given)}, ${when("a")}`)}\n      ${conditionalDrop("a")}`,
      inner: conditionalUse,
    },
    given,
    [],
  ],
  [
    "deleted in any case, and mounted under a condition",
    {
      root: `${task("loop", "inner", `${inputs(given)}, ${when("a")}`)}\n      ${task("drop", "drop", claim(given))}`,
      ...innerUse,
    },
    given,
    addInner,
  ],
  [
    "deleted under a condition, and mounted in any case",
    { root: `${task("loop", "inner", inputs(given))}\n      ${conditionalDrop("a")}`, ...innerUse },
    given,
    addInner,
  ],
  [
    "in a DAG that several tasks run nobody can tell",
    {
      root: `${task("loop", "inner", inputs(made))}\n      ${task("again", "inner", inputs(made))}\n      ${task("drop", "drop", claim(made))}`,
      ...innerUse,
    },
    given,
    [],
  ],
  [
    "mounted inside of a DAG that comes after",
    {
      root: `${task("loop", "inner", `${inputs(made)}, ${after("drop")}`)}\n      ${task("drop", "drop", claim(made))}`,
      ...innerUse,
    },
    given,
    [
      '/root/dag/tasks/drop: task "use" mounts a volume claim that task "drop" has deleted before: delete it afterwards, or make it anew in between',
    ],
  ],
];

describe("a claim is", () => {
  for (const [name, parts, mounted, found] of rows) {
    test(name, () => expect(early(parts, mounted)).toEqual(found));
  }
});

test("a condition on what is around both tasks excludes neither of them", () => {
  const { examples } =
    ruleCatalogue()
      .flatMap((group) => group.rules)
      .find(({ id }) => id === "volume-deleted-early") ?? expect.unreachable();
  const wrong = (examples?.wrong ?? "").replace(
    "{name: comp-body}",
    "{name: comp-body}, triggerPolicy: {condition: \"'a' == 'a'\"}",
  );
  const codes = validatePipeline(exampleText("patch", wrong)).problems.map(({ code }) => code);
  expect(codes).toContain("volume-deleted-early");
});
