import type { DocumentProblems } from "./document-problems.js";
import type { OpenSigns } from "./open-signs.js";
import { findCause } from "./syntax-cause.js";
import { commentTooNear, type YamlMistake } from "./yaml-mistakes.js";

/** What helps people who write YAML by hand, by code of the parser. */
const hints: { readonly [code: string]: string } = {
  TAB_AS_INDENT: "indent with spaces",
  BAD_INDENT: "give the lines of one map or list the same indentation, and close its bracket",
  BAD_DQ_ESCAPE: "write the backslash twice, or use single quotes",
  BAD_SCALAR_START: "put the text in quotes",
  BLOCK_AS_IMPLICIT_KEY: "put text with a colon in quotes",
  UNEXPECTED_TOKEN: "a comma, a line break or quotes may be missing before it",
};

/** What the parser says of everything that follows when it has lost its way. */
const strayToken = "token in YAML stream";

/** What is known of a text with errors. */
export interface BrokenText {
  readonly text: string;
  readonly signs: OpenSigns;
  readonly maxDepth: number;
}

/**
 * Reports the errors of the YAML parser in the words of people, and each that only follows from another not at all: where there is
 * a cause before all of them, that alone.
 */
export function reportSyntaxErrors(
  errors: readonly YamlMistake[],
  { text, signs, maxDepth }: BrokenText,
  problems: DocumentProblems,
): void {
  const first = errors.find((error) => isMistake(error, text));
  const cause = first === undefined ? undefined : findCause(text, first.pos[0], signs);
  if (cause !== undefined) {
    problems.clear();
    problems.error("yaml-syntax", [], cause.message, cause.span, cause.hint);
    return;
  }
  let lost = false;
  for (const { code, message, pos } of errors) {
    const isStray = message.includes(strayToken);
    if (isCommentBehindQuote(message, text, pos[0])) {
      const told =
        "a comment directly behind a quote or a bracket is one to the API server and the SDK alone";
      problems.warning("yaml-syntax", [], told, pos, "put a blank before it");
    } else if (code === "RESOURCE_EXHAUSTION") {
      if (!problems.failed) problems.error("too-deep", [], `nested deeper than ${maxDepth} levels`, pos);
    } else if (!(isStray && lost)) {
      const hint = hintAt(text, pos[0]) ?? slipHint(message, text, pos[0]) ?? hints[code];
      problems.error("yaml-syntax", [], plainly(code, message), pos, hint);
    }
    lost ||= isStray;
  }
}

function isMistake({ code, message, pos }: YamlMistake, text: string): boolean {
  return code !== "RESOURCE_EXHAUSTION" && !isCommentBehindQuote(message, text, pos[0]);
}

// Behind a colon, a dash or a bracket; the last two are signs of YAML that begin texts of other languages.
const needsQuotes = /(?:^|[:,[{-])[ ]*(?:(\{\{)|([!*])[^\s,]*)/g;

/** Lines are not looked through any farther than this for each of their mistakes. */
const farthest = 500;

/** What to do about a text that needs quotes, if one begins in the line before a place. */
export function hintAt(text: string, at: number): string | undefined {
  const from = Math.max(0, at - farthest);
  const lineStart = from + text.slice(from, at).lastIndexOf("\n") + 1;
  const [line = ""] = text.slice(lineStart, at + farthest).split("\n", 1);
  for (const { index, 1: template, 2: sign } of line.matchAll(needsQuotes)) {
    if (lineStart + index > at) break;
    if (template !== undefined) return "put the template in quotes";
    if (sign !== undefined) return `a text that begins with ${sign} needs quotes`;
  }
  return undefined;
}

/** What is missing, or was written for something else, where the parser found no key, or one where none can be. */
function slipHint(message: string, text: string, at: number): string | undefined {
  if (message.startsWith("Block collections are not allowed within flow")) {
    const [, name] = /^[^\n,:]{0,200}?[\s;]([\w.-]{1,100}):/.exec(text.slice(at, at + farthest)) ?? [];
    return name === undefined ? undefined : `put a comma before ${JSON.stringify(name)}`;
  }
  if (!message.startsWith("Implicit ")) return undefined;
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const [line = ""] = text.slice(lineStart, lineStart + farthest).split("\n", 1);
  if (/^ *-+[^\s-]/.test(line)) return "put a blank behind the dash";
  return /^[ -]*[\w.-]+ *= *\S/.test(line) ? "write a colon and a blank in the place of =" : undefined;
}

/** YAML 1.2 wants a blank before a comment. Its predecessor, which the back ends read, only wants to tell it from text. */
function isCommentBehindQuote(message: string, text: string, at: number): boolean {
  return message.startsWith(commentTooNear) && /["'}\]]/.test(text.charAt(at - 1));
}

/** The message of the parser without its own vocabulary. */
function plainly(code: string, message: string): string {
  if (code === "TAB_AS_INDENT") return "a tab indents this line";
  if (message.startsWith("Implicit map keys need")) return "expected a colon and a value after this key";
  if (message.startsWith("Nested mappings are")) return "there is a second colon in the value of this key";
  if (message.includes(strayToken)) return "this does not belong to what stands before it";
  const text = message
    .replace("in block collection must be sufficiently indented and end with", "must end with")
    .replace("block-seq-ind on", "dash on")
    .replace(/\bflow-(?:map|seq)-(?:start|end)\b/, "bracket")
    .replace(" token in YAML document", "")
    .replace(/^Missing closing (.)quote$/, "the closing $1 is missing")
    .replace(/^Unexpected (.+) at node end$/, "expected nothing more after the value, got a $1")
    .replace(/\b(?:double-quoted|single-quoted|plain|block)-scalar\b|\bscalar\b/g, "text")
    .replace(/\bflow (map|sequence)\b/gi, (_, kind: string) =>
      kind === "map" ? "map in braces" : "list in brackets",
    );
  return text.charAt(0).toLowerCase() + text.slice(1);
}
