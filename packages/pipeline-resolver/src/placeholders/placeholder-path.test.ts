import { describe, expect, test } from "vitest";
import { type Placeholder, parsePlaceholders, printPlaceholder } from "../index.js";

const ends = "the placeholder ends behind the name";
const parts = "known are: uri, path, name, metadata, properties";
const file = "of an output parameter only the file is known";
const odd = (root: string) => `there is no placeholder of this form: ${root}`;

/** What is said of a path that means nothing, and what to do about it. */
const refused: readonly (readonly [path: string, message: string, hint?: string])[] = [
  [".inputs", "inputs alone is no placeholder", "known are: parameters, artifacts"],
  [".outputs", "outputs alone is no placeholder", "known are: parameters, artifacts, output_file"],
  [".inputs.parameter['n']", "inputs have no parameter", "did you mean parameters?"],
  [".inputs.files['n']", "inputs have no files", "known are: parameters, artifacts"],
  [".inputs['parameters']['n']", "inputs have no parameters", "did you mean parameters?"],
  [".outputs['output_file']", "outputs have no output_file", "did you mean output_file?"],
  [".inputs.output_file", "inputs have no output_file", "known are: parameters, artifacts"],
  [".outputs.artifact['n'].uri", "outputs have no artifact", "did you mean artifacts?"],
  [".outputs.files['n']", "outputs have no files", "known are: parameters, artifacts, output_file"],
  [".outputs.output_fil", "outputs have no output_fil", "did you mean output_file?"],
  [".inputs.parameters", "the name behind inputs.parameters is missing", "write .parameters['name']"],
  [".inputs.artifacts", "the name behind inputs.artifacts is missing", "write .artifacts['name']"],
  [".outputs.parameters", "the name behind outputs.parameters is missing", "write .parameters['name']"],
  [".outputs.artifacts", "the name behind outputs.artifacts is missing", "write .artifacts['name']"],
  [".inputs.parameters('n')", "the name n must stand in brackets and single quotes", "write ['n']"],
  [".inputs.artifacts[1].uri", "the name 1 must stand in brackets and single quotes", "write ['1']"],
  [".outputs.parameters[1]", "the name 1 must stand in brackets and single quotes", "write ['1']"],
  [".outputs.artifacts('n').uri", "the name n must stand in brackets and single quotes", "write ['n']"],
  ['.inputs.parameters["n"]', "the name n must stand in single quotes", "write ['n']"],
  [".outputs.artifacts[a-b].uri", "the name a-b must stand in single quotes", "write ['a-b']"],
  [".inputs.parameters['n'].value", "a parameter has no value", ends],
  [".inputs.parameters['n'].json_escape", "a parameter has no json_escape", ends],
  [".inputs.parameters['n'].json_escape[0][1]", "a parameter has no json_escape", ends],
  [".inputs.parameters['n'].json_escape['0']", "a parameter has no json_escape", ends],
  [".inputs.parameters['n']['json_escape'][0]", "a parameter has no json_escape", ends],
  [".inputs.parameters['n'].escape[0]", "a parameter has no escape", ends],
  [".inputs.artifacts['n'].ur", "an artifact has no ur", "did you mean uri?"],
  [".inputs.artifacts['n'].uri.x", "an artifact has no uri.x", parts],
  [".inputs.artifacts['n'].content", "an artifact has no content", parts],
  [".inputs.artifacts['n'].properties", "an artifact has no properties", parts],
  [".inputs.artifacts['n'].properties['a']['b']", "an artifact has no properties.a.b", parts],
  [".inputs.artifacts['n']['uri']", "an artifact has no uri that is written so", parts],
  [".inputs.artifacts['n'][0].uri", "an artifact has no 0.uri that is written so", parts],
  [".outputs.artifacts['n'].pth", "an artifact has no pth", "did you mean path?"],
  [".outputs.artifacts['n'].metadata('k')", "an artifact has no metadata.k that is written so", parts],
  [".outputs.parameters['n']", file, "write .parameters['n'].output_file"],
  [".outputs.parameters['n'].value", file, "write .parameters['n'].output_file"],
  [".outputs.parameters['n'].output_file.x", file, "write .parameters['n'].output_file"],
  [".outputs.parameters['n']['output_file']", file, "write .parameters['n'].output_file"],
  [".outputs.output_file['n']", file, "write .parameters['n'].output_file"],
  [".outputs.output_file['n'].output_file", file, "write .parameters['n'].output_file"],
  [".pipeline_job_nam", "there is no placeholder pipeline_job_nam", "did you mean pipeline_job_name?"],
  [".Inputs.parameters['n']", "there is no placeholder Inputs", "did you mean inputs?"],
  [".pipeline_job_name.x", odd("pipeline_job_name")],
  ["['pipeline_root']", odd("pipeline_root")],
  [".outputMetadataUri.x", odd("outputMetadataUri")],
  [".json_escape", odd("json_escape")],
  [".json_escape['1']", odd("json_escape")],
  [".json_escape[1].x", odd("json_escape")],
  [".currentTime", odd("currentTime")],
  [".currentTime.strftime", odd("currentTime")],
  [".currentTime.format('%Y')", odd("currentTime")],
  [".currentTime['strftime']('%Y')", odd("currentTime")],
  [".scheduledTime.strftime['%Y']", odd("scheduledTime")],
  [".scheduledTime.strftime('%Y').x", odd("scheduledTime")],
  ["['inputs'].parameters['n']", odd("inputs")],
];

describe("a placeholder that means nothing is refused in words:", () => {
  test.each(refused)("%s", (path, message, hint) => {
    const text = `{{$${path}}}`;
    const problem = { code: "unknown", severity: "error", message, span: { start: 0, end: text.length } };
    expect(parsePlaceholders(text)).toEqual({
      text,
      segments: [{ kind: "literal", text, span: problem.span }],
      problems: [hint === undefined ? problem : { ...problem, hint }],
    });
  });

  const blanks = "a placeholder with blanks inside the braces is filled in by no tool";
  const reader = "write a point behind the dollar: {{$.inputs";
  const quotes = "names stand in single quotes: ['name']";
  test.each([
    ["{{$.Values.x}}", "warning", "there is no placeholder Values", undefined],
    ['{{$.Values["x"]}}', "warning", "there is no placeholder Values", undefined],
    ["{{ $.inputs.foo }}", "warning", "inputs have no foo", "known are: parameters, artifacts"],
    ["{{ $.pipeline_root}}", "warning", blanks, "write it without: {{$.pipeline_root}}"],
    ["{{$.pipeline_root }}", "warning", blanks, "write it without: {{$.pipeline_root}}"],
    [
      "{{$.inputs.parameters.n}}",
      "warning",
      "a name behind a point is known to the local runner alone",
      "write the name in brackets and quotes: ['name']",
    ],
    ["{{$.inputs.parameters['n']} y", "error", "the placeholder is not closed: expected }}, got }", quotes],
    [
      "{{$.inputs.parameters['n']",
      "error",
      "the placeholder is not closed: expected }}, got the end",
      quotes,
    ],
    ["{{$.inputs!", "error", "the placeholder is not closed: expected }}, got !", quotes],
    ["{{$.outputs", "error", "the placeholder is not closed: expected }}, got the end", quotes],
    ["{{$inputs.parameters['n']}}", "error", "the placeholder cannot be read", reader],
  ])("%s, %s", (text, severity, message, hint) => {
    const { problems } = parsePlaceholders(text);
    expect(problems.map((one) => [one.severity, one.message, one.hint])).toEqual([[severity, message, hint]]);
  });
});

test.each(["{{$.outputsfoo!", "{{$.inputsfoo", "{{$outputsfoo", "{{$.pipeline_root", "{{$", "{{ x.inputs"])(
  "%s has nothing to do with placeholders",
  (text) => expect(parsePlaceholders(text).problems).toEqual([]),
);

test("steps and blanks are read up to a bound", () => {
  const metadata = (keys: number) => `{{$.inputs.artifacts['n'].metadata${"['k']".repeat(keys)}}}`;
  const codes = (text: string) => parsePlaceholders(text).problems.map(({ code }) => code);
  expect(codes(metadata(28))).toEqual([]);
  expect(codes(metadata(29))).toEqual(["malformed"]);
  const named = (length: number) => `{{$.inputs.parameters['${"n".repeat(length)}']}}`;
  expect(codes(named(1_024))).toEqual([]);
  expect(codes(named(1_025))).toEqual(["malformed"]);
  const dotted = (length: number) => `{{$.inputs.parameters.${"n".repeat(length)}}}`;
  expect(codes(dotted(1_024))).toEqual(["dotted"]);
  expect(codes(dotted(1_025))).toEqual(["malformed"]);
  const spaced = (before: number, behind: number) =>
    `{{${" ".repeat(before)}$.pipeline_root${" ".repeat(behind)}}}`;
  expect([spaced(8, 8), spaced(9, 0), spaced(0, 9)].map(codes)).toEqual([["blanks"], [], []]);
});

test("every kind is printed in one way, with every part of an artifact", () => {
  const name = "n";
  const whole: readonly Placeholder[] = [
    { kind: "executor-input" },
    { kind: "input-parameter", name },
    { kind: "escaped-parameter", name, depth: 2 },
    { kind: "output-parameter", name },
    { kind: "output-file", old: false },
    { kind: "output-file", old: true },
    { kind: "run-fact", fact: "workspace_path" },
    { kind: "time", time: "scheduledTime", format: "%d" },
    { kind: "json-escape", depth: 0 },
  ];
  const ofArtifacts = (kind: "input-artifact" | "output-artifact"): readonly Placeholder[] => [
    { kind, name, part: { kind: "whole" } },
    { kind, name, part: { kind: "uri" } },
    { kind, name, part: { kind: "path" } },
    { kind, name, part: { kind: "name" } },
    { kind, name, part: { kind: "metadata", keys: [] } },
    { kind, name, part: { kind: "metadata", keys: ["a", "b"] } },
    { kind, name, part: { kind: "property", key: "p" } },
  ];
  const all = [...whole, ...ofArtifacts("input-artifact"), ...ofArtifacts("output-artifact")];
  expect(all.map(printPlaceholder)).toEqual([
    "{{$}}",
    "{{$.inputs.parameters['n']}}",
    "{{$.inputs.parameters['n'].json_escape[2]}}",
    "{{$.outputs.parameters['n'].output_file}}",
    "{{$.outputs.output_file}}",
    "{{$.outputMetadataUri}}",
    "{{$.workspace_path}}",
    "{{$.scheduledTime.strftime('%d')}}",
    "{{$.json_escape[0]}}",
    ...["inputs", "outputs"].flatMap((side) =>
      ["", ".uri", ".path", ".name", ".metadata", ".metadata['a']['b']", ".properties['p']"].map(
        (part) => `{{$.${side}.artifacts['n']${part}}}`,
      ),
    ),
  ]);
  for (const placeholder of all) {
    expect(parsePlaceholders(printPlaceholder(placeholder))).toMatchObject({
      segments: [{ kind: "placeholder", placeholder }],
      problems: [],
    });
  }
});
