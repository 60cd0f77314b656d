import { Lexer } from "yaml";

/** What a lexer of yaml 2.9 does inside; package.json keeps to that version. */
interface LexerInside {
  /** How far lines must be indented to belong to the current block. */
  indentNext: number;
  parseQuotedScalar(): Generator<string, unknown>;
  parseFlowCollection(): Generator<string, unknown>;
}

/**
 * A lexer that does not mind how lines inside quotes and inside brackets are indented. YAML 1.2 wants them further in
 * than what they belong to, but libyaml and PyYAML never look, so compiled pipelines exist where they are not.
 */
export function lenientLexer(): Lexer {
  const lexer = new Lexer();
  // The methods are private in the types only.
  const inside = lexer as unknown as LexerInside;
  inside.parseQuotedScalar = withoutIndentation(inside, inside.parseQuotedScalar);
  inside.parseFlowCollection = withoutIndentation(inside, inside.parseFlowCollection);
  return lexer;
}

function withoutIndentation(
  lexer: LexerInside,
  parse: () => Generator<string, unknown>,
): () => Generator<string, unknown> {
  return function* () {
    const { indentNext } = lexer;
    lexer.indentNext = 0;
    const next = yield* parse.call(lexer);
    lexer.indentNext = indentNext;
    return next;
  };
}
