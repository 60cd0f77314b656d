/** A text of JSON without blanks with a line for each member and item; names, texts and numbers stay as they are written. */
export function indentJson(text: string): string {
  const lines: string[] = [];
  let line = "";
  let depth = 0;
  const end = () => {
    lines.push(line);
    line = "  ".repeat(depth);
  };
  for (const token of tokens(text)) {
    if (token === "}" || token === "]") {
      depth--;
      end();
    }
    line += token === ":" ? ": " : token;
    if (token === "{" || token === "[") depth++;
    if (token === "{" || token === "[" || token === ",") end();
  }
  lines.push(line);
  return lines.join("\n");
}

/** Texts, numbers and words; empty lists and objects as a whole; and signs. */
function* tokens(text: string): Generator<string> {
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[[\]{}:,]|[^[\]{}:,"]+/g)) yield token;
}
