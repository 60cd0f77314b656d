const longest = 60;

/** The beginning of a JSON value, for people. Costs the same for every value, however large. */
export function shortValue(value: unknown): string {
  let text = "";
  for (const piece of pieces(value)) {
    text += piece;
    if (text.length > longest) return `${text.slice(0, longest - 1)}…`;
  }
  return text;
}

function* pieces(value: unknown): Generator<string> {
  if (typeof value === "string") {
    yield JSON.stringify(value.slice(0, longest));
  } else if (Array.isArray(value)) {
    for (const [position, item] of value.entries()) {
      yield position === 0 ? "[" : ",";
      yield* pieces(item);
    }
    yield value.length === 0 ? "[]" : "]";
  } else {
    // To look into an object costs as much as it has members.
    yield typeof value === "object" && value !== null ? "{…}" : String(value ?? null);
  }
}
