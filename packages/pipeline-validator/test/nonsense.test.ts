import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type AnyFunction, rawErrors } from "../../../scripts/raw-errors.js";
import * as api from "../src/index.js";

// Whoever hands over something else than what a function takes gets a TypeError that names the function, and never one of the
// engine from deep inside. Every function of the front door has a row; one that has none fails the test below.

const report = () => api.validatePipeline(api.examplePipeline);
const rule = { id: "acme/x", summary: "X.", severity: "error", check: () => [] };

/** Arguments that each function takes. */
const rows: Readonly<Record<string, () => readonly unknown[]>> = {
  defineRule: () => [rule],
  formatProblems: () => [report(), { source: api.examplePipeline }],
  ruleCatalogue: () => [],
  ruleHelp: () => ["task-cycle"],
  suggestFix: () => [api.examplePipeline, { code: "x", severity: "error", path: "", message: "x" }],
  toGithubAnnotations: () => [report(), { file: "a" }],
  toJson: () => [report(), { file: "a" }],
  toSarif: () => [report(), { file: "a" }],
  validatePipeline: () => [api.examplePipeline, {}],
  validateRuntimeConfig: () => [{ spec: {} }, {}, {}],
};

const functions = Object.entries(api).filter(([, value]) => typeof value === "function");

test("every function has a row", () => {
  expect(functions.map(([name]) => name).sort()).toEqual(Object.keys(rows).sort());
});

describe("given nonsense, a TypeError names", () => {
  for (const [name, takes] of Object.entries(rows)) {
    const call: AnyFunction = Reflect.get(api, name);
    test(name, async () => {
      const args = takes();
      expect(() => call(...args)).not.toThrow();
      expect(await rawErrors(name, call, args)).toEqual([]);
    });
  }
});

test("formatProblems shows what the reader gives as well", () => {
  expect(api.formatProblems(parsePipeline("root: 5"))).toContain("error[");
});
