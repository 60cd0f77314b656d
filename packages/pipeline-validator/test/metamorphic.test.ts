import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { examplePipeline, type ValidationProblem, validatePipeline } from "../src/index.js";

/** Mistakes in places that have nothing to do with each other: form, references, types, expressions, placeholders. */
const mistakes: Readonly<Record<string, readonly [before: string, after: string]>> = {
  version: ["schemaVersion: 2.1.0", "schemaVersion: 2.1"],
  "top key": ["pipelineInfo:", "somethingElse: 1\npipelineInfo:"],
  name: ["name: example", "name: Example One"],
  "root inputs": [
    "  inputDefinitions:\n    parameters:\n      rows",
    "  inputDefinition:\n    parameters:\n      rows",
  ],
  default: ["defaultValue: fast", "defaultValue: slow"],
  "display name": ["taskInfo: {name: prepare}", "taskInfo: {}"],
  "task field": [
    "        dependentTasks: [prepare]\n        inputs:\n          artifacts",
    "        dependendTasks: [prepare]\n        inputs:\n          artifacts",
  ],
  "artifact key": ["outputArtifactKey: data", "outputArtifactKey: dat"],
  condition: ["== 'large'", "= 'large'"],
  items: [`'["a", "b"]'`, `"['a', 'b']"`],
  "item input": ["itemInput: item", "itemInput: itme"],
  "parent input": ["message: {componentInputParameter: label}", "message: {componentInputParameter: lable}"],
  placeholder: ["--epochs={{$.inputs.parameters['epochs']}}", "--epochs={{$.inputs.parameters['epoch']}}"],
  stray: ["--model={{$.outputs", "--model={{ $.outputs"],
  image: ["image: busybox", "image: ''"],
  executor: [
    "        image: python:3.12\n        command: [python, train.py]",
    "        image: python:3.12\n        comand: [python, train.py]\n        command: [x]",
  ],
  "unknown type": [
    "model: {artifactType: {schemaTitle: system.Model",
    "model: {artifactType: {schemaTitle: system.Modle",
  ],
  "enum value": ["epochs: {parameterType: NUMBER_INTEGER", "epochs: {parameterType: INTEGER"],
  "unused executor": [
    "    exec-report:\n      container:",
    "    exec-old: {container: {image: x, command: [y]}}\n    exec-report:\n      container:",
  ],
};

const apply = (text: string, names: readonly string[]): string =>
  names.reduce((edited, name) => {
    const [before, after] = mistakes[name] ?? expect.fail(name);
    return edited.replace(before, after);
  }, text);

/** What a finding says, without its place, which other edits move. */
const said = ({ code, severity, path, message }: ValidationProblem): string =>
  `${severity} ${code} ${path}: ${message}`;

const all = Object.keys(mistakes);
const known = new Map<string, readonly string[]>();

/** What is said of a mistake where it is the only one. */
function alone(name: string): readonly string[] {
  const said = known.get(name) ?? saidOf([name]);
  known.set(name, said);
  return said;
}

const saidOf = (names: readonly string[]): readonly string[] =>
  validatePipeline(apply(examplePipeline, names)).problems.map(said);

describe("a mistake", () => {
  for (const name of all) {
    test(`(${name}) is found`, () => {
      expect(apply(examplePipeline, [name])).not.toBe(examplePipeline);
      expect(alone(name)).not.toEqual([]);
    });
  }

  for (const name of all) {
    test(`(${name}) is found beside every other`, () => {
      for (const other of all.filter((one) => one !== name)) {
        const both = saidOf([name, other]);
        const lost = alone(name).filter((one) => !both.includes(one));
        expect(lost, `${name} beside ${other}`).toEqual([]);
      }
    });
  }

  test("is found beside any others", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...all), { minLength: 2 }), (names) => {
        const together = saidOf(names);
        for (const name of names) {
          const lost = alone(name).filter((one) => !together.includes(one));
          expect(lost, `${name} among ${names.join(", ")}`).toEqual([]);
        }
      }),
      { seed: 21, numRuns: 60 },
    );
  });
});

test("a file is ok exactly when there is no error, whatever the limits and settings", () => {
  const options = fc.record({
    maxProblems: fc.constantFrom(0, 1, 2, 3, 7, 100),
    off: fc.subarray([
      "wrong-type",
      "unknown-field",
      "condition-invalid",
      "image-missing",
      "output-unknown",
    ] as const),
  });
  fc.assert(
    fc.property(fc.subarray(all), options, (names, { maxProblems, off }) => {
      const rules = Object.fromEntries(off.map((id) => [id, "off" as const]));
      const text = apply(examplePipeline, names);
      const whole = validatePipeline(text, { rules });
      const report = validatePipeline(text, { rules, maxProblems });
      expect(whole.ok).toBe(!whole.problems.some(({ severity }) => severity === "error"));
      expect(report.ok).toBe(whole.ok);
      expect(report.counts).toEqual(whole.counts);
      expect(report.unchecked.length).toBeLessThanOrEqual(whole.unchecked.length);
      const errors = report.problems.filter(({ severity }) => severity === "error").length;
      expect(errors).toBe(Math.min(maxProblems, whole.counts.error));
    }),
    { seed: 22, numRuns: 100 },
  );
});
