import { expect, test } from "vitest";
import { parsePipeline } from "./index.js";
import { OpenSigns } from "./open-signs.js";
import { findCause } from "./syntax-cause.js";

const lines = (...texts: readonly string[]): string => `${texts.join("\n")}\n`;
const placeholder = "'{{$.inputs.parameters[''x'']}}'";
const head = [
  "pipelineInfo:",
  "  name: a",
  "root:",
  "  dag: {}",
  "deploymentSpec:",
  "  executors:",
  "    e:",
  "      container:",
];
const foot = [
  "        image: a",
  "        args: [b, 'c', \"d\", {e: f}]",
  "        command:",
  "        - 'g'",
  '        - "h"',
];

const rows: readonly [name: string, text: string, place: string, message: string, hint: string][] = [
  [
    "a double quote that is never closed",
    lines('sdkVersion: "kfp-2.16.0', "pipelineInfo: {name: a}", "root: {dag: {}}"),
    "1:13",
    "this quote is not closed",
    'put " where it ends',
  ],
  [
    "a single quote that is never closed",
    lines("pipelineInfo: {name: a}", "sdkVersion: 'kfp-2.16.0", "root: {dag: {}}"),
    "2:13",
    "this quote is not closed",
    "put ' where it ends",
  ],
  [
    "a quote that the next one closes",
    lines(...head, '        image: "a', ...foot.slice(1)),
    "9:16",
    "the text that begins with this quote ends in another line, with the next quote",
    'put " where it ends',
  ],
  [
    "a single quote that the next one closes",
    lines(...head, "        image: 'a", ...foot.slice(1)),
    "9:16",
    "the text that begins with this quote ends in another line, with the next quote",
    "put ' where it ends",
  ],
  [
    "a single quote that the first of a placeholder closes",
    lines(...head, "        image: 'a", "        args: [x]", "        command:", `        - ${placeholder}`),
    "9:16",
    "the text that begins with this quote ends in another line, with the next quote",
    "put ' where it ends",
  ],
  [
    "a bracket",
    lines(...head, "        command: [python, fit.py", ...foot.slice(0, 2)),
    "9:18",
    "this bracket is not closed",
    "put ] where it ends",
  ],
  [
    "a brace at the end",
    lines("pipelineInfo: {name: a}", "root: {dag: {}"),
    "2:7",
    "this bracket is not closed",
    "put } where it ends",
  ],
  [
    "a merge conflict",
    lines(
      "pipelineInfo:",
      "<<<<<<< HEAD",
      "  name: a",
      "=======",
      "  name: b",
      ">>>>>>> other",
      "root: {dag: {}}",
    ),
    "2:1",
    "this is a mark of a merge conflict",
    "keep one side of the conflict, and remove its marks",
  ],
  [
    "a merge conflict further down",
    lines(
      ...head,
      ...foot,
      "<<<<<<< HEAD",
      "schemaVersion: 2.1.0",
      "=======",
      "schemaVersion: 2.0.0",
      ">>>>>>> other",
    ),
    "14:1",
    "this is a mark of a merge conflict",
    "keep one side of the conflict, and remove its marks",
  ],
  [
    "a no-break space",
    lines("pipelineInfo:", "  name: a", " \u00a0description: b", "schemaVersion: 2.1.0", "root: {dag: {}}"),
    "3:2",
    "a no-break space indents this line",
    "indent with spaces",
  ],
  [
    "a mark of a template",
    lines(...head, "        {% if gpu %}", "        image: a", "        {% endif %}"),
    "9:9",
    "this is a mark of a template",
    "fill it in (with helm template, jinja2, envsubst or the like), and check what comes out",
  ],
  [
    "a list item among keys",
    lines(
      "pipelineInfo: {name: a}",
      "root:",
      "  dag:",
      "    tasks:",
      "      t:",
      "        x: {}",
      "      - name: u",
      "        y: {}",
    ),
    "7:7",
    "a list item stands among the keys of a map",
    "write a key and a colon in the place of the dash",
  ],
  [
    "a list less far in than its key",
    lines(
      ...head,
      "        image: a",
      "        args:",
      "",
      "       - b",
      "       - c",
      "        command: [d]",
    ),
    "12:8",
    "this list item is less far in than its key",
    "put it as far in as args, or farther",
  ],
  [
    "a default over two lines in a comment",
    lines(
      "# PIPELINE DEFINITION",
      "# Inputs:",
      "#    x: str [Default: 'a",
      "b']",
      "pipelineInfo: {name: a}",
      "root: {dag: {}}",
    ),
    "4:1",
    "this belongs to the comment above, which tells the default of an input",
    "put # before it",
  ],
];

test("a list that is as far in as its key is not the cause of what is wrong with that key", () => {
  const text = lines("pipelineInfo: {name: a}", "root:", "   a: 1", " tasks:", " - d:");
  const { problems } = parsePipeline(text);
  expect(problems[0]?.message).toBe("all mapping items must start at the same column");
  expect(problems[0]?.range?.start).toMatchObject({ line: 4, column: 1 });
});

for (const [name, text, place, message, hint] of rows) {
  test(`${name} is the one problem of the file, where it is`, () => {
    const { problems } = parsePipeline(text);
    expect(
      problems.map(({ range, ...problem }) => ({
        ...problem,
        place: `${range?.start.line}:${range?.start.column}`,
      })),
    ).toEqual([{ code: "yaml-syntax", severity: "error", path: "", message, hint, place }]);
  });
}

test.each([
  ["resources: {resourceCpuLimit: a resourceMemoryLimit: b}", 'put a comma before "resourceMemoryLimit"'],
  ["resources: {resourceCpuLimit: a; resourceMemoryLimit: b}", 'put a comma before "resourceMemoryLimit"'],
  ["image = a\n        command: [b]", "write a colon and a blank in the place of ="],
  ["args:\n        ---path\n        - b", "put a blank behind the dash"],
])("%s: the first hint says what is missing", (line, hint) => {
  const { problems } = parsePipeline(lines(...head, `        ${line}`));
  expect(problems[0]).toMatchObject({ code: "yaml-syntax", severity: "error", hint });
});

test.each([
  ["list:", "- a: b", "  c:", "- d: e", "x: : y"],
  ["a:", "- b", "- c", "x: : y"],
  ["a:", "  - b:", "  - c", "x: : y"],
])("a list that stands where it may is no cause: %j", (...texts) => {
  const { problems } = parsePipeline(lines(...texts));
  expect(problems.map(({ message }) => message)).not.toContainEqual(expect.stringContaining("list item"));
});

test.each([
  [
    "image: {{ .Values.image }}",
    "fill it in (with helm template, jinja2, envsubst or the like), and check what comes out",
  ],
  ["image: {{$.inputs.parameters['path']}}", "put the template in quotes"],
  ["args: [{{$}}]", "put the template in quotes"],
  ["image: !(a == b)", "a text that begins with ! needs quotes"],
  ["image: !inputs.x", "a text that begins with ! needs quotes"],
  ["command:\n        - *.csv", "a text that begins with * needs quotes"],
])("%s: the hint says what to do", (line, hint) => {
  const { problems } = parsePipeline(lines(...head, `        ${line}`));
  expect(problems[0]).toMatchObject({ severity: "error", hint });
});

test.each([
  ["taskInfo:{name: fit}", "put a blank behind the colon"],
  ["taskInfo\uff1a{name: fit}", "write an ordinary colon, and a blank behind it"],
])("the key %s: the hint says what to do", (key, hint) => {
  const text = lines(
    "pipelineInfo: {name: a}",
    "root:",
    "  dag:",
    "    tasks:",
    "      t:",
    `        ${key}`,
  );
  expect(parsePipeline(text).problems[0]).toMatchObject({ code: "unknown-field", hint });
});

test("platforms in the first document belong into the second", () => {
  const text = lines("pipelineInfo: {name: a}", "root: {dag: {}}", "platforms: {kubernetes: {}}");
  const hint = "put --- before it: the platform specification is a document of its own";
  expect(parsePipeline(text).problems).toMatchObject([{ code: "unknown-field", hint }]);
});

test("what looks like a cause is none in a file that can be read", () => {
  const text = lines(
    ...head,
    "        image: |",
    "          <<<<<<< HEAD",
    "         ",
    "          'a",
    "          [b",
  );
  expect(parsePipeline(text).problems).toEqual([]);
});

test.each([
  ["»<<<<<<< ours\na: b\n", "<<<<<<<"],
  ["a: b\n>>>»>>>> theirs\n", ">>>>>>>"],
  ["a: b\n||||||| base»\nc: d", "|||||||"],
  ["a: b\n|||||||»", "|||||||"],
  ["<<<<<<<< »ours\n", undefined],
  ["  a: b\n \u00a0c: d»\n", "\u00a0"],
  ["a: b\n\u00a0- c\n\u00a0- d»\n", "\u00a0"],
  ["»a: b\n\u00a0c: d\n", undefined],
  ["# a: str [Default: 'b']\n# c: str [Default: 'd\ne']»\n", "e']"],
  ["# a: str [Default: 'b']\nc: »d\n", undefined],
])("the cause of what is wrong in the marked line of %j is %j", (marked, stretch) => {
  const text = marked.replace("»", "");
  const cause = findCause(text, marked.indexOf("»"), new OpenSigns());
  expect(cause && text.slice(...cause.span)).toBe(stretch);
});

test("a text that ends before the blanks before a place is the cause of what is wrong there", () => {
  const text = '"a\nb"  c';
  const signs = new OpenSigns();
  signs.see('"a\nb"', 0);
  for (const at of [0, 5, 6, 7]) expect(findCause(text, at, signs)?.span).toEqual([0, 1]);
  expect(findCause(text, 8, signs)).toBeUndefined();
});
