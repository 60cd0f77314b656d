/** The name of a parameter without the prefix that the SDK puts before those it passes on. */
export function shortName(name: string): string {
  return name.replace(/^pipelinechannel--/, "");
}

/** An expression as people read it: parameters by their names alone. */
export function shortExpression(expression: string): string {
  return expression
    .replace(/inputs\.(?:parameter_values|parameters)\[(?:'([^']*)'|"([^"]*)")\]/g, (_, single, double) =>
      shortName(single ?? double),
    )
    .replace(/\s+/g, " ")
    .trim();
}

/** A text in at most so many columns, with an ellipsis where something is missing. */
export function clip(text: string, most: number): string {
  if (columns(text) <= most) return text;
  let kept = "";
  let width = 1;
  for (const character of text) {
    width += columnsOf(character);
    if (width > most) break;
    kept += character;
  }
  return `${kept}…`;
}

/** How many columns of a fixed-width font a text takes. */
export function columns(text: string): number {
  let count = 0;
  for (const character of text) count += columnsOf(character);
  return count;
}

/** Ideographs and emoji are as wide as two letters. */
function columnsOf(character: string): number {
  return wide.test(character) ? 2 : 1;
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{3ffff}]/u;
