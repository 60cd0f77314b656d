import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";

const unknownRule: Rule = {
  id: "disable-unknown-rule",
  summary: "A comment that disables rules names rules that exist.",
  reason: "A misspelt name disables nothing.",
  severity: always("warning"),
  examples: {
    wrong: "# wye-disable-next-line pipeline-name-stile\nsdkVersion: kfp-2.15.2",
    right: "sdkVersion: kfp-2.15.2",
  },
};

const useless: Rule = {
  id: "disable-useless",
  summary: "A comment that disables a rule stands before a line that breaks it.",
  reason: "The comment outlives the problem and would hide the next one.",
  severity: always("warning"),
  examples: {
    wrong: "# wye-disable-next-line pipeline-name-style\nsdkVersion: kfp-2.15.2",
    right: "# wye-disable-next-line unknown-field\nsdkVersions: kfp-2.15.2",
  },
};

const executorField: Rule = {
  id: "executor-field-misspelt",
  summary: "A field of an executor is not a misspelling of a known one.",
  reason:
    "The back end reads executors without minding unknown fields, so that the setting is lost without a word.",
  severity: underKfp("error"),
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-report: {container: {environment: null, imagge: 'busybox:1.36'}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {image: 'busybox:1.36'}}}}",
  },
};

/** Rules about comments that disable rules. */
export const commentRules: RuleFamily = {
  title: "Comments that disable rules",
  examples: "appended",
  rules: [unknownRule, useless],
};

/** Rules that the reader of the file prepares. */
export const fieldRules: RuleFamily = { title: "Unknown fields", rules: [executorField] };
