/** Where a text stops being JSON, and what would have to stand there. */
export interface JsonFault {
  readonly at: number;
  readonly message: string;
}

const blank = /[ \t\r\n]*/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

type Wanted = "value" | "first value" | "name" | "first name" | "colon" | "comma";
const words: Readonly<Record<Wanted, string>> = {
  value: "a value has to stand here: true, false, null, a number, text in double quotes, an object or a list",
  "first value": "a value or ] has to stand here",
  name: "a name in double quotes has to stand here",
  "first name": "a name in double quotes or } has to stand here",
  colon: "a colon has to stand here",
  comma: "a comma, or the end of what is open, has to stand here",
};

/** Finds the first fault of a text that is no JSON. */
export function jsonFaultAt(text: string): JsonFault {
  const open: string[] = [];
  let wanted: Wanted = "value";
  let at = 0;
  const ended = (): Wanted | undefined => (open.length === 0 ? undefined : "comma");
  for (let next: Wanted | undefined = wanted; next !== undefined; wanted = next) {
    at = matchEnd(blank, text, at) ?? at;
    wanted = next;
    const character = text[at] ?? "";
    const closes = open.at(-1) === character && /^(?:first|comma)/.test(wanted);
    if (closes) {
      open.pop();
      next = ended();
      at++;
    } else if (wanted === "colon" || wanted === "comma") {
      if (character !== (wanted === "colon" ? ":" : ",")) break;
      next = wanted === "comma" && open.at(-1) === "}" ? "name" : "value";
      at++;
    } else if (character === '"') {
      const end = stringEnd(text, at);
      if (typeof end !== "number") return end;
      at = end;
      next = wanted.endsWith("name") ? "colon" : ended();
    } else if (wanted.endsWith("name")) {
      break;
    } else if (character === "{" || character === "[") {
      open.push(character === "{" ? "}" : "]");
      next = character === "{" ? "first name" : "first value";
      at++;
    } else {
      const end = matchEnd(scalar, text, at);
      if (end === undefined) break;
      at = end;
      next = ended();
    }
    if (next === undefined)
      return {
        at: matchEnd(blank, text, at) ?? at,
        message: "nothing may follow behind the end of the object",
      };
  }
  return { at, message: wordsFor(text, at, wanted) };
}

function wordsFor(text: string, at: number, wanted: Wanted): string {
  if (at >= text.length) return "the text ends here, in the middle of what is open";
  if (/^(?:\/[/*]|#)/.test(text.slice(at, at + 2))) return "JSON has no comments; YAML has, after a #";
  const isBehindComma = /^[}\]]$/.test(text[at] ?? "") && (wanted === "name" || wanted === "value");
  return isBehindComma ? "there is a comma before it, and nothing follows" : words[wanted];
}

/** The end of a string that begins at a place. */
function stringEnd(text: string, start: number): number | JsonFault {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return at + 1;
    if (character < " ")
      return { at, message: "text ends on the line on which it begins: write \\n and \\t" };
    if (character !== "\\") continue;
    const end = matchEnd(escaped, text, at);
    if (end === undefined)
      return { at, message: "there is no such escape; a backslash itself is written \\\\" };
    at = end - 1;
  }
  return { at: start, message: "the text that begins here has no end" };
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
