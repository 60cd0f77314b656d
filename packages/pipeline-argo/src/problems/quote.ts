/** A name of the pipeline as it stands in a message: in quotes, and not too long. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 77)}…` : name);
}

/** A few names, and how many more there are. */
export function quoteList(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).map(quote).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
