/** Numbers that look random and are the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** What YAML is made of, whole and broken. */
export const pieces: readonly string[] = [
  ...[
    "a",
    "key",
    ": ",
    ":",
    "- ",
    "-",
    "? ",
    "\n",
    "\n\n",
    "\n  ",
    "\n    ",
    " ",
    "  ",
    "\t",
    " \t",
    "#",
    " # c",
    "# c\n",
  ],
  ...[
    "[",
    "]",
    "{",
    "}",
    ", ",
    ",",
    "{}",
    "[]",
    "[a, b]",
    "{a: b}",
    "{a: [b, {c: d}]}",
    '{"a":1}',
    "[a,\n  b]",
    "[\n]",
    "&a ",
    "*a",
  ],
  ...[
    "'",
    '"',
    "''",
    '""',
    "\\",
    "\\n",
    "\\x41",
    "\\u00e9",
    "\\U0001F600",
    '\\"',
    "'it''s'",
    '"a\n  b"',
    "'a\n\n  b'",
    '"a\\\n  \\ b"',
  ],
  ...[
    "|",
    "|-",
    "|+",
    ">",
    ">-",
    "|2",
    "|1-",
    "|\n",
    "|-\n  a\n",
    ">\n  a\n  b\n",
    "---\n",
    "...\n",
    "--- ",
    "\n---\n",
    "%YAML 1.2\n",
    "!x ",
    "!!str ",
  ],
  ...[
    "null",
    "~",
    "true",
    "yes",
    "on",
    "1",
    "0x1F",
    "1e3",
    "2001-01-01",
    "-1",
    ".5",
    "<<: ",
    "@",
    "`",
    "%",
    "é",
    "😀",
    "\u2028",
    "\u00a0",
    "\ufeff",
    "\r\n",
    "\r",
  ],
  ...[
    "a: 1\n",
    "  a: 1\n",
    "- a\n",
    "  - a\n",
    "- - a\n",
    "- a: 1\n  b: 2\n",
    "a:\n",
    "a:b",
    "a: b: c",
    "? a\n: b\n",
    "http://x",
    "a #b",
    "a#b",
    "k : v",
    '"k": v',
    "'k' : v",
    "-a",
    "?a",
    ":a",
  ],
];

/** A text with one to four changes, as slips of a keyboard, of an editor or of a merge make them. */
export function mutate(text: string, random: (below: number) => number): string {
  let changed = text;
  for (let times = 1 + random(4); times > 0; times--) changed = changeOnce(changed, random);
  return changed;
}

function changeOnce(text: string, random: (below: number) => number): string {
  const at = random(text.length + 1);
  const piece = pieces[random(pieces.length)] ?? "";
  switch (random(8)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1 + random(3));
    case 1:
      return text.slice(0, at) + text.slice(at + random(60));
    case 2:
    case 3:
      return text.slice(0, at) + piece + text.slice(at);
    case 4:
      return text.slice(0, at) + piece + text.slice(at + 1 + random(10));
    default:
      return changeLine(text, piece, random);
  }
}

function changeLine(text: string, piece: string, random: (below: number) => number): string {
  const lines = text.split("\n");
  const index = random(lines.length);
  const line = lines[index] ?? "";
  const [, indent = "", content = ""] = /^( *)(.*)$/s.exec(line) ?? [];
  const others: readonly (readonly string[])[] = [
    [],
    [line, line],
    [` ${line}`],
    [line.slice(1)],
    [`  ${line}`],
    [line, `${indent}${piece}`],
    [line, `${indent}# ${content}`],
    [line, ""],
    [line + piece],
    [`${line}  # comment`],
    [indent + piece + content],
    [`${line} ${(lines.splice(index + 1, 1)[0] ?? "").trim()}`],
    [line.replace(": ", ":\n      ")],
    [line.replace(": ", `: ${piece}`)],
    [line.replace(/: (.*)$/, ": '$1'")],
    [line.replace(/: (.*)$/, ': "$1"')],
    [line.replace(/: (.*)$/, ": [$1]")],
    [line.replace(/: (.*)$/, `: |\n${indent}    $1`)],
    [line.replace(/: (.*)$/, `: >-\n${indent}  $1\n${indent}  $1`)],
    [line.replace(/ /g, "  ")],
    [indent.slice(2) + content],
    [lines[random(lines.length)] ?? ""],
  ];
  lines.splice(index, 1, ...(others[random(others.length)] ?? []));
  return lines.join("\n");
}

/** A part of a text that is a block of its own: lines from a random one on, as far as they are not further out. */
export function blockOf(text: string, random: (below: number) => number, most = 40): string {
  const lines = text.split("\n");
  const first = random(lines.length);
  const indent = /^ */.exec(lines[first] ?? "")?.[0] ?? "";
  const block: string[] = [];
  for (const line of lines.slice(first, first + 1 + random(most))) {
    if (line !== "" && !line.startsWith(indent)) break;
    block.push(line.slice(indent.length));
  }
  return `${block.join("\n")}\n`;
}
