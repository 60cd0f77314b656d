import { describe, expect, test } from "vitest";
import {
  defineRule,
  examplePipeline,
  formatProblems,
  toGithubAnnotations,
  toJson,
  toSarif,
  validatePipeline,
  validateRuntimeConfig,
} from "../src/index.js";

// Callers without types may hand over anything.
type Anything = never;
const anything = (value: unknown): Anything => value as Anything;

const report = () => validatePipeline(examplePipeline);
const spec = { spec: {} };
const rule = { id: "acme/x", summary: "X.", severity: "error", check: () => [] } as const;

const doors: Readonly<Record<string, (options: Anything) => unknown>> = {
  validatePipeline: (options) => validatePipeline(examplePipeline, options),
  validateRuntimeConfig: (options) => validateRuntimeConfig(anything(spec), {}, options),
  formatProblems: (options) => formatProblems(report(), options),
  toJson: (options) => toJson(report(), options),
  toSarif: (options) => toSarif(report(), options),
  toGithubAnnotations: (options) => toGithubAnnotations(report(), options),
};

describe("an option that a function does not have is refused by name", () => {
  for (const [name, call] of Object.entries(doors)) {
    test(`by ${name}`, () => {
      expect(() => call(anything({ fiel: "x" }))).toThrow(`${name} has no option "fiel"`);
      expect(() => call(anything("file"))).toThrow(`the options of ${name} are an object`);
      expect(() => call(anything(null))).toThrow(`the options of ${name} are an object`);
    });
  }
});

const noInput =
  "validatePipeline takes a text, its bytes, the `pipeline` of what parsePipeline gives, or { spec }";
const noPipeline = "validateRuntimeConfig takes the `pipeline` of what parsePipeline gives, or { spec }";
const refused: Readonly<Record<string, readonly [call: () => unknown, message: string | RegExp]>> = {
  "a profile that there is not": [
    () => validatePipeline("", anything({ profile: "vertex" })),
    'the option "profile" of validatePipeline is "kfp" or "spec"',
  ],
  "a limit that is no number": [
    () => validatePipeline("", { maxProblems: Number.NaN }),
    'the option "maxProblems" of validatePipeline is a number, zero or more',
  ],
  "a limit of a runtime configuration that is no number": [
    () => validateRuntimeConfig(anything(spec), {}, { maxProblems: Number.NaN }),
    'the option "maxProblems" of validateRuntimeConfig',
  ],
  "a limit of the reader that is no number": [
    () => validatePipeline("", { parse: { maxDepth: Number.NaN } }),
    'the option "maxDepth" of validatePipeline.parse is a number, zero or more',
  ],
  "an option of the reader that there is not": [
    () => validatePipeline("", { parse: anything({ maxDeep: 5 }) }),
    'validatePipeline.parse has no option "maxDeep"',
  ],
  "a width that is no number": [
    () => formatProblems(report(), { width: Number.NaN }),
    'the option "width" of formatProblems is a number, zero or more',
  ],
  "a source that is no text": [() => validatePipeline("", anything({ source: 5 })), /"source".*is a text/],
  "a platform that is none": [
    () => validatePipeline("", anything({ platform: { a: 1 } })),
    'the option "platform" of validatePipeline is a platform specification, with `platforms`',
  ],
  "null for a platform": [
    () => validatePipeline("", anything({ platform: null })),
    /"platform".*is a platform specification/,
  ],
  "a limit of the report among those of reading": [
    () => validatePipeline("", anything({ parse: { maxProblems: 3 } })),
    "maxProblems is an option of validatePipeline itself, not of its `parse`",
  ],
  "a file that is no text": [
    () => toSarif(report(), anything({ file: 5 })),
    'the option "file" of toSarif is a text, not the number 5',
  ],
  "a version that is no text": [
    () => toSarif(report(), anything({ toolVersion: 5 })),
    'the option "toolVersion" of toSarif is a text, not the number 5',
  ],
  "a file that is no text, for annotations": [
    () => toGithubAnnotations(report(), anything({ file: 5 })),
    'the option "file" of toGithubAnnotations is a text',
  ],
  "rules that are none": [
    () => validatePipeline("", { rules: anything([null]) }),
    "the rules are changes of severity and own rules, not null",
  ],
  "two rules of one id": [
    () => validatePipeline("", { rules: [rule, rule] }),
    "two own rules have the same id",
  ],
  "a severity of a rule that fails": [
    () => validatePipeline("", { rules: { "rule-failed": "off" } }),
    '"rule-failed" cannot be changed by an option: turn off the rule that fails',
  ],
  "a severity of problems that are too many": [
    () => validatePipeline("", { rules: { "too-many-problems": "off" } }),
    '"too-many-problems" cannot be changed by an option: raise maxProblems',
  ],
  "a severity of a misspelt rule": [
    () => validatePipeline("", { rules: { "task-cycel": "off" } }),
    'there is no rule "task-cycel": did you mean "task-cycle"?',
  ],
  "a severity of no rule": [
    () => validatePipeline("", { rules: { qqqq: "off" } }),
    /^there is no rule "qqqq"$/,
  ],
  "a severity that there is not": [
    () => validatePipeline("", { rules: { "task-cycle": anything("fatal") } }),
    'rule task-cycle: a severity is "error", "warning", "info", "style" or "off", not "fatal"',
  ],
  "an own rule under the id of a built-in one": [
    () => validatePipeline("", { rules: [{ ...rule, id: "task-cycle" }] }),
    'there is already a rule "task-cycle"',
  ],
  "no rule": [() => defineRule(anything(undefined)), "defineRule takes a rule"],
  "what is no pipeline": [() => validatePipeline(anything(5)), noInput],
  "a pipeline without components": [() => validatePipeline(anything({ spec: {} })), noInput],
  "a pipeline whose specification is none": [() => validatePipeline(anything({ spec: "a" })), noInput],
  "the result of parsing instead of its pipeline": [
    () => validateRuntimeConfig(anything({ ok: true, pipeline: spec }), {}),
    noPipeline,
  ],
  "a text instead of a pipeline": [() => validateRuntimeConfig(anything(examplePipeline), {}), noPipeline],
};
for (const name of ["formatProblems", "toJson", "toSarif", "toGithubAnnotations"] as const) {
  const door = { formatProblems, toJson, toSarif, toGithubAnnotations }[name];
  for (const [what, described] of [
    [undefined, "a value of type undefined"],
    [{}, "an object"],
    [{ problems: [] }, "an object"],
    [{ problems: {}, counts: {} }, "an object"],
    ["error", 'the text "error"'],
  ] as const) {
    const call = () => door(anything(what), { file: "x" });
    test(`${name} refuses ${JSON.stringify(what)} by name`, () =>
      expect(call).toThrow(new TypeError(`${name} takes what validatePipeline gives, not ${described}`)));
  }
}
for (const [name, [call, message]] of Object.entries(refused)) {
  test(`${name} is refused by name`, () => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });
}
