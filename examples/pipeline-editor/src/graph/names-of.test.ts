import { readFileSync } from "node:fs";
import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { namesOf } from "./names-of.js";

const text = readFileSync(new URL("../../data/training.yaml", import.meta.url), "utf8");

test("all that a file declares can be named, each once", () => {
  const parsed = parsePipeline(text);
  if (!parsed.ok) throw new Error("the example can be read");
  const names = namesOf(parsed.pipeline);
  expect(names.component).toContain("comp-import-table");
  expect(names.task).toContain("import-table");
  expect(names.executor.length).toBeGreaterThan(0);
  for (const kind of ["component", "executor", "task", "input", "output"] as const) {
    expect(names[kind]).not.toEqual([]);
    expect(new Set(names[kind]).size).toBe(names[kind].length);
    for (const name of names[kind]) expect(text).toContain(name);
  }
});
