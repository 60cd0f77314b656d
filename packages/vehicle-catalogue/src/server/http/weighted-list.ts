/** An item of a header such as `Accept`: its value in lower case, its parameters (`q` as well), its weight. */
export interface WeightedItem {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly weight: number;
}

/** Reads a list of values with parameters and weights (`gzip;q=0.5, br`). Commas and semicolons in quotes are text. */
export function parseWeightedList(header: string): readonly WeightedItem[] {
  return splitOutsideQuotes(header, ",").flatMap((item) => {
    const [first = "", ...rest] = splitOutsideQuotes(item, ";").map((part) => part.trim());
    if (first === "") return [];
    const parameters = new Map<string, string>();
    let weight = 1;
    for (const part of rest) {
      if (part === "") continue;
      const equals = part.indexOf("=");
      const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
      const value = equals < 0 ? "" : unquote(part.slice(equals + 1).trim());
      parameters.set(name, value);
      if (name === "q") weight = readWeight(value);
    }
    return { value: first.toLowerCase(), parameters, weight };
  });
}

function readWeight(text: string): number {
  return /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 1;
}

function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator);
  const parts: string[] = [];
  let quoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === "\\") at++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === separator) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}
