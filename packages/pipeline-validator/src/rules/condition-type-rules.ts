import type { ExpressionNode } from "@wye/pipeline-resolver";
import { ConditionTypes } from "../condition-types.js";
import { conditionUses, referencedKind } from "../expression-uses.js";
import type { ParameterKind } from "../parameter-kind.js";
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
    for (const { task, at, condition: compiled } of index.once(conditionUses)) {
      if (compiled.root === undefined || compiled.problems.length > 0) continue;
      const kinds = new Map<string, ParameterKind>();
      for (const reference of compiled.references) {
        const kind = referencedKind(task, reference);
        if (kind !== undefined) kinds.set(`${reference.span.start}-${reference.span.end}`, kind);
      }
      if (kinds.size === 0) continue;
      const kindAt = ({ span }: ExpressionNode) => kinds.get(`${span.start}-${span.end}`);
      for (const { node, message, hint } of new ConditionTypes(compiled.root, kindAt).clashes) {
        yield { at, span: node.span, message, hint };
      }
    }
  },
};
