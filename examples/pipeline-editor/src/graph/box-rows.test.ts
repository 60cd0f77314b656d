import { describe, expect, test } from "vitest";
import { boxText, spokenName } from "./box-rows.js";
import type { GraphTask } from "./pipeline-graph.js";
import { clip, columns, shortExpression } from "./short-text.js";

const plain: GraphTask = {
  ...{ id: "/train", name: "train", component: "comp-train", kind: "container" },
  ...{ condition: undefined, runsAnyway: false, loop: undefined, retries: 0 },
  ...{ problems: { error: 0, warning: 0, info: 0 }, places: [], inside: undefined },
};
const dag = { tasks: [plain, plain], arrows: [], outputs: { id: "/train/~outputs", names: ["model"] } };

const cases: readonly {
  readonly name: string;
  readonly task: Partial<GraphTask>;
  readonly before?: readonly string[];
  readonly rows: readonly string[];
  readonly spoken: string;
}[] = [
  { name: "a plain task", task: {}, rows: [], spoken: "task train, component comp-train" },
  {
    name: "one of another name than its component",
    task: { component: "train-model" },
    rows: ["kind train-model"],
    spoken: "task train, component train-model",
  },
  {
    name: "one with problems, after others",
    task: { problems: { error: 2, warning: 1, info: 3 } },
    before: ["read", "split"],
    rows: [],
    spoken: "task train, component comp-train, after read, split, 2 errors, 1 warning",
  },
  {
    name: "a condition",
    task: { condition: "inputs.parameter_values['pipelinechannel--flip-Output'] == 'heads'" },
    rows: ["condition if flip-Output == 'heads'"],
    spoken: "task train, component comp-train, if flip-Output == 'heads'",
  },
  {
    name: "a loop over a graph",
    task: { kind: "dag", inside: dag, loop: { items: "rates", atOnce: 2 } },
    rows: ["loop for each of rates, 2 at once"],
    spoken: "task train, component comp-train, with 2 tasks, for each of rates, 2 at once, gives model",
  },
  {
    name: "an exit handler that is tried again",
    task: { runsAnyway: true, retries: 3 },
    rows: ["anyway however the others end", "retry up to 3 retries"],
    spoken: "task train, component comp-train, however the others end, up to 3 retries",
  },
  {
    name: "an importer",
    task: { kind: "importer", component: "comp-import" },
    rows: ["kind importer · import"],
    spoken: "task train, component comp-import, importer",
  },
  {
    name: "a component that is missing",
    task: { kind: "unknown" },
    rows: ["kind train: not found"],
    spoken: "task train, component comp-train, not found",
  },
  {
    name: "no component",
    task: { kind: "unknown", component: "" },
    rows: ["kind no component"],
    spoken: "task train, not found",
  },
  {
    name: "a graph that contains itself",
    task: { kind: "dag" },
    rows: ["kind train: contains itself"],
    spoken: "task train, component comp-train, contains itself",
  },
];

describe("a box says", () => {
  for (const { name, task, before = [], rows, spoken } of cases) {
    test(`what ${name} is`, () => {
      const whole = { ...plain, ...task };
      const text = boxText(whole);
      expect(text.rows.map((row) => `${row.sign} ${row.text}`)).toEqual(rows);
      expect(spokenName(whole, before)).toBe(spoken);
      for (const row of text.rows) expect(columns(row.text) * 7).toBeLessThan(text.width - 40);
    });
  }

  test("no more of a long name than there is room for", () => {
    const { title, width } = boxText({ ...plain, name: "x".repeat(500) });
    expect([title.length, title.endsWith("x…"), width < 360]).toEqual([38, true, true]);
  });
});

describe("texts are shortened", () => {
  const expressions = [
    ["inputs.parameter_values['n'] > 3.0", "n > 3.0"],
    ['inputs.parameters["pipelinechannel--a-b"].int_value\n  == 1', "a-b.int_value == 1"],
    ["int(inputs.parameter_values['x']) < int(inputs.parameter_values['y'])", "int(x) < int(y)"],
    ["inputs.artifacts['m'].artifacts[0].uri != ''", "inputs.artifacts['m'].artifacts[0].uri != ''"],
  ];
  for (const [long, short] of expressions) {
    test(`${short}`, () => expect(shortExpression(long!)).toBe(short));
  }

  const clips = [
    { text: "train", most: 5, clipped: "train" },
    { text: "trained", most: 5, clipped: "trai…" },
    { text: "訓練する", most: 8, clipped: "訓練する" },
    { text: "訓練する", most: 6, clipped: "訓練…" },
    { text: "🚂🚂🚂", most: 5, clipped: "🚂🚂…" },
  ];
  for (const { text, most, clipped } of clips) {
    test(`${text} in ${most} columns`, () => {
      expect(clip(text, most)).toBe(clipped);
      expect(columns(clipped)).toBeLessThanOrEqual(most);
    });
  }
});
