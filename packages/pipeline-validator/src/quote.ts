/** A name or text of the specification as it stands in a message: quoted, on one line, not too long. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

/** A text, cut when it is too long for a message. */
export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** `"a"`, `"b"` and 3 more: some names of a list. */
export function quoteList(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).map(quote).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
