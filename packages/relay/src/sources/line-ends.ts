/**
 * Makes each line end at once that comes in pieces of text. A carriage return ends a line by itself and may be the first half
 * of a line end; who waits to see which gets the last event of a burst with the first of the next, which may take minutes.
 */
export function createLineEnds(): (piece: string) => string {
  let ended = false;
  return (piece) => {
    if (piece === "") return "";
    // The other half of a line end that is through.
    const rest = ended && piece.startsWith("\n") ? piece.slice(1) : piece;
    ended = piece.endsWith("\r");
    return ended ? `${rest}\n` : rest;
  };
}
