import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { parsePipeline } from "./index.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("a place is found after the documents have been given back to memory", async () => {
  const tasks = Array.from({ length: 300 }, (_, i) => `      task-${i}: {}`).join("\n");
  const text = `root:\n  dag:\n    tasks:\n${tasks}\n---\nplatforms: {}\n`;
  const result = parsePipeline(text);
  if (!result.ok) throw new Error("not parsed");
  const before = result.pipeline.locate("/root/dag/tasks/task-299", "key");
  // A weak reference is only given up between two tasks.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(result.pipeline.locate("/root/dag/tasks/task-299", "key")).toEqual(before);
  expect(before.start).toMatchObject({ line: 303, column: 7 });
  expect(result.pipeline.locate("/platforms").start.line).toBe(305);
});
