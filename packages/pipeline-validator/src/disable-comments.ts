import { commentOffsets, didYouMean, type Position } from "@wye/pipeline-spec";
import { quote } from "./quote.js";

/** A place inside of a line. */
interface InLine {
  /** The line of the comment. */
  readonly start: Position;
  /** Where it stands in that line, from 0. */
  readonly begin: number;
  readonly end: number;
}

/** A rule that a comment disables for one line. */
export interface Suppression extends InLine {
  readonly id: string;
  /** The line that it is about, from 1; 0 when there is none. */
  line: number;
  used: boolean;
}

/** A comment that was to disable rules, and disables none. */
export interface Slip extends InLine {
  readonly code: "disable-unknown-rule" | "disable-useless";
  readonly message: string;
  readonly hint: string;
}

/** The comments of a text that disable rules, or were to. */
export interface DisableComments {
  readonly suppressions: readonly Suppression[];
  readonly slips: readonly Slip[];
}

const directive = "wye-disable-next-line";
/** A comment that begins with a word of ours, in any spelling. */
const ours = /^#\s{0,20}(wye[-_][\w-]+)/i;
/** Words that linters have for this. */
const alike = /^wye[-_](?:disable|enable|ignore|no|off|skip|suppress)(?:[-_]|$)/i;

/** Finds them. Texts that look like comments inside of others, such as scripts, are none. */
export function findDisableComments(text: string): DisableComments {
  const found: { readonly suppressions: Suppression[]; readonly slips: Slip[] } = {
    suppressions: [],
    slips: [],
  };
  if (!/#\s{0,20}wye[-_]/i.test(text)) return found;
  const comments = new Set(commentOffsets(text));
  let pending = 0;
  let offset = 0;
  let number = 0;
  for (let end = text.indexOf("\n"); offset <= text.length; end = text.indexOf("\n", offset)) {
    const line = text.slice(offset, end === -1 ? text.length : end);
    number++;
    const begin = commentIn(line, offset, comments);
    if (begin !== undefined) readComment(line, begin, { offset, line: number, column: 1 }, found);
    const content = line.trimStart();
    if (content !== "" && !content.startsWith("#")) {
      for (; pending < found.suppressions.length; pending++) {
        const one = found.suppressions[pending];
        if (one !== undefined) one.line = number;
      }
    }
    offset += line.length + 1;
  }
  return found;
}

/** Where a comment with a word of ours begins in a line. */
function commentIn(line: string, offset: number, comments: ReadonlySet<number>): number | undefined {
  for (let at = line.indexOf("#"); at !== -1; at = line.indexOf("#", at + 1)) {
    if (comments.has(offset + at)) return at;
  }
  return undefined;
}

function readComment(
  line: string,
  begin: number,
  start: Position,
  { suppressions, slips }: { readonly suppressions: Suppression[]; readonly slips: Slip[] },
): void {
  const [whole, word] = ours.exec(line.slice(begin)) ?? [];
  if (whole === undefined || word === undefined) return;
  const end = begin + whole.length;
  const place = { start, begin: end - word.length, end };
  if (word !== directive) {
    if (!alike.test(word) && didYouMean(word, [directive]) === undefined) return;
    const message = `no comment begins with ${quote(word)}`;
    const hint = `did you mean ${directive}, on the line before?`;
    slips.push({ ...place, code: "disable-unknown-rule", message, hint });
  } else if (line.slice(0, begin).trim() !== "") {
    const message = "a comment behind something else disables nothing";
    slips.push({
      ...place,
      code: "disable-useless",
      message,
      hint: "put it on a line of its own before this one",
    });
  } else readIds(line, end, start, suppressions);
}

function readIds(line: string, from: number, start: Position, found: Suppression[]): void {
  const before = found.length;
  const word = /[^\s,:]+/g;
  word.lastIndex = from;
  for (let match = word.exec(line); match !== null; match = word.exec(line)) {
    const [id] = match;
    // What follows is the reason.
    if (id.startsWith("--") || id.startsWith("(")) break;
    const begin = match.index;
    found.push({ id, start, begin, end: begin + id.length, line: 0, used: false });
  }
  if (found.length > before) return;
  found.push({ id: "", start, begin: line.indexOf("#"), end: line.length, line: 0, used: false });
}
