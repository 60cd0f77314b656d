import { describe, expect, test } from "vitest";
import { nameAt } from "./field-at.js";

const there = [
  { text: "executorLabel: |", kind: "executor" },
  { text: "    executorLabel: exec-t|", kind: "executor" },
  { text: "componentRef:\n  name: comp-|", kind: "component" },
  { text: "componentRef: {name: |", kind: "component" },
  { text: '"componentRef": { "name": "comp|', kind: "component" },
  { text: '"componentRef": {\n  "name": "|', kind: "component" },
  { text: "taskOutputParameter: {producerTask: a|", kind: "task" },
  { text: "dependentTasks: [a, b|", kind: "task" },
  { text: "dependentTasks:\n- a\n- |", kind: "task" },
  { text: "dependentTasks:\n  - 'f|", kind: "task" },
  { text: "x:\n  componentInputParameter: |", kind: "input" },
  { text: "componentInputArtifact: m|", kind: "input" },
  { text: "  outputParameterKey: Out|", kind: "output" },
  { text: "{producerTask: a, outputArtifactKey: |", kind: "output" },
];
const elsewhere = [
  "|",
  "root|",
  "name: x|",
  "taskInfo:\n  name: x|",
  "taskInfo: {name: |",
  "pipelineInfo:\n\n  name: |",
  "args:\n- |",
  "args: [a, |",
  "executorLabel: x\n|",
  "dependentTasks: [a]\n|",
];

describe("a name is completed", () => {
  for (const { text, kind } of there) {
    test(JSON.stringify(text), () => {
      const position = text.indexOf("|");
      const found = nameAt(text.replace("|", "\n\nother: 1"), position);
      expect(found).toEqual({
        kind,
        from: position - (/[\w.-]*$/.exec(text.slice(0, position))?.[0].length ?? 0),
      });
    });
  }
});

describe("nothing is known of", () => {
  for (const text of elsewhere)
    test(JSON.stringify(text), () =>
      expect(nameAt(text.replace("|", ""), text.indexOf("|"))).toBeUndefined(),
    );
});
