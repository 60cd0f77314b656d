import type { TextSpan } from "@wye/pipeline-resolver";

/** One condition of a filter. */
export interface FilterTerm {
  readonly field: "in_context" | "artifact_type" | "uri" | "state" | "name";
  readonly value: string;
}

/** What came of reading a filter. */
export type FilterResult =
  | { readonly ok: true; readonly terms: readonly FilterTerm[] }
  | {
      readonly ok: false;
      readonly message: string;
      readonly span: TextSpan;
      /** What stands where the name of a member is expected. */
      readonly word?: string;
    };

/** Names of the members of a filter. */
export const filterFields: readonly FilterTerm["field"][] = [
  "in_context",
  "artifact_type",
  "uri",
  "state",
  "name",
];

const isField = (word: string): word is FilterTerm["field"] => filterFields.some((field) => field === word);

/**
 * Reads the filter of an artifact query: `in_context("…")`, `artifact_type="…"`, `uri="…"`, `name="…"` and `state=…`, joined
 * by `AND`.
 */
export function parseArtifactFilter(text: string): FilterResult {
  const tokens = new Tokens(text);
  const terms: FilterTerm[] = [];
  for (;;) {
    const word = tokens.next();
    if (!isField(word.text))
      return {
        ...tokens.fail(word, 'a condition such as artifact_type="…" is expected here'),
        word: word.text,
      };
    const value = readValue(word.text, tokens);
    if (typeof value !== "string") return value;
    terms.push({ field: word.text, value });
    const joint = tokens.next();
    if (joint.text === "") return { ok: true, terms };
    if (joint.text !== "AND") return tokens.fail(joint, "AND or the end is expected here");
  }
}

type Failure = Extract<FilterResult, { ok: false }>;

function readValue(field: FilterTerm["field"], tokens: Tokens): string | Failure {
  const opening = tokens.next();
  const [open, close] = field === "in_context" ? ["(", ")"] : ["=", ""];
  if (opening.text !== open) return tokens.fail(opening, `${open} is expected after ${field}`);
  const value = tokens.next();
  const isText = /^"(?:[^"\\]|\\.)*"$/s.test(value.text);
  if (field === "state") {
    if (!/^[A-Za-z_]+$/.test(value.text)) return tokens.fail(value, "a state such as LIVE is expected here");
  } else if (!isText) {
    return tokens.fail(value, "a text in double quotes is expected here");
  }
  if (close !== "") {
    const closing = tokens.next();
    if (closing.text !== close) return tokens.fail(closing, `${close} is expected here`);
  }
  return isText ? value.text.slice(1, -1).replaceAll(/\\(.)/gs, "$1") : value.text;
}

interface Token {
  readonly text: string;
  readonly start: number;
}

/** Words, texts in quotes and single characters; an empty one at the end. */
class Tokens {
  private readonly pattern = /\s*(?:(\w+|"(?:[^"\\]|\\.)*"|"|\S)|$)/gsy;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  next(): Token {
    const match = this.pattern.exec(this.text);
    const token = match?.[1] ?? "";
    const end = match === null ? this.text.length : match.index + match[0].length;
    return { text: token, start: end - token.length };
  }

  fail({ text, start }: Token, message: string): Failure {
    return { ok: false, message, span: { start, end: start + text.length } };
  }
}
