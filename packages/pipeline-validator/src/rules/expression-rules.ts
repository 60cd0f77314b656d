import type { ExpressionNode, ExpressionReference } from "@wye/pipeline-resolver";
import { describeComponent, inputParameter, pointer, type TaskNode } from "@wye/pipeline-spec";
import { conditionUses, selectorUses, type TypedCondition, typedConditions } from "../expression-uses.js";
import { near } from "../name-hint.js";
import { kindOf, type ParameterKind } from "../parameter-kind.js";
import { parameterSource } from "../parameter-source.js";
import { quote } from "../quote.js";
import { always, type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { misfit } from "../selector-result.js";
import { conditionAbsent } from "./condition-presence-rule.js";
import { conditionType } from "./condition-type-rules.js";

const condition = (text: string) =>
  `root: {dag: {tasks: {branch: {triggerPolicy: {condition: ${JSON.stringify(text)}}}}}}`;

const conditionInvalid: Rule = {
  id: "condition-invalid",
  summary: "A condition is a CEL expression that is true or false.",
  reason: "The driver fails when the task is to start, after everything before it has run.",
  severity: always("error"),
  examples: {
    wrong: condition("inputs.parameter_values['label'] = 'large'"),
    right: condition("inputs.parameter_values['label'] == 'large'"),
  },
  *check(index) {
    for (const { at, condition } of index.once(conditionUses)) {
      for (const { message, hint, span, severity } of condition.problems) {
        if (severity === "error") yield { at, span, message, hint };
      }
    }
  },
};

const conditionInput: Rule = {
  id: "condition-input-unknown",
  summary: "A condition reads inputs of its own task.",
  reason:
    "The driver fails with `no such key`: inputs of other tasks and of the enclosing component are not in sight.",
  severity: always("error"),
  examples: {
    wrong: condition("inputs.parameter_values['labels'] == 'large'"),
    right: condition("inputs.parameter_values['label'] == 'large'"),
  },
  *check(index) {
    for (const { task, at, condition } of index.once(conditionUses)) {
      for (const reference of condition.references) {
        const read = reference.presence ? reference.within : reference;
        const finding = read && unknownInput(task, at, read);
        if (finding !== undefined) yield finding;
      }
    }
  },
};

function unknownInput(task: TaskNode, at: string, reference: ExpressionReference): Finding | undefined {
  const { source, name, nameSpan } = reference;
  if (name === undefined) return undefined;
  const kind = source === "inputs.artifacts" ? "artifacts" : "parameters";
  if (kind === "parameters" && source !== "inputs.parameter_values") return undefined;
  const declared = task.component?.spec.inputDefinitions?.[kind] ?? {};
  const supplied = task.spec.inputs?.[kind] ?? {};
  if (Object.hasOwn(declared, name) || Object.hasOwn(supplied, name)) return undefined;
  // Where the component is unknown, so are its inputs.
  if (task.component === undefined && Object.keys(supplied).length === 0) return undefined;
  const message = `task ${quote(task.name)} has no input ${kind.slice(0, -1)} ${quote(name)}`;
  const related = [{ at: `${task.path}/inputs`, part: "key", message: "the inputs of the task" } as const];
  const places = [`${task.path}/inputs`, `${task.component?.path ?? task.path}/inputDefinitions`];
  const sought = places.map((place) => pointer(`${place}/${kind}`, name));
  return { at, span: nameSpan, message, hint: near(name, supplied, { also: declared }), related, sought };
}

const conditionOutputs: Rule = {
  id: "condition-reads-outputs",
  summary: "A condition reads inputs, not outputs.",
  reason: "The condition decides whether the task runs, so that its outputs are still empty.",
  severity: always("error"),
  examples: {
    wrong: condition("inputs.parameter_values['label'] == 'large' || outputs.output_file == 'x'"),
    right: condition("inputs.parameter_values['label'] == 'large'"),
  },
  *check(index) {
    for (const { at, condition } of index.once(conditionUses)) {
      for (const { source, span } of condition.references) {
        if (!source.startsWith("outputs")) continue;
        yield { at, span, message: "the outputs of the task are not there yet", hint: "read an input" };
      }
    }
  },
};

const conditionConstant: Rule = {
  id: "condition-constant",
  summary: "A condition depends on some input.",
  reason: "The task runs always or never; perhaps a name was put into quotes.",
  severity: always("warning"),
  examples: {
    wrong: condition("'label' == 'large'"),
    right: condition("inputs.parameter_values['label'] == 'large'"),
  },
  *check(index) {
    for (const { at, condition } of index.once(conditionUses)) {
      if (condition.references.length > 0 || condition.problems.length > 0) continue;
      yield { at, message: "the condition reads no input, so that it is always the same" };
    }
  },
};

const neverEqual: Rule = {
  id: "condition-never-equal",
  summary: "A condition compares values of the same type.",
  reason: "CEL does not convert: a text never equals a number, so that a branch always or never runs.",
  severity: always("warning"),
  examples: {
    wrong: condition("inputs.parameter_values['label'] == 5"),
    right: condition("inputs.parameter_values['label'] == '5'"),
  },
  *check(index) {
    for (const { at, root, kindAt } of index.once(typedConditions)) {
      for (const { operator, left, right, span } of equalities(root)) {
        const a = valueType(left, kindAt);
        const others = operator === "in" && right.kind === "list" ? right.items : [right];
        const types = others.map((other) => valueType(other, kindAt));
        const [b] = types;
        if (a === undefined || b === undefined || types.some((type) => type === undefined || type === a))
          continue;
        yield { at, span, message: `${a} never equals ${b}`, hint: "compare values of the same type" };
      }
    }
  },
};

type Equality = Extract<ExpressionNode, { kind: "binary" }>;

/** Comparisons for equality, also with the values of a list, that `&&`, `||`, `!` and `?:` connect. */
function equalities(root: ExpressionNode): readonly Equality[] {
  const found: Equality[] = [];
  const open: ExpressionNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "unary") open.push(node.operand);
    if (node.kind === "conditional") open.push(node.condition, node.yes, node.no);
    if (node.kind !== "binary") continue;
    if (node.operator === "==" || node.operator === "!=") found.push(node);
    if (node.operator === "in" && node.right.kind === "list") found.push(node);
    if (node.operator === "&&" || node.operator === "||") open.push(node.left, node.right);
  }
  return found;
}

const kindTypes: Readonly<Partial<Record<ParameterKind, string>>> = {
  STRING: "a text",
  NUMBER_DOUBLE: "a number",
  NUMBER_INTEGER: "a number",
  BOOLEAN: "true or false",
  LIST: "a list",
  STRUCT: "an object",
};

const literalTypes: Readonly<Record<string, string>> = {
  string: "a text",
  int: "a number",
  uint: "a number",
  double: "a number",
  bool: "true or false",
};

const conversions: Readonly<Record<string, string>> = { ...literalTypes };

/** What a node gives, as far as that is certain. */
function valueType(node: ExpressionNode, kindAt: TypedCondition["kindAt"]): string | undefined {
  if (node.kind === "literal") return literalTypes[node.type];
  if (node.kind === "call" && node.target === undefined) return conversions[node.name];
  const kind = kindAt(node);
  return kind && kindTypes[kind];
}

const selectorInvalid: Rule = {
  id: "selector-invalid",
  summary:
    "A selector is a CEL expression over the value that it selects from, and gives a value of the type of the input.",
  reason: "The driver fails when the task is to start.",
  severity: always("error"),
  examples: {
    wrong: selector("parseJson(string_valu)['name']"),
    right: selector("parseJson(string_value)['name']"),
  },
  *check(index) {
    for (const { supplied, at, selector } of index.once(selectorUses)) {
      for (const { message, hint, span, severity } of selector.problems) {
        if (severity === "error") yield { at, span, message, hint };
      }
      const { root, problems } = selector;
      const { task, name } = supplied;
      const wanted = task.component && kindOf(inputParameter(task.component, name));
      if (root === undefined || wanted === undefined || problems.length > 0) continue;
      const message = misfit(root, wanted);
      if (message !== undefined) yield { at, message };
    }
  },
};

function selector(text: string): string {
  return `root: {dag: {tasks: {train: {inputs: {parameters: {label: {parameterExpressionSelector: ${JSON.stringify(text)}}}}}}}}`;
}

const members: Readonly<Partial<Record<ParameterKind, string>>> = {
  STRING: "string_value",
  NUMBER_DOUBLE: "number_value",
  NUMBER_INTEGER: "number_value",
  BOOLEAN: "bool_value",
  LIST: "list_value",
  STRUCT: "struct_value",
};

const selectorMember: Rule = {
  id: "selector-member-unset",
  summary: "A selector reads the member of the value that its type sets.",
  reason:
    "The driver fails with `no such attribute`; besides that member only `string_value` is always there.",
  severity: underKfp("error"),
  examples: {
    wrong: selector("struct_value['name']"),
    right: selector("string_value + '!'"),
  },
  *check(index) {
    for (const { supplied, at, selector } of index.once(selectorUses)) {
      const source = parameterSource(supplied);
      const member = source && members[source.declaration];
      if (source === undefined || member === undefined) continue;
      for (const { source: read, span } of selector.references) {
        if (read === member || read === "string_value") continue;
        const message = `${read} is not set: the value is of type ${source.declaration}`;
        yield { at, span, message, hint: `use ${member}`, related: [source.declared] };
      }
    }
  },
};

const selectorAlone: Rule = {
  id: "selector-constant",
  summary: "A selector reads the value that it selects from.",
  reason: "It gives the same whatever the value is; a constant would do.",
  severity: always("warning"),
  examples: {
    wrong: selector("'large'"),
    right: selector("string_value"),
  },
  *check(index) {
    for (const { supplied, at, selector } of index.once(selectorUses)) {
      if (selector.references.length > 0 || selector.problems.length > 0) continue;
      const owner =
        supplied.task.component === undefined ? "" : ` of ${describeComponent(supplied.task.component)}`;
      yield {
        at,
        message: `the selector of the input ${quote(supplied.name)}${owner} does not read its value`,
      };
    }
  },
};

/** Rules about expressions. */
export const expressionRules: RuleFamily = {
  title: "Conditions and selectors",
  appliesTo: (index) => index.once(conditionUses).length + index.once(selectorUses).length > 0,
  rules: [
    conditionInvalid,
    conditionInput,
    conditionAbsent,
    conditionOutputs,
    conditionConstant,
    neverEqual,
    conditionType,
    selectorInvalid,
    selectorMember,
    selectorAlone,
  ],
};
