import {
  describeValue,
  inputParameter,
  type ParameterInput,
  type PipelineGraph,
  pointer,
} from "@wye/pipeline-spec";
import { itemLists } from "../item-lists.js";
import { haveCommon, isLiteral } from "../literals.js";
import { kindOf } from "../parameter-kind.js";
import { suppliedParameters } from "../parameter-source.js";
import { quote } from "../quote.js";
import { always, type RelatedFinding, type Rule, underKfp } from "../rule.js";
import { notLiteral, wrongLists } from "../wrong-items.js";

/** A loop whose item may be `a` or `c`. */
const loop = (items: string) => `
root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: '${items}'}}}}}}
components: {comp-loop: {inputDefinitions: {parameters: {item: {literals: [a, c]}}}}}
`;

export const itemLiteral: Rule = {
  id: "iterator-item-not-literal",
  summary: "Items for an input with literals are among them.",
  reason: "The driver refuses the item when its iteration is to start.",
  severity: always("error"),
  examples: { wrong: loop('["a", "b"]'), right: loop('["a", "c"]') },
  *check(index) {
    for (const { list, at, message } of wrongLists(index.once(itemLists), notLiteral)) {
      if (list.task.component === undefined || list.isDefault) continue;
      const place = pointer(`${list.task.component.path}/inputDefinitions/parameters`, list.itemInput);
      yield { at, message, related: [allowed(`${place}/literals`)] };
    }
  },
};

const allowed = (at: string): RelatedFinding => ({ at, part: "key", message: "allowed values" });

/** What feeds `label`, with these fields of its declaration. */
const fed = (fields: string) => `
root:
  inputDefinitions: {parameters: {kind: {parameterType: STRING, ${fields}}}}
  dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, componentInputParameter: kind}}}}}}
components: {comp-train: {inputDefinitions: {parameters: {label: {literals: [large, small]}}}}}
`;

export const sourceLiterals: Rule = {
  id: "literals-never-met",
  summary: "Some value that an input can have is among the literals of the input that it feeds.",
  reason: "The driver refuses every value that the one can have, as the other does not allow it.",
  severity: always("error"),
  examples: { wrong: fed("literals: [big, tiny]"), right: fed("literals: [big, large]") },
  *check(index) {
    for (const { supplied, own, source, at, places } of index.once(literalConnections)) {
      const { literals, defaultValue, isOptional } = source;
      // Nothing is handed on of an input without a value, and the server does not compare a default.
      if (literals.length === 0 || (isOptional && defaultValue === undefined && own.isOptional)) continue;
      if (haveCommon(literals, own.literals)) continue;
      if (defaultValue !== undefined && isLiteral(defaultValue, own.literals)) continue;
      const message = `none of the values that ${quote(sourceName(supplied))} can have is one of the literals of ${quote(supplied.name)}`;
      yield { at, message, related: places.map((place) => allowed(`${place}/literals`)) };
    }
  },
};

export const sourceDefault: Rule = {
  id: "default-not-literal-of-task",
  summary: "The default of an input of the pipeline is among the literals of the inputs that it feeds.",
  reason: "A run without a value fails when the task is to start.",
  severity: underKfp("warning"),
  examples: { wrong: fed("defaultValue: big"), right: fed("defaultValue: large") },
  *check(index) {
    for (const { supplied, own, source, at, places } of index.once(literalConnections)) {
      const { defaultValue, literals } = source;
      if (supplied.task.parent !== index.root || defaultValue === undefined || defaultValue === null)
        continue;
      // That the default is none of the literals of its own input is said there.
      if (
        isLiteral(defaultValue, own.literals) ||
        (literals.length > 0 && !isLiteral(defaultValue, literals))
      )
        continue;
      const message = `the default of ${quote(sourceName(supplied))}, ${describeValue(defaultValue)}, is not one of the literals of ${quote(supplied.name)}`;
      const [from = "", to = ""] = places;
      const related = [{ at: `${from}/defaultValue`, part: "key", message: "the default" } as const];
      yield { at, message, related: [...related, allowed(`${to}/literals`)] };
    }
  },
};

const sourceName = ({ source }: ParameterInput): string => (source?.kind === "input" ? source.name : "");

/** Inputs with literals that an input of the enclosing component feeds, as it is. */
function literalConnections(index: PipelineGraph) {
  return index.once(suppliedParameters).flatMap((supplied) => {
    const { task, name, source: from, spec } = supplied;
    const own = task.component && inputParameter(task.component, name);
    if (task.component === undefined || own === undefined || own.literals.length === 0) return [];
    if (from?.kind !== "input" || spec.parameterExpressionSelector !== "") return [];
    const source = inputParameter(task.parent, from.name);
    // Values of other types are reported as such.
    if (source === undefined || kindOf(source) !== kindOf(own)) return [];
    const places = [
      pointer(`${task.parent.path}/inputDefinitions/parameters`, from.name),
      pointer(`${task.component.path}/inputDefinitions/parameters`, name),
    ];
    return [{ supplied, own, source, at: from.at, places }];
  });
}
