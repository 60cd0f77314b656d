/** Variables by name. */
type Variables = ReadonlyMap<string, string>;

/** A reference that stays as it is when its name is not known. */
interface Reference {
  readonly reference: string;
  readonly name: string;
}

/** A text with `$(NAME)` in it, read. */
export interface VariableText {
  readonly parts: readonly (string | Reference)[];
  readonly names: ReadonlySet<string>;
  /** What it is when none of the names is known, as in most programs. */
  readonly unexpanded: string;
}

/**
 * Reads a text as Kubernetes does: `$(NAME)` is a reference, `$$` stands for one dollar, so `$$(NAME)` gives `$(NAME)`. Takes time
 * linear in the text.
 */
export function parseVariables(text: string): VariableText {
  const parts: (string | Reference)[] = [];
  let literal = "";
  let done = 0;
  const lastClose = text.lastIndexOf(")");
  for (let dollar = text.indexOf("$"); dollar >= 0; dollar = text.indexOf("$", done)) {
    literal += text.slice(done, dollar);
    const next = text[dollar + 1];
    const close = next === "(" && dollar < lastClose ? text.indexOf(")", dollar) : -1;
    if (close < 0) {
      literal += "$";
      done = dollar + (next === "$" ? 2 : 1);
    } else {
      const reference = text.slice(dollar, close + 1);
      parts.push(literal, { reference, name: reference.slice(2, -1) });
      literal = "";
      done = close + 1;
    }
  }
  parts.push(literal + text.slice(done));
  const names = new Set(parts.flatMap((part) => (typeof part === "string" ? [] : [part.name])));
  return {
    parts,
    names,
    unexpanded: parts.map((part) => (typeof part === "string" ? part : part.reference)).join(""),
  };
}

/** Replaces the names that are known. What is inserted is not looked at again. */
export function expandVariables({ parts, names, unexpanded }: VariableText, variables: Variables): string {
  if (![...names].some((name) => variables.has(name))) return unexpanded;
  let result = "";
  for (const part of parts) {
    result += typeof part === "string" ? part : (variables.get(part.name) ?? part.reference);
  }
  return result;
}
