import { describe, expect, test } from "vitest";
import {
  addInner,
  after,
  claim,
  constant,
  dropping,
  early,
  given,
  innerUse,
  inputs,
  made,
  making,
  notWaiting,
  own,
  type Parts,
  task,
  use,
} from "./claims.js";

// Under which names a claim is the same one, in whatever DAG it is made, mounted and deleted.

const rows: readonly (readonly [name: string, parts: Parts, mounted: string, found: readonly string[]])[] = [
  [
    "a part of an input of the pipeline, which is another name",
    {
      root: `${task("loop", "inner", inputs("{componentInputParameter: name, parameterExpressionSelector: string_value}"))}\n      ${task("drop", "drop", claim(given))}`,
      ...innerUse,
    },
    given,
    [],
  ],
  [
    "an input that nobody gives its DAG, in which it is deleted and mounted",
    { root: task("loop", "inner"), inner: `${use}, ${task("drop", "drop", claim(given))}` },
    given,
    notWaiting("/components/comp-inner/dag/tasks/drop", 'add "use" to its dependentTasks'),
  ],
  [
    "an input that nobody gives its DAG, which is none of the pipeline",
    { root: `${task("loop", "inner")}\n      ${task("drop", "drop", claim(given))}`, ...innerUse },
    given,
    [],
  ],
  [
    "another output of the task",
    {
      root: `${task("loop", "inner", inputs("{taskOutputParameter: {producerTask: make, outputParameterKey: other}}"))}\n      ${dropping()}`,
      ...innerUse,
    },
    given,
    [],
  ],
  [
    "an output of a task of this name in another DAG",
    { root: `${task("loop", "inner")}\n      ${dropping()}`, inner: `${making("make", "")}, ${use}` },
    made,
    [],
  ],
  [
    "an input of the task that mounts it",
    {
      root: `${task("loop", "inner", inputs(made))}\n      ${dropping()}`,
      inner: own("disk", given),
    },
    "{componentInputParameter: disk}",
    addInner,
  ],
  [
    "an input of the DAG, whatever the task has under that name",
    {
      root: `${task("loop", "inner", inputs(made))}\n      ${dropping()}`,
      inner: own("name", constant),
    },
    given,
    addInner,
  ],
  [
    "the name of a secret as well, which is no claim",
    {
      root: `${task("loop", "inner", inputs(made))}\n      ${dropping()}`,
      settings: (from) => `secretAsVolume: [{mountPath: /d, secretNameParameter: ${from}}]`,
      ...innerUse,
    },
    given,
    [],
  ],
  [
    "mounted by two tasks, of which only the second is waited for",
    {
      root: `${own("disk", made)}\n      ${task("loop", "inner", inputs(made))}\n      ${dropping(after("loop"))}`,
      inner: own("disk", given).replaceAll("name: use", "name: other").replace("use:", "other:"),
    },
    "{componentInputParameter: disk}",
    notWaiting("/root/dag/tasks/drop", 'add "use" to its dependentTasks'),
  ],
  [
    "made anew before it is mounted, and once more at the end",
    {
      root: [
        task("drop", "drop", claim(constant)),
        making("anew", after("drop")),
        task("loop", "inner", `${inputs(given)}, ${after("anew")}`),
        making("last", after("loop")),
      ].join("\n      "),
      ...innerUse,
    },
    constant,
    [],
  ],
  [
    "made before it is deleted, and mounted afterwards",
    {
      root: [
        making("first", ""),
        task("drop", "drop", `${claim(constant)}, ${after("first")}`),
        task("loop", "inner", `${inputs(given)}, ${after("first", "drop")}`),
      ].join("\n      "),
      ...innerUse,
    },
    constant,
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

/** A claim that is mounted in so many DAGs, one inside of the other. */
function nested(levels: number): Parts {
  const dag = (level: number) =>
    `comp-in-${level}: {inputDefinitions: {parameters: {name: {parameterType: STRING}}}, dag: {tasks: {${level === levels ? use : task(`in-${level + 1}`, `in-${level + 1}`, inputs(given))}}}}`;
  const more = Array.from({ length: levels }, (_, index) => dag(index + 1)).join("\n  ");
  return { root: `${task("loop", "in-1", inputs(made))}\n      ${dropping()}`, inner: "", more };
}

test("DAGs in DAGs are looked through up to thirty tasks", () => {
  expect(early(nested(29), given)).toEqual(addInner);
  expect(early(nested(30), given)).toEqual([]);
});
