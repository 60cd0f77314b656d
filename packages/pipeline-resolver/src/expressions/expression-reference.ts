import type { TextSpan } from "../text-problem.js";
import { type ExpressionKind, languages } from "./expression-language.js";
import { type ExpressionNode, walkExpression } from "./expression-node.js";

/** A variable that an expression reads, or a part of one. */
export interface ExpressionReference {
  /**
   * The variable with the fields that lead to named things: `inputs.parameter_values`, `inputs.artifacts`,
   * `inputs.parameters` and the same of `outputs` in a condition; a member of the value such as `string_value` in a selector.
   */
  readonly source: string;
  /** The input or output that is read; undefined when all of them are, or when the name is computed. */
  readonly name: string | undefined;
  /** What is read of it, as far as it is written down: `["artifacts", 0, "metadata", "accuracy"]`. */
  readonly path: readonly (string | number)[];
  /** The whole access. */
  readonly span: TextSpan;
  /** The name inside the access, with its quotes; the whole access when there is none. */
  readonly nameSpan: TextSpan;
  /** Only whether it is there is asked, by `has(…)` or `'…' in …`: it may be missing without harm. */
  readonly presence: boolean;
  /** What is looked into when only that is asked: it has to be there. */
  readonly within?: ExpressionReference;
}

interface Step {
  readonly key: string | number | undefined;
  readonly span: TextSpan;
}

/** What an expression reads, in the order of the text. Variables that loops bring along do not count. */
export function referencesOf(root: ExpressionNode, kind: ExpressionKind): ExpressionReference[] {
  const { variables } = languages[kind];
  const references: ExpressionReference[] = [];
  /** The nodes whose presence alone is asked. */
  const asked = new Set<ExpressionNode>();
  const visit = (node: ExpressionNode, hidden: ReadonlySet<string>): "skip" | undefined => {
    if (node.kind === "call" && node.name === "has" && node.args[0]) asked.add(node.args[0]);
    if (node.kind === "binary" && node.operator === "in" && node.left.kind === "literal") {
      const steps = stepsOf(node.right, hidden);
      if (steps) {
        const asking = [...steps, { key: keyOf(node.left), span: node.left.span }];
        references.push(presence(asking, node.span, node.right.span));
        return "skip";
      }
    }
    const steps = stepsOf(node, hidden);
    if (!steps) return undefined;
    const isAsked = asked.has(node) && (node.kind === "member" || node.kind === "index");
    references.push(isAsked ? presence(steps, node.span, node.target.span) : reference(steps, node.span));
    for (const index of computedIndexes(node)) walkExpression(index, visit, hidden);
    return "skip";
  };
  walkExpression(root, visit);
  return references.filter(({ source }) => Object.hasOwn(variables, source.split(".")[0] ?? ""));
}

/** A question whether the last of these steps is possible, which looks into what stands at `within`. */
function presence(steps: readonly Step[], span: TextSpan, within: TextSpan): ExpressionReference {
  return { ...reference(steps, span), presence: true, within: reference(steps.slice(0, -1), within) };
}

function reference(steps: readonly Step[], span: TextSpan): ExpressionReference {
  const [root, field, name, ...rest] = steps;
  const container = root?.key === "inputs" || root?.key === "outputs";
  const own = container ? name : undefined;
  const path = (container ? rest : steps.slice(1)).map(({ key }) => key);
  const known = path.indexOf(undefined);
  return {
    source: [root?.key, ...(container && field ? [field.key] : [])].join("."),
    name: typeof own?.key === "string" ? own.key : undefined,
    path: (known < 0 ? path : path.slice(0, known)).filter((key) => key !== undefined),
    span,
    nameSpan: own?.span ?? span,
    presence: false,
  };
}

/** The way from a variable to what is read: undefined for everything that is no such way. */
function stepsOf(node: ExpressionNode, hidden: ReadonlySet<string>): readonly Step[] | undefined {
  switch (node.kind) {
    case "name":
      return hidden.has(node.name) ? undefined : [{ key: node.name, span: node.span }];
    case "member": {
      const steps = stepsOf(node.target, hidden);
      return steps && [...steps, { key: node.field, span: node.fieldSpan }];
    }
    case "index": {
      const steps = stepsOf(node.target, hidden);
      return steps && [...steps, { key: keyOf(node.index), span: node.index.span }];
    }
    default:
      return undefined;
  }
}

function keyOf(node: ExpressionNode): string | number | undefined {
  if (node.kind !== "literal") return undefined;
  if (typeof node.value === "string") return node.value;
  return typeof node.value === "bigint" || typeof node.value === "number" ? Number(node.value) : undefined;
}

function computedIndexes(node: ExpressionNode): readonly ExpressionNode[] {
  if (node.kind === "member") return computedIndexes(node.target);
  if (node.kind !== "index") return [];
  return [...computedIndexes(node.target), ...(node.index.kind === "literal" ? [] : [node.index])];
}
