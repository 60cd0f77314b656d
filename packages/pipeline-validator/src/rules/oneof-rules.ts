import { pointer } from "@wye/pipeline-spec";
import { quote } from "../quote.js";
import { type Rule, type RuleFamily, underKfp } from "../rule.js";
import { goodOutput } from "./good-output.js";

const oneofAlone: Rule = {
  id: "oneof-single",
  summary: "A one-of selects among at least two outputs.",
  reason: "When the only branch does not run there is no value; perhaps a branch was forgotten.",
  severity: underKfp("warning"),
  examples: {
    wrong: `
components:
  comp-branch:
    dag: {outputs: {parameters: {text: {valueFromOneof: {parameterSelectors: [{producerSubtask: report, outputParameterKey: text}]}}}}}
    outputDefinitions: {parameters: {text: {parameterType: STRING}}}
  comp-report: {outputDefinitions: {parameters: {text: {parameterType: STRING}}}}
deploymentSpec: {executors: {exec-report: {container: {args: ['{{$}}']}}}}
`,
    right: goodOutput,
  },
  *check({ components }) {
    for (const { spec, path } of components) {
      if (spec.implementation?.$case !== "dag") continue;
      for (const [name, { kind }] of Object.entries(spec.implementation.value.outputs?.parameters ?? {})) {
        if (kind?.$case !== "valueFromOneof" || kind.value.parameterSelectors.length !== 1) continue;
        const at = `${pointer(`${path}/dag/outputs/parameters`, name)}/valueFromOneof`;
        yield {
          at,
          part: "key",
          message: `the one-of ${quote(name)} has one choice`,
          hint: "use valueFromParameter",
          sought: [`${at}/parameterSelectors/*`],
        };
      }
    }
  },
};

/** Two choices of one task: its output `text`, and another. */
const choices = (second: string) => `
components:
  comp-branch:
    dag:
      outputs:
        parameters:
          text:
            valueFromOneof:
              parameterSelectors:
                - {producerSubtask: report, outputParameterKey: text}
                - {producerSubtask: report, outputParameterKey: ${second}}
    outputDefinitions: {parameters: {text: {parameterType: STRING}}}
  comp-report: {outputDefinitions: {parameters: {text: {parameterType: STRING}, other: {parameterType: STRING}}}}
deploymentSpec: {executors: {exec-report: {container: {args: ['{{$}}']}}}}
`;

const oneofTwice: Rule = {
  id: "oneof-repeated",
  summary: "A one-of names each output once.",
  reason: "The second mention can never be chosen; perhaps another branch was meant.",
  severity: { kfp: "warning", spec: "error" },
  examples: {
    wrong: choices("text"),
    right: choices("other"),
  },
  *check({ components }) {
    for (const dag of components) {
      const seen = new Set<string>();
      for (const { kind, output, producer, key, at } of dag.selectors) {
        const mention = JSON.stringify([kind, output, producer, key]);
        if (seen.has(mention)) {
          const message = `output ${quote(key)} of task ${quote(producer)} is already a choice of ${quote(output)}`;
          yield { at, message, hint: "remove it, or name the other branch" };
        }
        seen.add(mention);
      }
    }
  },
};

/** Rules about outputs that one of several branches gives. */
export const oneofRules: RuleFamily = {
  title: "One-of",
  appliesTo: ({ components }) => components.some(({ selectors }) => selectors.length > 0),
  rules: [oneofAlone, oneofTwice],
};
