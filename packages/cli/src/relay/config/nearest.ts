/** The candidate that a name is most likely a misspelling of, if any is close enough. */
export type Nearest = (name: string, candidates: readonly string[]) => string | undefined;
