import { expect, test } from "vitest";
import { parse } from "yaml";
import { parsePipeline, rewritePipeline } from "../index.js";

const head = `pipelineInfo: {name: a}
root:
  dag:
    tasks:
      t:
        inputs:
          parameters:
            p:
              runtimeValue:
                constant:`;

/** A file with a constant: its text is as far in as the others in a row, behind `constant:`. */
const fileWith = (constant: string): string => head + constant.replace(/\n(?=.)/g, `\n${" ".repeat(16)}`);

interface Row {
  readonly name: string;
  readonly from: string;
  readonly value: unknown;
  readonly to: string;
}

const rows: readonly Row[] = [
  // Scalars.
  { name: "plain text", from: " a  # why\n", value: "b", to: " b  # why\n" },
  { name: "a number", from: "   1.50\n", value: 2, to: "   2\n" },
  { name: "text that needs quotes", from: " a\n", value: "yes", to: ' "yes"\n' },
  { name: "single quotes", from: " 'a'\n", value: "it's", to: " 'it''s'\n" },
  { name: "single quotes that cannot stay", from: " 'a'\n", value: "a\nb", to: " |-\n  a\n  b\n" },
  { name: "double quotes", from: ' "a"# b\n', value: "c\nd", to: ' "c\\nd"# b\n' },
  { name: "quotes around what is no text any more", from: " 'a'\n", value: true, to: " true\n" },
  { name: "text of several lines", from: " a\n  b\n", value: "c", to: " c\n" },
  { name: "a literal block", from: " |\n  a\n   b\n", value: "c\nd\n", to: " |\n  c\n  d\n" },
  { name: "a block and the lines at its end", from: " |+\n  a\n\n\n", value: "b\n", to: " |\n  b\n" },
  { name: "text that ends with empty lines", from: " a\n\n", value: "b\n\n", to: ' "b\\n\\n"\n\n' },
  { name: "lines before a comment", from: " a # why\n", value: "b\nc", to: ' "b\\nc" # why\n' },
  { name: "a value in a line of its own", from: "\n  a\n", value: "b", to: " b\n" },
  { name: "a value behind a comment", from: " # why\n  a\n", value: "b", to: " # why\n  b\n" },
  { name: "nothing behind a colon", from: "  # why\n", value: "b", to: " b  # why\n" },
  { name: "nothing behind a dash", from: "\n- # why\n- b\n", value: ["a", "b"], to: "\n- a # why\n- b\n" },
  { name: "the end of the text", from: " a", value: "b", to: " b" },
  // Entries.
  {
    name: "a new entry",
    from: "\n  a: b # why\n  # more\n",
    value: { a: "b", c: [1] },
    to: "\n  a: b # why\n  c:\n  - 1\n  # more\n",
  },
  {
    name: "a new entry at the end of the text",
    from: "\n  a: b",
    value: { a: "b", c: "d" },
    to: "\n  a: b\n  c: d",
  },
  {
    name: "a new entry behind a block",
    from: "\n  a: |+\n    b\n\n",
    value: { a: "b\n\n", c: "d" },
    to: "\n  a: |+\n    b\n\n  c: d\n",
  },
  {
    name: "new entries of inner and outer maps",
    from: "\n  a:\n    b: c\n",
    value: { a: { b: "c", d: 1 }, e: 2 },
    to: "\n  a:\n    b: c\n    d: 1\n  e: 2\n",
  },
  {
    name: "a removed entry",
    from: "\n  # a\n  a: b # c\n  d: e\n",
    value: { d: "e" },
    to: "\n  # a\n  d: e\n",
  },
  {
    name: "the last entry removed",
    from: "\n  a: b\n  c: |+\n    d\n\n",
    value: { a: "b" },
    to: "\n  a: b\n",
  },
  {
    name: "an entry for another",
    from: "\n  a: b\n  c: d\n",
    value: { a: "b", e: "f" },
    to: "\n  a: b\n  e: f\n",
  },
  { name: "all entries removed", from: "\n  a: b\n  c: d\n", value: {}, to: " {}\n" },
  {
    name: "all entries exchanged",
    from: "\n  a: b # c\n",
    value: { d: { e: 1 } },
    to: "\n  d:\n    e: 1\n",
  },
  { name: "an entry into nothing", from: " {}\n", value: { a: { b: "c" } }, to: "\n  a:\n    b: c\n" },
  {
    name: "names that objects have",
    from: "\n  a: b\n",
    value: JSON.parse('{"a":"b","__proto__":1}'),
    to: "\n  a: b\n  __proto__: 1\n",
  },
  {
    name: "names that need quotes",
    from: "\n  a: b\n",
    value: { a: "b", "c: d": 1 },
    to: '\n  a: b\n  "c: d": 1\n',
  },
  {
    name: "a map indented by four",
    from: "\n    a: b\n",
    value: { a: "b", c: 1 },
    to: "\n    a: b\n    c: 1\n",
  },
  // Items.
  {
    name: "a new item in the middle",
    from: "\n- a\n# b\n- c\n",
    value: ["a", "b", "c"],
    to: "\n- a\n- b\n# b\n- c\n",
  },
  {
    name: "a new item in front",
    from: "\n- b\n",
    value: [{ a: 1, c: 2 }, "b"],
    to: "\n- a: 1\n  c: 2\n- b\n",
  },
  {
    name: "a new item at the end",
    from: "\n  - a\n",
    value: ["a", ["b", "c"]],
    to: "\n  - a\n  - - b\n    - c\n",
  },
  {
    name: "a removed item",
    from: "\n- a # a\n# b\n- b\n- c\n",
    value: ["a", "c"],
    to: "\n- a # a\n# b\n- c\n",
  },
  { name: "the first item removed", from: "\n- a\n- b\n", value: ["b"], to: "\n- b\n" },
  { name: "all items removed", from: "\n- a\n- b\n", value: [], to: " []\n" },
  {
    name: "one of two items changed, one removed",
    from: "\n- a\n- b\n- c\n",
    value: ["d", "c"],
    to: "\n- d\n- c\n",
  },
  {
    name: "the first of a list in a list removed",
    from: "\n- - a\n  # why\n  - b\n",
    value: [["b"]],
    to: "\n- \n  # why\n  - b\n",
  },
  {
    name: "the first entry of an item removed",
    from: "\n- a: b\n  c: d\n",
    value: [{ c: "d" }],
    to: "\n- c: d\n",
  },
  {
    name: "the first two entries of an item removed",
    from: "\n- a: b\n  c: d\n  e: f\n",
    value: [{ e: "f" }],
    to: "\n- e: f\n",
  },
  {
    name: "an item in front of a list in a list",
    from: "\n- - b\n",
    value: [["a", "b"]],
    to: "\n- - a\n  - b\n",
  },
  {
    name: "another value behind a dash",
    from: "\n-   a\n- b\n",
    value: [{ c: 1, d: 2 }, "b"],
    to: "\n- c: 1\n  d: 2\n- b\n",
  },
  { name: "an item below its dash", from: "\n-\n  a: b\n- c\n", value: ["d", "c"], to: "\n- d\n- c\n" },
  // Brackets.
  {
    name: "text in brackets",
    from: " [a, 'b', {c: d}]\n",
    value: ["x,y", "it's", { c: "e" }],
    to: " [\"x,y\", 'it''s', {c: e}]\n",
  },
  {
    name: "a new entry in braces",
    from: " {a: b} # c\n",
    value: { a: "b", c: ["d", 1] },
    to: " {a: b, c: [d, 1]} # c\n",
  },
  {
    name: "a new entry like the others",
    from: ' {"a":1,"b":2}\n',
    value: { a: 1, b: 2, c: 3 },
    to: ' {"a":1,"b":2,"c":3}\n',
  },
  {
    name: "a removed entry in braces",
    from: " {a: b, c: d, e: f}\n",
    value: { a: "b", e: "f" },
    to: " {a: b, e: f}\n",
  },
  {
    name: "the first entry in braces removed",
    from: " {a: b, c: d}\n",
    value: { c: "d", e: 1 },
    to: " {c: d, e: 1}\n",
  },
  { name: "items in brackets", from: " [a, b, c]\n", value: ["x", "c", "a", "z"], to: " [x, c, a, z]\n" },
  { name: "items in front in brackets", from: " [b]\n", value: ["a", "b"], to: " [a, b]\n" },
  {
    name: "brackets over several lines",
    from: " [\n    a\n  ]\n",
    value: ["a", "b"],
    to: " [\n    a,\n    b\n  ]\n",
  },
  { name: "nothing in braces", from: " {a: , b}\n", value: { a: 1, b: 2 }, to: " {a: 1 , b: 2}\n" },
  {
    name: "a new entry like one whose value is in a line of its own",
    from: ' {"a":\n  1}\n',
    value: { a: 1, c: 3 },
    to: ' {"a":\n  1, "c": 3}\n',
  },
  {
    name: "a new entry like one with blanks around its colon",
    from: ' {"a"  :   1}\n',
    value: { a: 1, c: 3 },
    to: ' {"a"  :   1, "c"  :   3}\n',
  },
  { name: "an item into nothing", from: " []\n", value: ["a"], to: "\n- a\n" },
  {
    name: "items into nothing that is behind a comment",
    from: " [] # why\n",
    value: ["a"],
    to: " # why\n- a\n",
  },
  { name: "all items in brackets removed", from: " [a, b]\n", value: [], to: " []\n" },
  // Anchors, aliases, merges, tags.
  {
    name: "a value with an anchor",
    from: "\n  a: &x b\n  c: *x\n",
    value: { a: "d", c: "d" },
    to: "\n  a: &x d\n  c: *x\n",
  },
  {
    name: "only the value with an anchor",
    from: "\n  a: &x b\n  c: *x\n",
    value: { a: "d", c: "b" },
    to: "\n  a: &x d\n  c: b\n",
  },
  {
    name: "only the alias",
    from: "\n  a: &x {w: 1}\n  c: *x\n",
    value: { a: { w: 1 }, c: { w: 2 } },
    to: "\n  a: &x {w: 1}\n  c:\n    w: 2\n",
  },
  {
    name: "a map with an anchor",
    from: "\n  a: &x\n    w: 1\n  c: d\n",
    value: { a: ["z"], c: "d" },
    to: "\n  a: &x\n    - z\n  c: d\n",
  },
  {
    name: "what is merged, changed",
    from: "\n  a: &x {w: 1, z: 2}\n  c:\n    <<: *x\n",
    value: { a: { w: 1, z: 2 }, c: { w: 3, z: 2 } },
    to: "\n  a: &x {w: 1, z: 2}\n  c:\n    <<: *x\n    w: 3\n",
  },
  {
    name: "what is merged, removed",
    from: "\n  a: &x {w: 1, z: 2}\n  c:\n    <<: *x\n",
    value: { a: { w: 1, z: 2 }, c: { z: 2 } },
    to: "\n  a: &x {w: 1, z: 2}\n  c:\n    z: 2\n",
  },
  { name: "a text with a tag", from: " !!str 5\n", value: "6", to: ' !!str "6"\n' },
];

function rewrite(text: string, value: unknown) {
  const result = rewritePipeline(text, ({ spec }) => {
    const { implementation } = spec.root ?? {};
    const tasks = implementation?.$case === "dag" ? implementation.value.tasks : {};
    tasks.t!.inputs!.parameters.p!.kind = {
      $case: "runtimeValue",
      value: { value: { $case: "constant", value } },
    };
  });
  return result.ok ? result : expect.unreachable(result.problems[0]?.message);
}

for (const { name, from, value, to } of rows) {
  test(name, () => {
    const { text, keptComments } = rewrite(fileWith(from), value);
    expect(text).toBe(fileWith(to));
    expect(keptComments).toBe(true);
    expect(parsePipeline(text).ok).toBe(true);
  });

  test(`${name}, where lines end with CR LF`, () => {
    const { text } = rewrite(fileWith(from).replaceAll("\n", "\r\n"), value);
    expect(text).toBe(fileWith(to).replaceAll("\n", "\r\n"));
  });
}

test("a file is printed anew when its value cannot be changed inside of it", () => {
  const { text, keptComments } = rewrite(fileWith(" !!int 5 # why\n"), "b");
  expect(keptComments).toBe(false);
  expect(text).toContain("constant: b\n");
  expect(text).not.toContain("deploymentSpec");
});

for (const [name, text] of [
  ["YAML", fileWith(' ["a"]\n')],
  ["JSON", JSON.stringify(parse(fileWith(" [a]\n")))],
  ["JSON in lines", JSON.stringify(parse(fileWith(" [a]\n")), undefined, 2)],
] as const) {
  test(`characters that other readers refuse or take for ends of lines have numbers in ${name}`, () => {
    for (const odd of ["\u007f", "\u0085", "\u009f", "\u2028", "\u2029", "\ufeff", "\uffff"]) {
      const { text: after } = rewrite(text, [`x${odd}`, { [`k${odd}`]: odd }]);
      expect(after).not.toContain(odd);
      expect(parsePipeline(after)).toMatchObject({ ok: true, problems: [] });
    }
  });
}

test("a key that is only spelt like another", () => {
  const { text } = rewrite(fileWith("\n  a_b: 1\n"), { a_b: 1, aB: 2 });
  expect(text).toBe(fileWith("\n  a_b: 1\n  aB: 2\n"));
});

test("a file without its own line ends, and one with a byte order mark", () => {
  const text = "\ufeffpipelineInfo: {name: a}";
  const result = rewritePipeline(text, ({ spec }) => {
    spec.pipelineInfo!.name = "b";
    spec.schemaVersion = "2.1.0";
  });
  expect(result).toMatchObject({ text: "\ufeffpipelineInfo: {name: b}\nschemaVersion: 2.1.0" });
});

test("a list behind keys that are as far in", () => {
  const text =
    "components:\n    a:\n        dag:\n            tasks:\n                t:\n                    dependentTasks:\n                        - x\npipelineInfo: {name: a}\n";
  const result = rewritePipeline(text, ({ spec }) => {
    const { implementation } = spec.components.a ?? {};
    const tasks = implementation?.$case === "dag" ? implementation.value.tasks : {};
    tasks.u = { ...tasks.t!, dependentTasks: ["t", "x"] };
  });
  expect(result.ok && result.text).toBe(
    text.replace(
      "- x\n",
      "- x\n                u:\n                    dependentTasks:\n                        - t\n                        - x\n",
    ),
  );
});
