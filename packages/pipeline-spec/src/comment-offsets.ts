import { checkArguments } from "./check-arguments.js";
import { lenientLexer } from "./lenient-lexer.js";

/** What the lexer puts between the parts of a text, of which it is no part: marks of documents, scalars and broken flows. */
const marks = new Set(["\u0002", "\u0018", "\u001f"]);

/** Where the comments of a YAML text begin, each with its `#`. What looks like one inside of a value is none. */
export function commentOffsets(text: string): readonly number[] {
  checkArguments("commentOffsets", "text", { text });
  const offsets: number[] = [];
  let at = 0;
  for (const lexeme of lenientLexer().lex(text)) {
    if (marks.has(lexeme)) continue;
    if (lexeme.startsWith("#")) offsets.push(at);
    at += lexeme.length;
  }
  return offsets;
}
