import { readdirSync, readFileSync } from "node:fs";
import { parsePipeline } from "@wye/pipeline-spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ArtifactPart,
  type Placeholder,
  parseContainerElement,
  parsePlaceholders,
  printPlaceholder,
} from "../index.js";

const name = "n";
const cases: readonly (readonly [text: string, placeholder: Placeholder])[] = [
  ["{{$}}", { kind: "executor-input" }],
  ["{{$.inputs.parameters['n']}}", { kind: "input-parameter", name }],
  ["{{$.inputs.artifacts['n']}}", { kind: "input-artifact", name, part: { kind: "whole" } }],
  ["{{$.inputs.artifacts['n'].uri}}", { kind: "input-artifact", name, part: { kind: "uri" } }],
  ["{{$.inputs.artifacts['n'].path}}", { kind: "input-artifact", name, part: { kind: "path" } }],
  ["{{$.inputs.artifacts['n'].name}}", { kind: "input-artifact", name, part: { kind: "name" } }],
  [
    "{{$.inputs.artifacts['n'].metadata}}",
    { kind: "input-artifact", name, part: { kind: "metadata", keys: [] } },
  ],
  [
    "{{$.inputs.artifacts['n'].metadata['k']['p']}}",
    { kind: "input-artifact", name, part: { kind: "metadata", keys: ["k", "p"] } },
  ],
  [
    "{{$.inputs.artifacts['n'].properties['k']}}",
    { kind: "input-artifact", name, part: { kind: "property", key: "k" } },
  ],
  ["{{$.outputs.parameters['n'].output_file}}", { kind: "output-parameter", name }],
  ["{{$.outputs.artifacts['n'].uri}}", { kind: "output-artifact", name, part: { kind: "uri" } }],
  ["{{$.outputs.artifacts['n'].path}}", { kind: "output-artifact", name, part: { kind: "path" } }],
  [
    "{{$.outputs.artifacts['n'].properties['k']}}",
    { kind: "output-artifact", name, part: { kind: "property", key: "k" } },
  ],
  ["{{$.outputs.output_file}}", { kind: "output-file", old: false }],
  ["{{$.outputMetadataUri}}", { kind: "output-file", old: true }],
  ["{{$.pipeline_job_name}}", { kind: "run-fact", fact: "pipeline_job_name" }],
  ["{{$.pipeline_job_resource_name}}", { kind: "run-fact", fact: "pipeline_job_resource_name" }],
  ["{{$.pipeline_job_uuid}}", { kind: "run-fact", fact: "pipeline_job_uuid" }],
  ["{{$.pipeline_task_name}}", { kind: "run-fact", fact: "pipeline_task_name" }],
  ["{{$.pipeline_task_uuid}}", { kind: "run-fact", fact: "pipeline_task_uuid" }],
  ["{{$.pipeline_job_create_time_utc}}", { kind: "run-fact", fact: "pipeline_job_create_time_utc" }],
  ["{{$.pipeline_job_schedule_time_utc}}", { kind: "run-fact", fact: "pipeline_job_schedule_time_utc" }],
  ["{{$.pipeline_root}}", { kind: "run-fact", fact: "pipeline_root" }],
  ["{{$.workspace_path}}", { kind: "run-fact", fact: "workspace_path" }],
  ["{{$.json_escape[1]}}", { kind: "json-escape", depth: 1 }],
  ["{{$.inputs.parameters['x'].json_escape[0]}}", { kind: "escaped-parameter", name: "x", depth: 0 }],
  ["{{$.currentTime.strftime('%Y-%m')}}", { kind: "time", time: "currentTime", format: "%Y-%m" }],
  ["{{$.scheduledTime.strftime('%H:%M')}}", { kind: "time", time: "scheduledTime", format: "%H:%M" }],
];

describe("every placeholder is read and printed", () => {
  for (const [text, placeholder] of cases) {
    test(text, () => {
      const { segments, problems } = parsePlaceholders(`a ${text} b`);
      expect(problems).toEqual([]);
      expect(segments).toMatchObject([
        { kind: "literal", text: "a " },
        { kind: "placeholder", text, placeholder, span: { start: 2, end: 2 + text.length } },
        { kind: "literal", text: " b" },
      ]);
      expect(printPlaceholder(placeholder)).toBe(text);
    });
  }

  test("names may hold anything but a quote, and their places are known", () => {
    const text = "{{$.inputs.parameters['pipelinechannel--a.b[0]}} ö']}}";
    const [segment] = parsePlaceholders(text).segments;
    expect(segment).toMatchObject({ placeholder: { name: "pipelinechannel--a.b[0]}} ö" } });
    const span = segment?.kind === "placeholder" ? segment.nameSpan : undefined;
    expect(text.slice(span?.start, span?.end)).toBe("pipelinechannel--a.b[0]}} ö");
  });

  test("neighbours are told apart", () => {
    const { segments } = parsePlaceholders("{{$}}{{$}}{{{$}}}");
    expect(segments.map(({ kind, text }) => [kind, text])).toEqual([
      ["placeholder", "{{$}}"],
      ["placeholder", "{{$}}"],
      ["literal", "{"],
      ["placeholder", "{{$}}"],
      ["literal", "}"],
    ]);
  });
});

describe("what is none is told, with a place", () => {
  const wrong = [
    { text: "x {{$.inputs.parameters['n']} y", code: "malformed", at: "{{$.inputs.parameters['n']" },
    { text: "{{$.inputs.parameters['n'", code: "malformed", at: "{{$.inputs.parameters" },
    { text: "{{$inputs.parameters['n']}}", code: "malformed", at: "{{$", hint: "point" },
    { text: '{{$.inputs.parameters["n"]}}', code: "unknown", hint: "['n']" },
    { text: "{{$.inputs.parameters[n]}}", code: "unknown", hint: "['n']" },
    { text: "{{$.inputs.parameter['n']}}", code: "unknown", hint: "parameters" },
    { text: "{{$.input.parameters['n']}}", code: "unknown", hint: "inputs" },
    { text: "{{$.inputs}}", code: "unknown", hint: "parameters, artifacts" },
    { text: "{{$.inputs.parameters}}", code: "unknown", hint: "['name']" },
    { text: "{{$.inputs.parameters['n'].value}}", code: "unknown", hint: "ends behind the name" },
    { text: "{{$.inputs.artifacts['n'].ur}}", code: "unknown", hint: "uri" },
    { text: "{{$.inputs.artifacts['n'].uri.x}}", code: "unknown", hint: "uri, path" },
    { text: "{{$.outputs.parameters['n']}}", code: "unknown", hint: "output_file" },
    { text: "{{$.outputs.artifacts['n'].content}}", code: "unknown", hint: "known are" },
    { text: "{{$.outputs.files['n']}}", code: "unknown", hint: "known are" },
    { text: "{{$.outputs}}", code: "unknown", hint: "output_file" },
    { text: "{{$.pipeline_job_nam}}", code: "unknown", hint: "pipeline_job_name" },
    { text: "{{$.pipeline_job_name.x}}", code: "unknown" },
    { text: "{{$.json_escape}}", code: "unknown" },
    { text: "{{$.inputs.parameters['x'].json_escape}}", code: "unknown" },
    { text: "{{$.inputs.parameters['x'].json_escape[0][1]}}", code: "unknown" },
    { text: "{{$.currentTime.format('x')}}", code: "unknown" },
    { text: "{{$.inputs.parameters('text')}}", code: "unknown" },
    { text: "{{$.inputs.parameters[1]}}", code: "unknown" },
    { text: "{{$.inputs.artifacts('data').uri}}", code: "unknown" },
    { text: "{{$.inputs.artifacts['data']['uri']}}", code: "unknown" },
    { text: "{{$.inputs.artifacts['data']('uri')}}", code: "unknown" },
    { text: "{{$.inputs.artifacts['data'].metadata('k')}}", code: "unknown" },
    { text: "{{$.inputs.artifacts['data'].properties('k')}}", code: "unknown" },
    { text: "{{$.outputs.parameters['o']['output_file']}}", code: "unknown" },
    { text: "{{$.outputs.parameters('o').output_file}}", code: "unknown" },
    { text: "{{$.outputs.artifacts[0].path}}", code: "unknown" },
    { text: "{{$.currentTime['strftime']('%Y')}}", code: "unknown" },
    { text: "{{$('inputs').parameters['x']}}", code: "unknown" },
  ];
  for (const { text, code, at, hint } of wrong) {
    test(`${text} → ${code}`, () => {
      const { segments, problems } = parsePlaceholders(text);
      expect(problems).toMatchObject([{ code, severity: "error" }]);
      const [problem] = problems;
      expect(text.slice(problem?.span.start, problem?.span.end)).toBe(at ?? text);
      expect(problem?.hint ?? "").toContain(hint ?? "");
      expect(segments.map((segment) => segment.text).join("")).toBe(text);
      expect(segments.every(({ kind }) => kind === "literal")).toBe(true);
    });
  }

  const tolerated = [
    { text: "{{ $.inputs.parameters['n'] }}", code: "blanks" },
    { text: "{{$ }}", code: "blanks" },
    { text: "{{$.inputs.parameters.n}}", code: "dotted" },
    { text: "{{$.Values.name}}", code: "unknown" },
    { text: "{{ $.inputs.foo }}", code: "unknown" },
    { text: "{{$.input.parameters['n'] }}", code: "unknown" },
  ];
  for (const { text, code } of tolerated) {
    test(`${text} → ${code}, a warning`, () => {
      expect(parsePlaceholders(text).problems).toMatchObject([{ code, severity: "warning" }]);
    });
  }

  for (const text of [
    "{{workflow.uid}}",
    "{{$x := 1}}",
    "{{ $x }}",
    "{{.Values}}",
    "$(VAR) $x",
    "{{",
    "}}",
    "{{$",
    "{{}}",
  ]) {
    test(`${text} is somebody else's`, () => {
      expect(parsePlaceholders(text)).toEqual({
        text,
        segments: [{ kind: "literal", text, span: { start: 0, end: text.length } }],
        problems: [],
      });
    });
  }
});

describe("elements of commands", () => {
  const x = "{{$.inputs.parameters['x']}}";

  test("Concat and IfPresent nest, and know the places of placeholders", () => {
    const text = `{"Concat": ["a-", "${x}", {"IfPresent": {"InputName": "y", "Then": ["-y", ["${x}", null]], "Else": "no"}}]}`;
    const { element, placeholders, problems } = parseContainerElement(text);
    expect(problems).toEqual([]);
    expect(placeholders.map(({ span }) => text.slice(span.start, span.end))).toEqual([x, x]);
    expect(placeholders.map(({ nameSpan }) => text.slice(nameSpan?.start, nameSpan?.end))).toEqual([
      "x",
      "x",
    ]);
    expect(element).toMatchObject({
      kind: "concat",
      parts: [
        { kind: "text" },
        { kind: "text" },
        {
          kind: "if-present",
          name: "y",
          present: [{ kind: "text" }, { kind: "text" }],
          absent: [{ kind: "text" }],
        },
      ],
    });
  });

  test("a placeholder in a text with escapes is placed at the whole text", () => {
    const text = `{"Concat": ["say \\"${x}\\""]}`;
    const [segment] = parseContainerElement(text).placeholders;
    expect(text.slice(segment?.span.start, segment?.span.end)).toBe(`"say \\"${x}\\""`);
  });

  for (const text of ['{"a": 1}', "{}", '["Concat"]', ' {"Concatenate": []}']) {
    test(`${text} is a text`, () => {
      expect(parseContainerElement(text)).toMatchObject({ element: { kind: "text" }, problems: [] });
    });
  }
});

const anyName = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .map((text) => text.replaceAll("'", "_"));
const part: fc.Arbitrary<ArtifactPart> = fc.oneof(
  fc.constantFrom<ArtifactPart>({ kind: "whole" }, { kind: "uri" }, { kind: "path" }, { kind: "name" }),
  fc.array(anyName, { maxLength: 3 }).map((keys): ArtifactPart => ({ kind: "metadata", keys })),
  anyName.map((key): ArtifactPart => ({ kind: "property", key })),
);
const anyPlaceholder: fc.Arbitrary<Placeholder> = fc.oneof(
  fc.constantFrom(...cases.map(([, placeholder]) => placeholder)),
  anyName.map((one): Placeholder => ({ kind: "input-parameter", name: one })),
  anyName.map((one): Placeholder => ({ kind: "output-parameter", name: one })),
  fc.tuple(anyName, part).map(([one, of]): Placeholder => ({ kind: "input-artifact", name: one, part: of })),
  fc.tuple(anyName, part).map(([one, of]): Placeholder => ({ kind: "output-artifact", name: one, part: of })),
);
const fragment = fc.oneof(
  { weight: 3, arbitrary: anyPlaceholder.map(printPlaceholder) },
  fc.constantFrom(
    "{{",
    "}}",
    "{{$",
    "$.",
    "['",
    "']",
    ".uri",
    ".inputs",
    "{",
    "$",
    " ",
    '"',
    "\\",
    "\n",
    "\u{1f600}",
    "\ud800",
  ),
  fc.constantFrom(
    '{"Concat": [',
    '{"IfPresent": {"InputName": "x", "Then": [',
    '", "',
    "]}",
    "]}}",
    "null",
    ", ",
  ),
  fc.string({ maxLength: 8 }),
);

describe("for all texts", () => {
  test("what is printed reads as the same placeholder", () => {
    fc.assert(
      fc.property(anyPlaceholder, (placeholder) => {
        const { segments, problems } = parsePlaceholders(printPlaceholder(placeholder));
        expect(segments).toMatchObject([{ kind: "placeholder", placeholder }]);
        expect(problems).toEqual([]);
      }),
      { seed: 3, numRuns: 2_000 },
    );
  });

  test("the segments are the text, in order and without gaps, and nothing throws", () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
        const text = fragments.join("");
        const { segments } = parsePlaceholders(text);
        expect(segments.map((segment) => segment.text).join("")).toBe(text);
        for (const segment of segments)
          expect(text.slice(segment.span.start, segment.span.end)).toBe(segment.text);
        for (const { span } of parseContainerElement(text).problems) {
          expect(span.start).toBeLessThanOrEqual(span.end);
          expect(span.end).toBeLessThanOrEqual(text.length);
        }
      }),
      { seed: 4, numRuns: 5_000 },
    );
  });

  for (const hostile of [
    "{{$.a['",
    "{{$",
    "{{$.inputs.parameters['x']",
    "['x']",
    "{{$['{{$']",
    "{{ ",
    "{{$.a[",
    ".a.a",
  ]) {
    test(`a megabyte of ${hostile} is read in a moment`, () => {
      // Quadratic time would be minutes, which no test is given.
      const text = `{{$${hostile.repeat(1_000_000 / hostile.length)}`;
      expect(
        parsePlaceholders(text)
          .segments.map((segment) => segment.text)
          .join(""),
      ).toBe(text);
    });
  }
});

describe("the commands of compiled pipelines", () => {
  const folder = new URL("../../../pipeline-spec/testdata/pipelines/valid/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".yaml"),
  );
  let placeholders = 0;
  for (const file of files) {
    test(`${file} has no wrong placeholder`, () => {
      const parsed = parsePipeline(readFileSync(new URL(file, folder), "utf8"));
      const { deployment } = parsed.ok ? parsed.pipeline : expect.unreachable(`${file} is valid`);
      for (const { spec: executor } of Object.values(deployment.executors)) {
        const container = executor?.$case === "container" ? executor.value : undefined;
        for (const element of [...(container?.command ?? []), ...(container?.args ?? [])]) {
          const read = parseContainerElement(element);
          expect(read.problems).toEqual([]);
          placeholders += read.placeholders.length;
        }
      }
    });
  }

  test("there are placeholders in them", () => expect(placeholders).toBeGreaterThan(100));
});

test("a misspelt part of IfPresent is read as what was meant, unless that is there", () => {
  const presentIn = (parts: string) => {
    const { element, problems } = parseContainerElement(`{"IfPresent": {"InputName": "x", ${parts}}}`);
    const texts = element.kind === "if-present" ? element.present : expect.fail(element.kind);
    return [
      texts.map((one) => (one.kind === "text" ? one.template.text : one.kind)),
      problems.map(({ hint }) => hint),
    ];
  };
  expect(presentIn('"then": "b"')).toEqual([["b"], ["did you mean Then?"]]);
  expect(presentIn('"Then": "a", "then": "b"')).toEqual([["a"], ["did you mean Then?"]]);
  expect(presentIn('"then": "b", "Then": "a"')).toEqual([["a"], ["did you mean Then?"]]);
  expect(presentIn('"Then": [{"concat": ["a"]}]')).toEqual([["concat"], ["did you mean Concat?"]]);
});
