import { describe, expect, test } from "vitest";
import { examplePipeline, formatProblems, validatePipeline } from "../src/index.js";

const codesOf = (text: string) => validatePipeline(text).problems.map(({ code }) => code);

/** Another mistake, far from all others: the input of `report` inside of `branch`. */
const far = examplePipeline.replace(
  "message: {componentInputParameter: label}",
  "message: {componentInputParameter: lable}",
);

/** Mistakes of form, each with what it is reported as. */
const mistakes: readonly (readonly [name: string, edit: (text: string) => string, code: string])[] = [
  ["a version that is a number", (text) => text.replace("2.1.0", "2.1"), "wrong-type"],
  ["an unknown key at the top", (text) => `${text}somethingElse: 1\n`, "unknown-field"],
  ["no version", (text) => text.replace("schemaVersion: 2.1.0\n", ""), "schema-version-unsupported"],
  ["a misspelt name of a part", (text) => text.replace("\ncomponents:", "\ncomponent:"), "unknown-field"],
  [
    "a typo in the inputs of the root",
    (text) => text.replace("  inputDefinitions:\n", "  inputDefinition:\n"),
    "unknown-field",
  ],
  ["a type that there is not", (text) => text.replace("NUMBER_INTEGER}", "INTEGER}"), "unknown-enum-value"],
  [
    "a typo in a task",
    (text) => text.replace("        dependentTasks: [prepare]", "        dependendTasks: [prepare]"),
    "unknown-field",
  ],
  [
    "a component that is null",
    (text) => text.replace("  comp-report:\n", "  comp-other:\n  comp-report:\n"),
    "unexpected-null",
  ],
];

describe("a mistake of form", () => {
  for (const [name, edit, code] of mistakes) {
    test(`(${name}) is found, and hides no other`, () => {
      const text = edit(far);
      expect(text).not.toBe(far);
      const codes = codesOf(text);
      expect(codes).toContain(code);
      expect(codes).toContain("parent-input-unknown");
      // It is the only thing that is found of an otherwise good file.
      expect(codesOf(edit(examplePipeline))).toEqual([code]);
    });
  }

  test("in a task does not hide a cycle that it is part of", () => {
    const text = examplePipeline.replace(
      "componentRef: {name: comp-prepare}",
      "componentRefs: {name: comp-prepare}\n        dependentTasks: [train]",
    );
    expect(codesOf(text).sort()).toEqual(["task-cycle", "unknown-field"]);
  });

  test("of a field under a misspelt one has its own place", () => {
    const text = examplePipeline
      .replace("  inputDefinitions:\n", "  inputDefinition:\n")
      .replace(
        "rows: {parameterType: NUMBER_INTEGER}",
        "rows: {parameterType: NUMBER_INTEGER, defaultValue: many}",
      );
    const found = validatePipeline(text).problems.find(({ code }) => code === "default-type-mismatch");
    expect(text.slice(found?.range?.start.offset, found?.range?.end.offset)).toBe("many");
  });
});

describe("what cannot be read", () => {
  const broken = examplePipeline.replace(
    "  dag:\n    tasks:\n      prepare:",
    "  dag:\n    tasks:\n      - prepare:",
  );

  test("is counted among what was not checked, with the reason and what it hides", () => {
    const outputs = examplePipeline.slice(
      examplePipeline.indexOf("    outputDefinitions:"),
      examplePipeline.indexOf("  comp-train:"),
    );
    const text = examplePipeline.replace(outputs, "    outputDefinitions: [data, label]\n");
    const report = validatePipeline(text);
    expect(report.problems.map(({ code }) => code)).toEqual(["wrong-type"]);
    expect(report.unchecked).toMatchObject([
      { path: "/components/comp-prepare/outputDefinitions", reason: "wrong-type", hidden: 5 },
    ]);
    expect(formatProblems(report)).toMatch(/1 error; 1 part of the file could not be checked\n$/);
  });

  test("is everything, when the text is no YAML", () => {
    const report = validatePipeline(broken);
    expect(report.ok).toBe(false);
    expect(report.unchecked).toMatchObject([{ path: "", reason: "yaml-syntax", hidden: 0 }]);
    expect(formatProblems(report)).toMatch(/nothing else could be checked\n$/);
  });

  test("is nothing, in a file whose form is right", () => {
    expect(validatePipeline(far).unchecked).toEqual([]);
  });

  test("hides only what may stand in it", () => {
    const text = examplePipeline
      .replace("{componentInputParameter: rows}", "{componentInputParameter: raws}")
      .replace("  comp-report:\n    executorLabel: exec-report", "  comp-report:\n    surplus: 1");
    const report = validatePipeline(text);
    // The executor of the component may be what the unknown field was to say; that the root has no such input stands.
    expect(report.problems.filter(({ severity }) => severity === "error").map(({ code }) => code)).toEqual([
      "parent-input-unknown",
      "unknown-field",
    ]);
    expect(report.unchecked).toMatchObject([
      { path: "/components/comp-report/surplus", reason: "unknown-field" },
    ]);
  });
});
