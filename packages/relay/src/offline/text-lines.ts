/** The lines of a text, counted once. */
export interface TextLines {
  /** The number of the line in which a place is; the first one is 1. */
  at(offset: number): number;
}

export function linesOf(text: string): TextLines {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return {
    at(offset) {
      let first = 0;
      let last = starts.length - 1;
      while (first < last) {
        const middle = Math.ceil((first + last) / 2);
        if ((starts[middle] ?? 0) <= offset) first = middle;
        else last = middle - 1;
      }
      return first + 1;
    },
  };
}
