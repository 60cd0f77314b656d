import { Composer, type Document, Parser } from "yaml";
import type { DocumentProblems } from "./document-problems.js";
import { lenientLexer } from "./lenient-lexer.js";
import { OpenSigns } from "./open-signs.js";
import { isMark } from "./other-readers.js";
import { SecondValue } from "./second-value.js";
import type { SourceDocument } from "./source-document.js";
import { StricterReaders } from "./stricter-readers.js";
import { maxDocuments, type YamlLimits } from "./yaml-limits.js";
import { TooManyMistakes, YamlMistakes } from "./yaml-mistakes.js";
import { reportSyntaxErrors } from "./yaml-syntax-errors.js";
import { YamlValues } from "./yaml-value.js";

// Scalars stay text, and keys are compared by us: in linear time, and by the rules of the tools that run pipelines.
const options = { schema: "failsafe", uniqueKeys: false, prettyErrors: false, logLevel: "silent" } as const;

/** Reads the documents of a YAML text; empty ones are left out. What is wrong goes to `problems`. */
export function parseYaml(text: string, limits: YamlLimits, problems: DocumentProblems): SourceDocument[] {
  const signs = new OpenSigns();
  const documents = composeDocuments(text, limits, problems, signs);
  if (problems.failed) return [];
  return documents.flatMap(({ contents }) => {
    if (contents === null) return [];
    const values = new YamlValues(text, problems, limits);
    const value = values.value(contents);
    const places = values.places();
    return value === null ? [] : [{ value, places: () => places }];
  });
}

function composeDocuments(
  text: string,
  limits: YamlLimits,
  problems: DocumentProblems,
  signs: OpenSigns,
): Document.Parsed[] {
  const documents: Document.Parsed[] = [];
  const mistakes = new YamlMistakes();
  try {
    for (const document of compose(text, limits, { problems, signs, mistakes })) {
      mistakes.list.push(...document.errors);
      if (documents.push(document) > maxDocuments) {
        const span = [document.range[0], document.range[0]] as const;
        problems.error(
          "too-many-documents",
          [],
          `more than ${maxDocuments} YAML documents in one text`,
          span,
        );
        break;
      }
    }
  } catch (error) {
    // Deep nesting is bounded below where that is cheap; elsewhere the parser runs out of stack.
    if (error instanceof RangeError) {
      problems.error("too-deep", [], `nested deeper than ${limits.maxDepth} levels`, [0, 0]);
    } else if (!(error instanceof TooManyMistakes)) throw error;
  }
  reportSyntaxErrors(mistakes.list, { text, signs, maxDepth: limits.maxDepth }, problems);
  return documents;
}

/** What is found out about a text on the way. */
interface Findings {
  readonly problems: DocumentProblems;
  readonly signs: OpenSigns;
  readonly mistakes: YamlMistakes;
}

/**
 * What stands on the stack of the parser besides maps and lists. The composer calls itself for each level, and where the stack of the
 * process ends while V8 compiles a regular expression, the process ends with it.
 */
const besides = 8;

/** So many levels the composer can take on the stack of any process: at some 900 that of Node ends. */
const safeDepth = 500;

function* compose(
  text: string,
  limits: YamlLimits,
  { problems, signs, mistakes }: Findings,
): Generator<Document.Parsed> {
  const parser = new Parser();
  const composer = new Composer(options);
  mistakes.takeFrom(composer);
  const readers = new StricterReaders(problems);
  const second = new SecondValue();
  const deepest = Math.min(limits.maxDepth, safeDepth);
  let tokens = 0;
  let flowDepth = 0;
  let offset = 0;
  for (const lexeme of lenientLexer().lex(text)) {
    if (lexeme === "{" || lexeme === "[") flowDepth++;
    else if (lexeme === "}" || lexeme === "]") flowDepth--;
    if (flowDepth > limits.maxDepth) {
      problems.error("too-deep", [], `nested deeper than ${limits.maxDepth} levels`, [offset, offset + 1]);
      return;
    }
    if (++tokens > limits.maxTokens) {
      const message = `the text has more than ${limits.maxTokens} YAML tokens`;
      problems.error("too-large", [], message, [offset, offset], "raise the limit maxTokens");
      return;
    }
    if (second.see(lexeme)) {
      const hint = "put --- between documents; a file with a value in each line is no pipeline";
      const message = "a second value begins here, below the one that is the document";
      problems.error("yaml-syntax", [], message, [offset, offset + 1], hint);
      return;
    }
    readers.see(lexeme, offset);
    signs.see(lexeme, offset);
    if (!isMark(lexeme)) offset += lexeme.length;
    for (const token of parser.next(lexeme)) {
      if (token.type === "error") mistakes.addToken(token);
      else yield* composer.next(token);
    }
    if (parser.stack.length > deepest + besides) {
      problems.error("too-deep", [], `nested deeper than ${deepest} levels`, [offset - 1, offset]);
      return;
    }
  }
  for (const token of parser.end()) yield* composer.next(token);
  // A text without a document still has a place for its errors.
  yield* composer.end(true, text.length);
}
