const first = 0xd800;
const surrogates = 0x800;
const behind = first + surrogates;

/** No other unit is out of order. */
const outOfOrder = /[\ud800-\uffff]/;

/**
 * A text whose UTF-16 units are in the order of the code points of this one: surrogates, which stand for the highest code points,
 * change places with the units above them. Not for reading, only for comparing.
 */
export function inOrderOfCodePoints(text: string): string {
  if (!outOfOrder.test(text)) return text;
  let result = "";
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const moved = unit < behind ? unit + 0x10000 - behind : unit - surrogates;
    result += String.fromCharCode(unit < first ? unit : moved);
  }
  return result;
}
