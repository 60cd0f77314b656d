import { always, type Rule, type RuleFamily } from "../rule.js";

const missing: Rule = {
  id: "runtime-parameter-missing",
  summary: "A run has a value for every required input of the pipeline.",
  reason: "The server refuses to create the run.",
  severity: always("error"),
  examples: { wrong: "parameterValues: {}", right: "parameterValues: {rows: 10}" },
};

const unknown: Rule = {
  id: "runtime-parameter-unknown",
  summary: "A run gives values to inputs of the pipeline only.",
  reason: "The server refuses to create the run.",
  severity: always("error"),
  examples: {
    wrong: "parameterValues: {rows: 10, mood: fast}",
    right: "parameterValues: {rows: 10, mode: fast}",
  },
};

const type: Rule = {
  id: "runtime-parameter-type",
  summary: "The values of a run are of the types of the inputs.",
  reason: "The server refuses to create the run, also for an explicit null.",
  severity: always("error"),
  examples: { wrong: "parameterValues: {rows: '10'}", right: "parameterValues: {rows: 10}" },
};

const literal: Rule = {
  id: "runtime-parameter-not-literal",
  summary: "The value for an input with literals is one of them.",
  reason: "The server refuses to create the run.",
  severity: always("error"),
  examples: {
    wrong: "parameterValues: {rows: 10, mode: slow}",
    right: "parameterValues: {rows: 10, mode: exact}",
  },
};

const integer: Rule = {
  id: "runtime-integer-range",
  summary: "The value for a NUMBER_INTEGER is a whole number between -(2^53 - 1) and 2^53 - 1.",
  reason: "Others lose digits on their way through JSON, and programs that expect an integer fail.",
  severity: { kfp: "warning", spec: "error" },
  examples: { wrong: "parameterValues: {rows: 2.5}", right: "parameterValues: {rows: 2}" },
};

const deprecated: Rule = {
  id: "runtime-parameters-deprecated",
  summary: "A run gives its values in `parameterValues`, not in `parameters`.",
  reason: "The old typed values are deprecated; the back end reads the others.",
  severity: always("warning"),
  currentSchemaOnly: true,
  examples: {
    wrong: "parameterValues: {rows: 10}\nparameters: {mode: {stringValue: fast}}",
    right: "parameterValues: {rows: 10, mode: fast}",
  },
};

/** Rules about what a run is given. */
export const runtimeRules: RuleFamily = {
  title: "Runtime configurations",
  examples: "runtime-config",
  rules: [missing, unknown, type, literal, integer, deprecated],
};
