/**
 * Expands `$(NAME)` as Kubernetes does: known names are replaced, unknown ones stay, `$$` stands for one dollar, so `$$(NAME)`
 * gives `$(NAME)`. What was inserted is not looked at again.
 */
export function expandVariables(text: string, variables: ReadonlyMap<string, string>): string {
  let result = "";
  let done = 0;
  const lastClose = text.lastIndexOf(")");
  for (let dollar = text.indexOf("$"); dollar >= 0; dollar = text.indexOf("$", done)) {
    result += text.slice(done, dollar);
    const next = text[dollar + 1];
    const close = next === "(" && dollar < lastClose ? text.indexOf(")", dollar) : -1;
    if (next === "$") {
      result += "$";
      done = dollar + 2;
    } else if (close < 0) {
      result += "$";
      done = dollar + 1;
    } else {
      const reference = text.slice(dollar, close + 1);
      result += variables.get(reference.slice(2, -1)) ?? reference;
      done = close + 1;
    }
  }
  return result + text.slice(done);
}
