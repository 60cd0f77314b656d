import { type ExpressionNode, printExpression } from "@wye/pipeline-resolver";
import { described, type ValueType } from "./condition-value-type.js";

type Call = Extract<ExpressionNode, { kind: "call" }>;
type TypeOf = (node: ExpressionNode) => ValueType | undefined;

/** A part of a call that the function does not take. */
export interface CallClash {
  readonly node: ExpressionNode;
  /** What is said of it, behind what it is. */
  readonly why: string;
  readonly type: ValueType;
  readonly hint: string;
}

/** What a call gives, and what of it the function does not take. */
export interface CallTypes {
  readonly type: ValueType | undefined;
  readonly clash?: CallClash | undefined;
}

const all: readonly ValueType[] = ["text", "double", "int", "bool", "list", "map"];

/** The functions of one argument: what they take, and what they give. */
const functions: Readonly<
  Record<string, { readonly takes: readonly ValueType[]; readonly gives?: ValueType }>
> = {
  string: { takes: ["text", "double", "int", "bool"], gives: "text" },
  double: { takes: ["text", "double", "int"], gives: "double" },
  int: { takes: ["text", "double", "int"], gives: "int" },
  uint: { takes: ["text", "double", "int"] },
  bool: { takes: ["text", "bool"], gives: "bool" },
  bytes: { takes: ["text"] },
  timestamp: { takes: ["text", "int"] },
  duration: { takes: ["text", "int"] },
  parseJson: { takes: ["text"] },
  size: { takes: ["text", "list", "map"], gives: "int" },
  dyn: { takes: all },
};
const textMethods: ReadonlySet<string> = new Set(["startsWith", "endsWith", "contains", "matches"]);
const loops: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "filter", "map"]);

/** What is known of a call without what its loop, if it is one, does inside. */
export function callTypes(node: Call, typeOf: TypeOf): CallTypes {
  const { name, target, args } = node;
  if (textMethods.has(name)) return textMethod(node, typeOf);
  if (target !== undefined && loops.has(name)) return loop(node, target, typeOf);
  const subject = target ?? args[0];
  if (name === "has") return presence(subject, typeOf);
  const type = subject === undefined ? undefined : typeOf(subject);
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (known === undefined || (target !== undefined && name !== "size")) return { type: undefined };
  if (subject === undefined || type === undefined || known.takes.includes(type)) return { type: known.gives };
  const clash =
    name === "size"
      ? { node, type, why: "which has no size", hint: `use ${printExpression(subject)} itself` }
      : { node, type, why: `which ${name} does not take`, hint: conversionHint(name, subject, type) };
  return { type: known.gives, clash: { ...clash, node: name === "size" ? node : subject } };
}

function textMethod({ name, target, args }: Call, typeOf: TypeOf): CallTypes {
  const [subject, pattern] = target === undefined ? args : [target, args[0]];
  const type = subject && typeOf(subject);
  if (subject !== undefined && type !== undefined && type !== "text") {
    return {
      type: "bool",
      clash: { node: subject, type, why: `and ${name} is for texts`, hint: textHint(subject, type, name) },
    };
  }
  const given = pattern && typeOf(pattern);
  if (pattern === undefined || given === undefined || given === "text") return { type: "bool" };
  const text = printExpression(pattern);
  const hint =
    given === "list" || given === "map"
      ? "use a text"
      : pattern.kind === "literal"
        ? `write '${text}'`
        : `write string(${text})`;
  return { type: "bool", clash: { node: pattern, type: given, why: `and ${name} looks for a text`, hint } };
}

function textHint(subject: ExpressionNode, type: ValueType, name: string): string {
  if (type === "list") return "use in to look into a list";
  if (type === "map") return "look at one of its members: an object has no text";
  return `write string(${printExpression(subject)}).${name}(…)`;
}

function loop({ name }: Call, target: ExpressionNode, typeOf: TypeOf): CallTypes {
  const type = typeOf(target);
  const gives = name === "filter" || name === "map" ? "list" : "bool";
  if (type === undefined || type === "list" || type === "map") return { type: gives };
  const hint = type === "text" ? "use contains or matches for a text" : "use a list";
  return { type: gives, clash: { node: target, type, why: `and ${name} goes over lists`, hint } };
}

/** Of anything but a list it may be asked whether it has a field. */
function presence(field: ExpressionNode | undefined, typeOf: TypeOf): CallTypes {
  const target = field?.kind === "member" ? field.target : undefined;
  if (target === undefined || typeOf(target) !== "list") return { type: "bool" };
  const hint = "use in to look into a list, or size(…) to ask for its length";
  return { type: "bool", clash: { node: target, type: "list", why: "which has no fields", hint } };
}

function conversionHint(name: string, subject: ExpressionNode, type: ValueType): string {
  const text = printExpression(subject);
  if (name === "parseJson") {
    return type === "list" || type === "map"
      ? "leave parseJson out: it is read already"
      : "leave parseJson out";
  }
  if (type === "list" || type === "map")
    return `look at one of its parts: ${described[type]} cannot be converted`;
  if (type === "bool")
    return name === "int" || name === "double"
      ? `write ${text} ? ${name === "int" ? "1 : 0" : "1.0 : 0.0"}`
      : "use a text";
  if (name === "bool") return `write ${text} != 0`;
  if (name === "timestamp") return `write timestamp(int(${text}))`;
  return name === "duration" ? `write duration(string(${text}) + 's')` : `write string(${text})`;
}
