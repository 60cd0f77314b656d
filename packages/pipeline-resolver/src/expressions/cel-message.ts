import { ownPrefix } from "./cel-function.js";

const tokens: Readonly<Record<string, string>> = {
  EOF: "the end",
  NUMBER: "a number",
  STRING: "a text",
  BOOLEAN: "true or false",
  NULL: "null",
  IDENTIFIER: "a name",
  PLUS: "+",
  MINUS: "-",
  MULTIPLY: "*",
  DIVIDE: "/",
  MODULO: "%",
  EQ: "==",
  NE: "!=",
  LT: "<",
  LE: "<=",
  GT: ">",
  GE: ">=",
  AND: "&&",
  OR: "||",
  NOT: "!",
  IN: "in",
  LPAREN: "(",
  RPAREN: ")",
  LBRACKET: "[",
  RBRACKET: "]",
  LBRACE: "{",
  RBRACE: "}",
  DOT: ".",
  COMMA: ",",
  COLON: ":",
  QUESTION: "?",
  BYTES: "bytes",
};

/** A message of the engine in the words of the back end: no names of tokens, none of ours. */
export function celMessage(summary: string): string {
  const text = summary
    .replaceAll(ownPrefix, "")
    .replaceAll(/dyn<(\w+)>/g, "$1")
    .replace(
      /^(Expected|Unexpected token:) ([A-Z]+)/,
      (_, word, token) => `${word} ${tokens[token] ?? token}`,
    )
    .replace(/, got ([A-Z]+)$/, (_, token) => `, got ${tokens[token] ?? token}`);
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** What to do about operands that do not fit, where their types tell. @param written  the part of the expression that has them */
export function typeHint(message: string, written: string): string | undefined {
  if (message.includes("TypedValue")) {
    return "inputs.parameters holds old typed values: read inputs.parameter_values['name']";
  }
  if (message.includes("Cannot index type 'ArtifactList'") || message.includes("'ArtifactList'")) {
    return "the artifacts of an input are a list: inputs.artifacts['name'].artifacts[0]";
  }
  if (/no such overload: (?:double \S+ int|int \S+ double)$/.test(message)) {
    return "numbers of inputs and of JSON are doubles: write 2.0 for 2, or int(…) around the other side";
  }
  const [, left, right = left] =
    /no such overload: (?:(int|double) \S+ string|string \S+ (int|double))$/.exec(message) ?? [];
  if (right !== undefined) return quotedNumberHint(written, right);
  if (/no such overload: bool [<>]=? (?:int|double|string)$/.test(message)) {
    return "a comparison gives true or false: write a < b && b < c for a < b < c";
  }
  return undefined;
}

/** What to do about a number beside a text. */
function quotedNumberHint(written: string, number: string): string {
  const [, , digits = "", fraction = ""] = /(?:^|\s)(["'])(-?\d+)(\.\d+)?\1(?:$|\s)/.exec(written) ?? [];
  if (digits === "" || (number === "int" && fraction !== ""))
    return "compare values of the same type: string(…) makes a text of a number, int(…) or double(…) a number of a text";
  return `write ${digits}${number === "double" ? fraction || ".0" : ""} without quotes`;
}

/** What to do about a field that its message does not have. */
export function fieldHint(message: string): string | undefined {
  const [, name = ""] = /^no such key: (\w+)$/.exec(message) ?? [];
  if (["uri", "name", "type", "metadata", "custom_path"].includes(name)) {
    return `the artifacts of an input are a list: inputs.artifacts['name'].artifacts[0].${name}`;
  }
  const inProto = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return inProto === name ? undefined : `conditions write fields with underscores: ${inProto}`;
}
