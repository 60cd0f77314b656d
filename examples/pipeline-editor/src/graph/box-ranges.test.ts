import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { tasksAt } from "./box-ranges.js";
import { drawText } from "./graph-answer.js";

const yaml = readFileSync(new URL("../../data/training.yaml", import.meta.url), "utf8");

function drawn(text: string) {
  const answer = drawText(text, []);
  if (answer.state !== "drawn") throw new Error("it is not drawn");
  return answer;
}

describe("the task at a place of the text", () => {
  const { ranges } = drawn(yaml);
  const places = [
    { at: "      split:", task: ["/split"] },
    { at: "condition: inputs", task: ["/publish"] },
    { at: "        evaluate:", task: ["/for-each-rate/evaluate"] },
    { at: "  comp-evaluate:\n", task: ["/for-each-rate/evaluate"] },
    { at: "rate: {parameterType: NUMBER_DOUBLE}\n      artifacts:\n        train", task: ["/for-each-rate"] },
    { at: "example/fit:1", task: ["/for-each-rate/fit"] },
    { at: "pipelineInfo", task: [] },
  ];
  for (const { at, task } of places) {
    test(`${JSON.stringify(at)} → ${task.join() || "none"}`, () => {
      const place = yaml.indexOf(at);
      expect(place).toBeGreaterThanOrEqual(0);
      expect(tasksAt(ranges, place + at.length - at.trimStart().length + 1)).toEqual(task);
    });
  }

  test("the name of every task is where its range says", () => {
    const names = [...ranges].map(([id, { name }]) => [id, yaml.slice(name.from, name.to)]);
    expect(names).toEqual(names.map(([id]) => [id, id?.split("/").at(-1)]));
    expect(names).toHaveLength(8);
  });
});

test("tasks that share a component are all found in it", () => {
  const task = (name: string): string =>
    `    ${name}: {taskInfo: {name: ${name}}, componentRef: {name: comp-a}}`;
  const text = `root:\n dag:\n  tasks:\n${task("one")}\n${task("two")}\ncomponents:\n comp-a: {executorLabel: exec-a}\n`;
  expect(tasksAt(drawn(text).ranges, text.indexOf("executorLabel"))).toEqual(["/one", "/two"]);
});

const foreign = { state: "none", reason: "There is no pipeline in this text." };
const others = [
  { name: "no YAML", text: "{", answer: { state: "unreadable" } },
  { name: "nothing", text: "", answer: foreign },
  { name: "a text", text: "hello", answer: foreign },
  { name: "a workflow", text: "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\n", answer: foreign },
  {
    name: "no tasks",
    text: "pipelineInfo: {name: x}",
    answer: { state: "none", reason: "There are no tasks yet." },
  },
];
for (const { name, text, answer } of others) {
  test(`${name} is no graph`, () => expect(drawText(text, [])).toEqual(answer));
}
