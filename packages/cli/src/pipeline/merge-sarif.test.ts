import { toSarif, validatePipeline } from "@wye/pipeline-validator";
import { expect, test } from "vitest";
import { mergeSarif } from "./merge-sarif.js";

const log = (text: string) => toSarif(validatePipeline(text), { file: "one.yaml" });

test("the rules of all logs are listed once, and results point at theirs", () => {
  const logs = [log("pipelineInfo: {nmae: x}"), log("pipelineInfo: {name: x}\nrooot: 1"), log("[")];
  const merged = mergeSarif(logs);
  const [run] = merged?.runs ?? [];
  const ids = run?.tool.driver.rules.map(({ id }) => id) ?? [];
  expect(new Set(ids).size).toBe(ids.length);
  expect(run?.results.map(({ ruleIndex }) => ids[ruleIndex])).toEqual(
    run?.results.map(({ ruleId }) => ruleId),
  );
  expect(run?.results.length).toBe(logs.reduce((sum, one) => sum + (one.runs[0]?.results.length ?? 0), 0));
});

test("no logs give none", () => expect(mergeSarif([])).toBeUndefined());
