import { describe, expect, test } from "vitest";
import { DocumentProblems } from "./document-problems.js";
import { parsePipeline } from "./index.js";
import { reportTemplate } from "./template-marks.js";

/** A file in which each line is what its name says. */
const file = ({ name = "a", image = "b", before = "", retries = "2", command = "[c]" }): string => `\
pipelineInfo:
  name: ${name}
root:
  dag:
    tasks:
      t: {taskInfo: {name: t}, retryPolicy: {maxRetryCount: ${retries}}}
deploymentSpec:
  executors:
${before}    e:
      container:
        image: ${image}
        command: ${command}
`;

const rows: readonly (readonly [name: string, text: string, mark: string])[] = [
  ["a value of Helm", file({ name: "{{ .Release.Name }}" }), "{{ .Release.Name }}"],
  ["values of Helm", file({ image: "{{ .Values.a }}", name: "{{ $.Values.b }}" }), "{{ $.Values.b }}"],
  ["a value of Helm in braces", file({ retries: "{{ .Values.retries }}" }), "{{ .Values.retries }}"],
  ["a line of Helm", file({ before: "    {{- if .Values.gpu }}\n" }), "{{-"],
  ["a line of Helm with a blank", file({ before: '    {{ include "labels" . }}\n' }), "{{ include"],
  ["a line of Jinja", file({ before: "    {% if gpu %}\n" }), "{%"],
  ["a value of Jinja", file({ image: "{{ registry }}/b:{{ tag }}" }), "{{ registry }}"],
  ["a line of ERB", file({ before: "    <% if gpu %>\n" }), "<%"],
  ["a variable of a shell in braces", file({ retries: `\${RETRIES}` }), `\${RETRIES}`],
  ["a line of Helm far before what it breaks", `{{- $a := 1 }}\n${file({})}`, "{{-"],
];

describe("one problem tells of a template that was not filled in:", () => {
  for (const [name, text, mark] of rows) {
    test(name, () => {
      const { problems } = parsePipeline(text);
      expect(problems).toMatchObject([{ code: "yaml-syntax", message: "this is a mark of a template" }]);
      const { start, end } = problems[0]?.range ?? { start: { offset: 0 }, end: { offset: 0 } };
      expect(text.slice(start.offset, end.offset)).toBe(mark);
    });
  }
});

const others: readonly (readonly [name: string, text: string, message: RegExp])[] = [
  ["a placeholder without quotes", file({ command: "[{{$.inputs.parameters['a']}}]" }), /missing|expected/],
  ["a placeholder of version 1", file({ image: "{{inputs.parameters.image}}" }), /a key must be text/],
  [
    "a mark in a text, before another mistake",
    file({ image: "'{{ a }}'", command: "[c" }),
    /bracket is not closed/,
  ],
  [
    "a mark in the line of a program, behind another mistake",
    `${file({ name: "a: b" })}        args:\n        - |\n          {% if a %}\n`,
    /second colon/,
  ],
];

describe("what is none is told as it was:", () => {
  for (const [name, text, message] of others) {
    test(name, () => expect(parsePipeline(text).problems[0]?.message).toMatch(message));
  }
});

/** The mark that is told in a text of which something is wrong at `»`, in place of all other problems. */
function markIn(
  marked: string,
  code: "yaml-syntax" | "key-not-text" | "duplicate-key" = "yaml-syntax",
): string {
  const at = marked.indexOf("»");
  const text = marked.replace("»", "");
  const problems = new DocumentProblems(text, 10);
  problems.warning("ambiguous-scalar", [], "before", [0, 0]);
  problems.error(code, [], "what the reader says", [at, at + 1]);
  problems.error("invalid-alias", [], "what follows", [text.length, text.length]);
  const isTemplate = reportTemplate(text, problems);
  const [first, ...others] = problems.list();
  expect(isTemplate).toBe(first?.message === "this is a mark of a template");
  expect(others).toHaveLength(isTemplate ? 0 : 2);
  const { start, end } = first?.range ?? expect.fail();
  return isTemplate ? text.slice(start.offset, end.offset) : "none";
}

describe("a line that is there for a template alone", () => {
  test.each([
    ...["if", "else", "end", "range", "with", "define", "include", "template", "block", "toYaml"],
    ...["$a :=", "$a=", "/*"],
  ])("is one with {{ %s", (word) => {
    expect(markIn(`a:\n  {{ ${word} }}\n»b`)).toMatch(/^\{\{ \S+/);
    expect(markIn(`a:\n\t- {{${word} }}\n»b`)).toMatch(/^- \{\{\S/);
  });

  test.each([
    ["another word", "{{ ending }}"],
    ["another line", "b: {{ end }}"],
    ["a line further down", "»\n{{- end }}"],
  ])("is none with %s", (_, line) => {
    expect(markIn(line.includes("»") ? `a: b${line}\n` : `${line}\nc: d\n»e`)).toBe("none");
  });

  test("is one where the reader stumbles over it, and the first of several", () => {
    expect(markIn("a: b\n»{% c %}\n{% d %}")).toBe("{%");
    expect(markIn("a: b\n  <% c %>\n»{% d %}")).toBe("<%");
    expect(markIn("a: b\n{{- c }}\n»d: {{ e }}", "key-not-text")).toBe("{{-");
  });
});

describe("a value that a template is to fill in", () => {
  test.each([
    ["a: »{{ b }}c", "{{ b }}"],
    ["a:{{b}}»", "{{b}}"],
    ["- »{{ b }}", "{{ b }}"],
    ["a: [b, »{{ c }}]", "{{ c }}"],
    ["a: [{{ c }}»]", "{{ c }}"],
    ["a: {{{ c }}»}", "{{{ c }}"],
    ["»a: <%= b %>", "<%= b %>"],
    ['a: "b"\nc: {% d %}»', "{% d %}"],
    [`a: »\${B_1}`, `\${B_1}`],
    ["{{ a }}»", "{{ a }}"],
    ["a: {{ b»", "{{"],
    [`»a: {{ ${"b".repeat(2100)} }}`, "{{"],
    [`»a: [${"b, ".repeat(600)}{{ c }}]`, "{{ c }}"],
    [`»a: [${"b, ".repeat(700)}{{ c }}]`, "none"],
  ])("in %s is %s", (text, mark) => {
    expect(markIn(text)).toBe(mark);
  });

  test.each([
    ..."inputs outputs pipeline_root workspace workflow tasks executor currentTime scheduledTime".split(" "),
    "$.inputs",
    "$",
    " $.outputs",
  ])("is none with {{%s}}", (word) => {
    expect(markIn(`a: »{{${word}}}`)).toBe("none");
  });

  test.each([
    "a: b {{ c }}»\n",
    `a: »\${1}`,
    `a: »\${}`,
    `a: »$B`,
    "a: b\n»c: d\ne: {{ f }}",
    "a: {{ f }}\n»c: d",
  ])("is not in %j", (text) => {
    expect(markIn(text)).toBe("none");
  });

  test("counts where a key is no text, and not where one is there twice", () => {
    expect(markIn("a: »{{ b }}", "key-not-text")).toBe("{{ b }}");
    expect(markIn("a: »{{ b }}", "duplicate-key")).toBe("none");
  });
});
