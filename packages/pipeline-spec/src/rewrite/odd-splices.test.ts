import { expect, test } from "vitest";
import { rewritePipeline } from "../index.js";

const head =
  "root:\n  inputDefinitions:\n    parameters:\n      p:\n        parameterType: STRUCT\n        defaultValue:";

/** A file with a default: its text is as far in as the others in a row, behind `defaultValue:`. */
const fileWith = (value: string): string => `${head}${value.replace(/\n(?=.)/g, "\n        ")}`;

const long = "k".repeat(500);

const rows: readonly (readonly [name: string, from: string, value: unknown, to: string])[] = [
  ["an entry without a colon", " {k, o: 1} # own\n", { k: 2, o: 1 }, " {k: 2, o: 1} # own\n"],
  ["a value behind a comment and before blanks", " # own\n  a  \n", "b", " # own\n  b  \n"],
  [
    "a value behind a comment at the end of a file that does not end its last line",
    " # own\n  a",
    ["b", ["c"]],
    " # own\n  - b\n  - - c\n",
  ],
  [
    "a list that aliases stand for in a list, when its anchor goes",
    "\n- &x\n  - a\n- *x\n- *x\n",
    [["a"], ["a"]],
    "\n- &x\n  - a\n- *x\n",
  ],
  ["quotes in quotes", " 'a'\n", "'it's'", " '''it''s'''\n"],
  [
    "items before one in brackets that moves up",
    " [\n  b,\n  1\n]\n",
    [7, null, "b"],
    " [\n  7,\n  null,\n  b\n]\n",
  ],
  [
    "an entry for another, above a comment that is no further in than the brackets",
    " {\n  k: c,\n# own\n}\n",
    { o: 1 },
    " {\n# own\n  o: 1\n}\n",
  ],
  ["an entry before a comma in the next line", " {k: c\n  ,}\n", { k: "c", o: 7 }, " {k: c, o: 7\n  ,}\n"],
  [
    "an entry with another name of five hundred characters",
    "\n  a: {b: c} # own\n  d: e\n",
    { [long]: { b: "c" }, d: "e" },
    `\n  ${long}: {b: c} # own\n  d: e\n`,
  ],
  [
    "an entry with a longer name",
    "\n  a: {b: c} # own\n  d: e\n",
    { [`${long}k`]: { b: "c" }, d: "e" },
    `\n  d: e\n  ${long}k:\n    b: c\n`,
  ],
  [
    "items above a comment that the list begins with",
    "\n  # above\n- []\n# end\n",
    ["yes", "n\no", []],
    '\n- "yes"\n- "n\\no"\n  # above\n- []\n# end\n',
  ],
  [
    "a comment behind an item that goes, below a text that others follow",
    "\n- |\n  a\n- b\n- c\n    # own\n- d\n",
    ["a\n", "b", "d"],
    "\n- |\n  a\n- b\n    # own\n- d\n",
  ],
  [
    "empty lines behind an item that goes, below a text to which they would belong if others did not follow",
    "\n- |+\n  a\n- b\n- c\n\n- d\n",
    ["a\n", "b", "d"],
    "\n- |+\n  a\n- b\n\n- d\n",
  ],
  [
    "a list at the end of a file that does not end its last line",
    "\n- a",
    ["a", ["n", { o: "p" }]],
    '\n- a\n- - "n"\n  - o: p\n',
  ],
  [
    "empty lines and comments behind lines that go",
    "\n- a\n- |\n  b\n- c\n  \n# end\n",
    ["a", "b\n"],
    "\n- a\n- |\n  b\n\n# end\n",
  ],
];

test.each(rows)("%s", (_name, from, value, to) => {
  for (const lineEnd of ["\n", "\r\n"]) {
    const result = rewritePipeline(fileWith(from).replaceAll("\n", lineEnd), ({ spec }) => {
      const { p } = spec.root?.inputDefinitions?.parameters ?? {};
      (p ?? expect.unreachable("there is a parameter")).defaultValue = value;
    });
    expect(result).toEqual({ ok: true, text: fileWith(to).replaceAll("\n", lineEnd), keptComments: true });
  }
});

test("an entry for another below the comment that a file with a byte order mark begins with", () => {
  const result = rewritePipeline("\ufeff# own\nroot: {dag: {}}\n", ({ spec }) => {
    spec.root = undefined;
    spec.sdkVersion = "a";
  });
  expect(result).toEqual({ ok: true, text: "\ufeff# own\nsdkVersion: a\n", keptComments: true });
});
