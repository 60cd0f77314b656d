import { describe, expect, test } from "vitest";
import { parsePipeline } from "./index.js";

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
