import { describe, expect, test } from "vitest";
import { examplePipeline, validatePipeline } from "../src/index.js";
import { pipeline } from "./human-mistakes.js";

// A problem that nobody is told of, or is told of otherwise, hides none that stands behind it.

const codesOf = (text: string, options = {}) =>
  validatePipeline(text, options).problems.map(({ code }) => code);
const unknown = "sdkVersions: x\n";
const wrong = "defaultPipelineRoot: [5]\n";

describe("a problem of form is told when one before it", () => {
  test("is turned off", () => {
    expect(codesOf(`${unknown}${wrong}${examplePipeline}`, { rules: { "unknown-field": "off" } })).toEqual([
      "wrong-type",
    ]);
  });

  test("is disabled by a comment", () => {
    const text = `# wye-disable-next-line unknown-field\n${unknown}${wrong}${examplePipeline}`;
    expect(codesOf(text)).toEqual(["wrong-type"]);
  });

  test("comes of a template that was not filled in", () => {
    const text = pipeline.replace("maxRetryCount: 2", "maxRetryCount: '{{ retries }}'");
    expect(codesOf(`${text.replace("\n---", `\n${unknown}---`)}`)).toEqual([
      "template-not-filled",
      "unknown-field",
    ]);
  });

  test("says once more that the schema is an old one", () => {
    const old = `${examplePipeline.replace("2.1.0", "2.0.0").replace("rows: {parameterType: NUMBER_INTEGER}", "rows: {type: INT}")}${wrong}`;
    expect(codesOf(old)).toEqual(["schema-version-unsupported", "wrong-type"]);
    expect(codesOf(old, { profile: "spec" })).toContain("deprecated-field");
  });
});

test("what is wrong with a comment is as bad as options say, and is told in a bounded length", () => {
  const text = `${examplePipeline}# wye-disable-next-line ${"x".repeat(3000)}\n# wye-disable-next-line task-cycle\n`;
  const rules = { "disable-useless": "error", "disable-unknown-rule": "info" } as const;
  const { ok, problems } = validatePipeline(text, { rules });
  expect(ok).toBe(false);
  expect(problems.map(({ code, severity }) => [code, severity])).toEqual([
    ["disable-unknown-rule", "info"],
    ["disable-useless", "error"],
  ]);
  for (const { message } of problems) expect(message.length).toBeLessThanOrEqual(1000);
  expect(validatePipeline(text).problems.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
});

test("only so many parts that were not checked are listed as problems are asked for", () => {
  const text = `${examplePipeline}${wrong}sdkVersion: [5]\n`;
  expect(validatePipeline(text).unchecked).toHaveLength(2);
  expect(validatePipeline(text, { maxProblems: 1 }).unchecked).toHaveLength(1);
});

test("of two comments that disable a rule for one line the second is useless", () => {
  const comment = "# wye-disable-next-line unknown-field unknown-field\n";
  const [useless, ...more] = validatePipeline(`${comment}${unknown}${examplePipeline}`).problems;
  expect(useless).toMatchObject({ code: "disable-useless", range: { start: { line: 1, column: 39 } } });
  expect(more).toEqual([]);
});

test("a default of null is no value for an input that needs one", () => {
  const fed = (declared: string) =>
    examplePipeline
      .replace(
        "mode: {parameterType: STRING, isOptional: true,",
        `kind: {parameterType: STRING${declared}}\n      mode: {parameterType: STRING, isOptional: true,`,
      )
      .replace(
        "label: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}",
        "label: {componentInputParameter: kind}",
      );
  expect(codesOf(fed(", defaultValue: null"))).toEqual(["optional-feeds-required"]);
  expect(codesOf(fed(", isOptional: true, defaultValue: null"))).toEqual(["optional-feeds-required"]);
  expect(codesOf(fed(", isOptional: true, defaultValue: a"))).toEqual([]);
});
