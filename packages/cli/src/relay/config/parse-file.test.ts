import { expect, test } from "vitest";
import { parseConfigFile } from "./parse-file.js";

const header = 'a section is written as [Name] or [Name "name"] on a line of its own';
const line = "a line is name = value, [Section], or a comment after # or ;";
const equals = "there is no = between name and value";
const quote = "a quote is not closed on its line";
const backslash = 'a backslash stands before ", \\, n, t or the end of a line';

/** What a text says in the order of its lines: its sections, values by their names, and what cannot be read. */
function read(text: string): readonly string[] {
  const { headers, entries, problems } = parseConfigFile(text);
  const shown = (section: string, name: string | undefined) =>
    name === undefined ? `[${section}]` : `[${section} ${JSON.stringify(name)}]`;
  const all = [
    ...headers.map((one) => [one.line, shown(one.section, one.subsection)] as const),
    ...entries.map(
      ({ section, subsection, key, value, line: at }) =>
        [
          at,
          `${shown(section, subsection)} ${key}${value === undefined ? "" : ` = ${JSON.stringify(value)}`}`,
        ] as const,
    ),
    ...problems.map(({ line: at, message }) => [at, message] as const),
  ];
  return all.toSorted(([one], [other]) => one - other).map(([at, said]) => `${at}: ${said}`);
}

test.each<[text: string, ...said: string[]]>([
  [""],
  ["\n\n  \t; c\n# d\n"],
  ["\n\n  \t; c\n# d\n[A]", "5: [A]"],
  ["\ufeff[A]\r\nb = c\r\n", "1: [A]", '2: [A] b = "c"'],
  ["[A]\nb = \ufeffc", "1: [A]", '2: [A] b = "\ufeffc"'],
  ["\ufeff\ufeff[A]", `1: ${line}`],
  ["[A] ; c\n[B]# c\n[ C\t]\n  [d-1]", "1: [A]", "2: [B]", "3: [C]", "4: [d-1]"],
  ['[A "n\\"\\\\m" ] \n[A\t""]\n[A"n"]', '1: [A "n\\"\\\\m"]', '2: [A ""]', '3: [A "n"]'],
  ['[A "n ; #"]\nb = 1', '1: [A "n ; #"]', '2: [A "n ; #"] b = "1"'],
  ["[A]x\n[A] b = 1\n[A", `1: ${header}`, `2: ${header}`, `3: ${header}`],
  ["[]\n[1]\n[A_b]\n[A b]", `1: ${header}`, `2: ${header}`, `3: ${header}`, `4: ${header}`],
  ['[A "x\ny"]\n', `1: ${header}`, `2: ${equals}`],
  ['[A "\\n"]\n[A "x]', `1: ${header}`, `2: ${header}`],
])("sections and comments: %j", (text, ...said) => {
  expect(read(text)).toEqual(said);
});

test.each<[text: string, ...said: string[]]>([
  ["b", "2: [A] b"],
  ["b ; c\nd # e", "2: [A] b", "3: [A] d"],
  ["b =\nc = ; d\ne= # f", '2: [A] b = ""', '3: [A] c = ""', '4: [A] e = ""'],
  ["B-2=1#2", '2: [A] B-2 = "1"'],
  ["\tb\t=\t1 2 \t", '2: [A] b = "1 2"'],
  ["b = c = d", '2: [A] b = "c = d"'],
  ['b = "1 # 2; 3 " ; 4', '2: [A] b = "1 # 2; 3 "'],
  ['b = " x " y \t', '2: [A] b = " x  y"'],
  ['b = x "" \t', '2: [A] b = "x "'],
  ['b = ""', '2: [A] b = ""'],
  ['b = \\"\\\\\\n\\t|', '2: [A] b = "\\"\\\\\\n\\t|"'],
  ["b = x\\t", '2: [A] b = "x\\t"'],
  ["b = x \\\n  y\nc = 1", '2: [A] b = "x   y"', '4: [A] c = "1"'],
  ['b = "x\\\ny"\nc = 1', '2: [A] b = "xy"', '4: [A] c = "1"'],
  ["b = x\\\r\ny\r\nc = 1", '2: [A] b = "xy"', '4: [A] c = "1"'],
])("values: %j", (text, ...said) => {
  expect(read(`[A]\n${text}`)).toEqual(["1: [A]", ...said]);
});

test.each<[text: string, ...said: string[]]>([
  ["1 = 2\n_ = 3\n= 4\n] = 5", ...[2, 3, 4, 5].map((at) => `${at}: ${line}`)],
  ["a b\na : b\na_b = 1", ...[2, 3, 4].map((at) => `${at}: ${equals}`)],
  ["b = \\x\nc = 1", `2: ${backslash}`, '3: [A] c = "1"'],
  ["b = x\\", `2: ${backslash}`],
  ['b = "\\ "', `2: ${backslash}`],
  ['b = "x\nc = 1', `2: ${quote}`, '3: [A] c = "1"'],
  ['b = "', `2: ${quote}`],
  ['b = "x\\\ny\nc = 1', `3: ${quote}`, '4: [A] c = "1"'],
])("one line that cannot be read does not hide the others: %j", (text, ...said) => {
  expect(read(`[A]\n${text}`)).toEqual(["1: [A]", ...said]);
});

test("what stands above all sections is told, and what is below one that cannot be read belongs to nothing", () => {
  expect(read("b = 1\n[A\nb = 2\nc d\n[C]\nb = 3")).toEqual([
    "1: b stands above the first [Section]",
    `2: ${header}`,
    `4: ${equals}`,
    "5: [C]",
    '6: [C] b = "3"',
  ]);
});
