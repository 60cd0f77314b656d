/**
 * A text that a terminal shows as one line and takes no order from: what controls it, changes the direction of writing, or is no
 * character is shown as its number.
 */
export function visibleText(text: string): string {
  return text.replaceAll("\t", " ").replace(commands, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

const commands =
  /[\p{Cc}\p{Cs}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** How many columns of a terminal a visible text takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

/** A visible text in at most so many columns, with an ellipsis where something is missing. */
export function clip(text: string, most: number): string {
  if (text.length <= most / 2 || columnsOf(text) <= most) return text;
  let kept = "";
  let left = most - 1;
  for (const character of text) {
    left -= columnsOfCharacter(character);
    if (left < 0) break;
    kept += character;
  }
  return most < 1 ? "" : `${kept}…`;
}

function columnsOfCharacter(character: string): number {
  if (combining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

const combining = /^[\p{Mn}\p{Me}]$/u;
const wide =
  /[\u1100-\u115f\u231a\u231b\u23e9-\u23ec\u25fd\u25fe\u2614\u2615\u2648-\u2653\u26a1\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2757\u2795-\u2797\u2b50\u2b55\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1b000}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;
