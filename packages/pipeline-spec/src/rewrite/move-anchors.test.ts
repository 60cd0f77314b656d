import { expect, test } from "vitest";
import { type PipelineDraft, parsePipeline, rewritePipeline } from "../index.js";

const tasks = ({ spec }: PipelineDraft) => {
  const dag = spec.root?.implementation;
  return dag?.$case === "dag" ? dag.value.tasks : expect.unreachable("it is a DAG");
};

const fileOf = (lines: readonly string[]): string =>
  ["# head", "root:", "  dag:", "    tasks:", ...lines.map((line) => `      ${line}`), "# tail", ""].join(
    "\n",
  );

const edits: readonly {
  readonly name: string;
  readonly from: readonly string[];
  readonly change: (draft: PipelineDraft) => void;
  readonly to: readonly string[];
}[] = [
  {
    name: "the only alias gets the value of an anchor that is removed",
    from: ["one: &a {taskInfo: {name: x}} # 1", "two: *a # 2"],
    change: (draft) => delete tasks(draft).one,
    to: ["two: # 2", "  taskInfo:", "    name: x"],
  },
  {
    name: "the first alias takes the place of an anchor that is removed",
    from: ["one: &a {taskInfo: {name: x}} # 1", "two: *a # 2", "three: *a # 3"],
    change: (draft) => delete tasks(draft).one,
    to: ["two: &a # 2", "  taskInfo:", "    name: x", "three: *a # 3"],
  },
  {
    name: "an alias that is removed as well is passed over",
    from: ["one: &a {taskInfo: {name: x}} # 1", "two: *a # 2", "three: *a # 3", "four: *a # 4"],
    change: (draft) => {
      delete tasks(draft).one;
      delete tasks(draft).two;
    },
    to: ["three: &a # 3", "  taskInfo:", "    name: x", "four: *a # 4"],
  },
  {
    name: "a merge takes the place of an anchor that is removed",
    from: ["one: &a {taskInfo: {name: x}}", "two: {<<: *a, dependentTasks: [w]} # 2", "three: {<<: *a} # 3"],
    change: (draft) => delete tasks(draft).one,
    to: ["two: {<<: &a {taskInfo: {name: x}}, dependentTasks: [w]} # 2", "three: {<<: *a} # 3"],
  },
  {
    name: "a merge in a line of its own takes the place of an anchor",
    from: ["one: &a {taskInfo: {name: x}}", "two:", "  <<: *a # 2", "  cachingOptions: {}", "three: *a # 3"],
    change: (draft) => delete tasks(draft).one,
    to: ["two:", "  <<: &a # 2", "    taskInfo:", "      name: x", "  cachingOptions: {}", "three: *a # 3"],
  },
  {
    name: "the first alias is in what is merged, and the second behind it in the same map",
    from: ["one: {taskInfo: &a {name: x}}", "two: {<<: {taskInfo: *a}, componentRef: *a} # 2"],
    change: (draft) => delete tasks(draft).one,
    to: ["two: {<<: {taskInfo: &a {name: x}}, componentRef: *a} # 2"],
  },
  {
    name: "anchors inside of what is removed",
    from: [
      "one: &a {taskInfo: &b {name: &c x}}",
      "two: *a # 2",
      "three: {taskInfo: *b} # 3",
      "four: {taskInfo: {name: *c}} # 4",
    ],
    change: (draft) => delete tasks(draft).one,
    to: [
      "two: # 2",
      "  taskInfo:",
      "    name: x",
      "three: {taskInfo: {name: x}} # 3",
      "four: {taskInfo: {name: x}} # 4",
    ],
  },
  {
    name: "an anchor of a list whose name ends with a dash",
    from: [
      "one: {dependentTasks: &a- [x, w]}",
      "two:",
      "  dependentTasks: *a- # 2",
      "three: {dependentTasks: *a-}",
    ],
    change: (draft) => delete tasks(draft).one,
    to: ["two:", "  dependentTasks: &a- # 2", "  - x", "  - w", "three: {dependentTasks: *a-}"],
  },
  {
    name: "what a map does not inherit any more takes no comments with it",
    from: [
      "one: &a {taskInfo: {name: x}, dependentTasks: [w]}",
      "two:",
      "  # 0",
      "  <<: *a # 1",
      "  componentRef: {name: z} # 2",
    ],
    change: (draft) => Object.assign(tasks(draft).two ?? {}, { taskInfo: undefined }),
    to: [
      "one: &a {taskInfo: {name: x}, dependentTasks: [w]}",
      "two:",
      "  # 0",
      "  componentRef: {name: z} # 2",
      "  dependentTasks:",
      "  - w",
    ],
  },
  {
    name: "the comment of a key stays in its line when its value becomes lines",
    from: ["one: &a {dependentTasks: [w]}", "two: *a # 2"],
    change: (draft) => tasks(draft).two?.dependentTasks.push("z"),
    to: ["one: &a {dependentTasks: [w]}", "two: # 2", "  dependentTasks:", "  - w", "  - z"],
  },
  {
    name: "an entry that is renamed stays where it is, with its comments and its anchor",
    from: ["# above", "one: &a # 1", "  taskInfo: {name: x} # 2", '"two": *a # 3'],
    change: (draft) => {
      const { one, two, ...others } = tasks(draft);
      for (const name of ["one", "two"]) delete tasks(draft)[name];
      Object.assign(tasks(draft), { ...others, "a: b": one });
      Object.assign(tasks(draft), { two });
    },
    to: ["# above", '"a: b": &a # 1', "  taskInfo: {name: x} # 2", '"two": *a # 3'],
  },
];

for (const { name, from, change, to } of edits) {
  test(name, () => {
    const result = rewritePipeline(fileOf(from), (draft) => void change(draft));
    expect(result).toEqual({ ok: true, text: fileOf(to), keptComments: true });
    expect(parsePipeline(fileOf(to))).toMatchObject({ ok: true });
  });
}
