import { ConditionTypes } from "../condition-types.js";
import { typedConditions } from "../expression-uses.js";
import { always, type Rule } from "../rule.js";

const condition = (text: string) =>
  `
root: {dag: {tasks: {branch: {inputs: {parameters: {rows: {componentInputParameter: rows}}}, triggerPolicy: {condition: ${JSON.stringify(text)}}}}}}
components: {comp-branch: {inputDefinitions: {parameters: {rows: {parameterType: NUMBER_INTEGER}}}}}
`;

/** The types of what a condition reads. */
export const conditionType: Rule = {
  id: "condition-type-clash",
  summary: "A condition computes with values of the types that its operators take.",
  reason:
    "The driver fails with `no such overload` when the task is to start, after everything before it has run; the numbers of inputs are doubles there, also whole ones.",
  severity: always("error"),
  examples: {
    wrong: condition("inputs.parameter_values['rows'] * 2 > 10"),
    right: condition("inputs.parameter_values['rows'] * 2.0 > 10.0"),
  },
  *check(index) {
    for (const { at, root, kindAt } of index.once(typedConditions)) {
      for (const { node, message, hint } of new ConditionTypes(root, kindAt).clashes) {
        yield { at, span: node.span, message, hint };
      }
    }
  },
};
