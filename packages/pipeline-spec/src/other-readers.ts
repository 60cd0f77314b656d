import type { DocumentProblems } from "./document-problems.js";
import { lenientLexer } from "./lenient-lexer.js";
import { endOfQuotes } from "./quoted-text.js";

/** What ends a line in YAML 1.1, which the API server and the Python SDK read, and is text in YAML 1.2. */
const separator = /[\u0085\u2028\u2029]/g;
/** Escapes that only newer YAML and JSON have: a slash, and a character in two halves. An escaped backslash is none of them. */
const newEscape = /\\(?:(\/)|([uU]0*[dD][89abAB][0-9a-fA-F]{2}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?)|[\s\S])/g;
const maybeNewEscape = /\\(?:\/|[uU]0*[dD][89abAB])/;
const tabBehindDash = /(?:^|[\s-])-[ ]*\t/;

/** Finds the path of what stands at an offset. */
type PathAt = (offset: number) => readonly (string | number)[];

/** Notes what a YAML text says to this package and not, or not the same, to the API server and the SDK. */
export function reportOtherReaders(text: string, problems: DocumentProblems, pathAt: PathAt): void {
  const hasTab = text.includes("\t") && tabBehindDash.test(text);
  if (text.search(separator) === -1 && !maybeNewEscape.test(text) && !hasTab) return;
  const escapes = new Escapes(problems, pathAt);
  let offset = 0;
  let before = "";
  for (const lexeme of lenientLexer().lex(text)) {
    if (isMark(lexeme)) continue;
    const isQuoted = lexeme.startsWith('"') || lexeme.startsWith("'");
    for (const { index } of lexeme.matchAll(separator))
      reportSeparator(text, offset + index, isQuoted, problems, pathAt);
    if (lexeme.startsWith('"')) escapes.find(lexeme, offset);
    if (before === "-" && /^ *\t/.test(lexeme)) {
      const at = offset + lexeme.indexOf("\t");
      problems.error("yaml-syntax", [], "a tab stands behind this dash", [at, at + 1], "use blanks");
    }
    before = lexeme;
    offset += lexeme.length;
  }
}

/** Notes the same of a text that is JSON: what stands outside of quotes is the same to everybody. */
export function reportOtherReadersOfJson(text: string, problems: DocumentProblems, pathAt: PathAt): void {
  if (!maybeNewEscape.test(text)) return;
  const escapes = new Escapes(problems, pathAt);
  for (let start = text.indexOf('"'); start !== -1; ) {
    const end = endOfQuotes(text, start);
    escapes.find(text.slice(start, end), start);
    start = text.indexOf('"', end);
  }
}

/** The lexer marks the start of documents and of scalars by characters that are not in the text. */
export function isMark(lexeme: string): boolean {
  return lexeme === "\u0002" || lexeme === "\u0018" || lexeme === "\u001f";
}

function reportSeparator(
  text: string,
  at: number,
  isQuoted: boolean,
  problems: DocumentProblems,
  pathAt: PathAt,
): void {
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
  const span = [at, at + 1] as const;
  if (!isQuoted) {
    const message = `the character U+${code} ends a line to the API server and the Python SDK, but for texts in quotes`;
    problems.error("yaml-syntax", [], message, span, "remove it, or put the text in double quotes");
  } else if (code === "0085") {
    const message = "the character U+0085 is a blank to the API server and the Python SDK";
    const hint = "write \\N in double quotes, or a blank";
    problems.warning("ambiguous-scalar", pathAt(at), message, span, hint);
  }
}

/** Notes the first escape of each kind: a file with one has many. */
class Escapes {
  readonly #problems: DocumentProblems;
  readonly #pathAt: PathAt;
  readonly #told = new Set<string>();

  constructor(problems: DocumentProblems, pathAt: PathAt) {
    this.#problems = problems;
    this.#pathAt = pathAt;
  }

  find(quoted: string, offset: number): void {
    for (const { index, 0: written, 1: slash, 2: halves } of quoted.matchAll(newEscape)) {
      const span = [offset + index, offset + index + written.length] as const;
      if (slash !== undefined)
        this.#tell("/", "the API server cannot read the escape \\/", span, "write / alone");
      else if (halves !== undefined) {
        const message =
          "the API server and the Python SDK cannot read a character that is escaped in two halves";
        this.#tell("halves", message, span, "write the character itself");
      }
    }
  }

  #tell(kind: string, message: string, span: readonly [number, number], hint: string): void {
    if (this.#told.has(kind)) return;
    this.#told.add(kind);
    this.#problems.warning("ambiguous-scalar", this.#pathAt(span[0]), message, span, hint);
  }
}
