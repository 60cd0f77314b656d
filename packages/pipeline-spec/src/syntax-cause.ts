import type { Span } from "./line-table.js";
import { inDashes } from "./misplaced-dash.js";
import type { OpenSigns } from "./open-signs.js";

/** What made a text unreadable, where the places at which a reader notices would lead nowhere. */
export interface SyntaxCause {
  readonly message: string;
  readonly span: Span;
  readonly hint: string;
}

// A comment that the SDK writes about an input, whose default goes on in the next line without `#`.
const openDefault = /^#[^\n]*\[Default: [^\]\n]*\r?\n([^#\r\n]+)/my;
const conflict = /^(?:<{7}|>{7}|\|{7})(?= |$)/;
const noBreakSpace = /(?<=^ *)\u00a0(?=[ \u00a0]*(?:- |[\w"'-]+ *:))/m;

/** Finds out what made a text unreadable of which something is wrong at `at`. */
export function findCause(text: string, at: number, signs: OpenSigns): SyntaxCause | undefined {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const lineEnd = text.indexOf("\n", at);
  const end = lineEnd === -1 ? text.length : lineEnd;
  return (
    inComment(text, lineStart) ??
    inConflict(text.slice(lineStart, end), lineStart) ??
    inIndentation(text.slice(0, end)) ??
    inDashes(text, lineStart, end) ??
    ofSigns(text, at, signs)
  );
}

function inConflict(line: string, lineStart: number): SyntaxCause | undefined {
  if (!conflict.test(line)) return undefined;
  const hint = "keep one side of the conflict, and remove its marks";
  return { message: "this is a mark of a merge conflict", hint, span: [lineStart, lineStart + 7] };
}

/** A line that is less far in than it looks makes another one wrong. */
function inIndentation(text: string): SyntaxCause | undefined {
  const at = text.search(noBreakSpace);
  if (at === -1) return undefined;
  return { message: "a no-break space indents this line", hint: "indent with spaces", span: [at, at + 1] };
}

/** The comment may be the one before the line, or before lines of a text that begins there. */
function inComment(text: string, lineStart: number): SyntaxCause | undefined {
  const before = text.lastIndexOf("[Default: ", lineStart);
  if (before === -1) return undefined;
  openDefault.lastIndex = text.lastIndexOf("\n", before) + 1;
  const match = openDefault.exec(text);
  if (match?.[1] === undefined) return undefined;
  const end = openDefault.lastIndex;
  const message = "this belongs to the comment above, which tells the default of an input";
  return { message, hint: "put # before it", span: [end - match[1].length, end] };
}

function ofSigns(text: string, at: number, signs: OpenSigns): SyntaxCause | undefined {
  const content = text.slice(0, at).trimEnd().length;
  const opened = signs.textAt(content) ?? signs.textAt(at);
  if (opened !== undefined) {
    const cause = notClosed(text, opened, "quote");
    return {
      ...cause,
      message: "the text that begins with this quote ends in another line, with the next quote",
    };
  }
  if (signs.quote !== undefined) return notClosed(text, signs.quote, "quote");
  return signs.bracket === undefined ? undefined : notClosed(text, signs.bracket, "bracket");
}

function notClosed(text: string, at: number, what: "quote" | "bracket"): SyntaxCause {
  const sign = text[at] === "[" ? "]" : text[at] === "{" ? "}" : (text[at] ?? "");
  return { message: `this ${what} is not closed`, span: [at, at + 1], hint: `put ${sign} where it ends` };
}
