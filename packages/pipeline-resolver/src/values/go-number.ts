/** What Go's `strings.TrimSpace` takes away: U+0085 is a blank there, and U+FEFF is none. */
const isBlank = (char = ""): boolean => char === "\u0085" || (char !== "\ufeff" && /^\s$/.test(char));

/** A text without the blanks around it, as the launcher reads the files of parameters. */
export function goTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}

const least = -(2n ** 63n);

/** The number that `strconv.ParseInt` reads: decimal digits within 64 bits. */
export function goInteger(text: string): number | undefined {
  // Nobody writes more digits than that, and leading zeros would be no use.
  if (!/^[+-]?\d{1,400}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value >= least && value < -least ? Number(value) : undefined;
}

const digits = String.raw`\d+(?:_\d+)*`;
const decimal = new RegExp(`^[+-]?(?:${digits}\\.?(?:${digits})?|\\.${digits})(?:[eE][+-]?${digits})?$`);

/** The finite number that `strconv.ParseFloat` reads from decimal digits, between which underscores may stand. */
export function goFloat(text: string): number | undefined {
  if (text.length > 2000 || !decimal.test(text)) return undefined;
  const value = Number(text.replaceAll("_", ""));
  return Number.isFinite(value) ? value : undefined;
}
