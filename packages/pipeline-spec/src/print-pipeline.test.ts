import { describe, expect, test } from "vitest";
import {
  ParameterType,
  type ParseOptions,
  type ParseResult,
  type Pipeline,
  PipelineJob,
  PipelineSpec,
  PlatformSpec,
  parsePipeline,
  printPipeline,
  rewritePipeline,
  TriggerStrategy,
} from "./index.js";

const spec = PipelineSpec.create({
  pipelineInfo: { name: "p" },
  sdkVersion: "kfp-2.15.2",
  root: {
    implementation: {
      $case: "dag",
      value: {
        tasks: {
          b: {
            componentRef: { name: "comp" },
            triggerPolicy: { strategy: TriggerStrategy.ALL_UPSTREAM_TASKS_COMPLETED },
          },
          a: { componentRef: { name: "comp" }, dependentTasks: ["b"], cachingOptions: {} },
        },
      },
    },
    inputDefinitions: { parameters: { n: { parameterType: ParameterType.NUMBER_INTEGER, defaultValue: 3 } } },
  },
});
const platform = PlatformSpec.create({
  platforms: { kubernetes: { pipelineConfig: { workspace: { size: "10Gi" } } } },
});
const job = PipelineJob.create({
  displayName: "j",
  runtimeConfig: { gcsOutputDirectory: "gs://b", parameterValues: { n: null } },
});

function pipelineOf(result: ParseResult): Pipeline {
  expect(result.problems).toEqual([]);
  if (!result.ok) throw new Error("not parsed");
  return result.pipeline;
}

test("YAML has camelCase names in alphabetical order, without defaults", () => {
  expect(printPipeline({ spec })).toBe(`pipelineInfo:
  name: p
root:
  dag:
    tasks:
      a:
        cachingOptions: {}
        componentRef:
          name: comp
        dependentTasks:
        - b
      b:
        componentRef:
          name: comp
        triggerPolicy:
          strategy: ALL_UPSTREAM_TASKS_COMPLETED
  inputDefinitions:
    parameters:
      "n":
        defaultValue: 3
        parameterType: NUMBER_INTEGER
sdkVersion: kfp-2.15.2
`);
});

test("the platform specification is a second document", () => {
  const text = printPipeline({ spec: PipelineSpec.create({ sdkVersion: "x" }), platform });
  expect(text).toBe(
    "sdkVersion: x\n---\nplatforms:\n  kubernetes:\n    pipelineConfig:\n      workspace:\n        size: 10Gi\n",
  );
});

describe("what is printed is read again:", () => {
  const rows = [
    ["a specification", { spec }],
    ["with a platform specification", { spec, platform }],
    ["in a job", { spec, job }],
    ["in a job, with a platform specification", { spec, job, platform }],
    ["with a platform specification that is empty", { spec, platform: PlatformSpec.create() }],
    ["an empty specification", { spec: PipelineSpec.create() }],
  ] as const;
  for (const [name, pipeline] of rows) {
    test(`${name}, as YAML`, () => {
      const text = printPipeline(pipeline);
      const again = pipelineOf(parsePipeline(text));
      expect(again.spec).toEqual(pipeline.spec);
      expect(printPipeline(again)).toBe(text);
    });
  }

  for (const [name, pipeline] of rows.filter(([, row]) => !("job" in row && "platform" in row))) {
    test(`${name}, as JSON`, () => {
      const text = printPipeline(pipeline, { format: "json" });
      const again = pipelineOf(parsePipeline(text));
      expect(again.spec).toEqual(pipeline.spec);
      expect(printPipeline(again, { format: "json" })).toBe(text);
    });
  }

  test("the parts are there", () => {
    const again = pipelineOf(parsePipeline(printPipeline({ spec, job, platform })));
    expect(again.platform).toEqual(platform);
    expect(again.job?.runtimeConfig).toEqual(job.runtimeConfig);
    const both = pipelineOf(parsePipeline(printPipeline({ spec, platform }, { format: "json" })));
    expect(both.platform).toEqual(platform);
  });
});

test("the specification of a pipeline takes the place of the one in its job", () => {
  const parsed = pipelineOf(
    parsePipeline('{"displayName":"j","pipelineSpec":{"sdkVersion":"old","root":{}}}'),
  );
  const text = printPipeline({ ...parsed, spec: { ...parsed.spec, sdkVersion: "new" } });
  expect(text).toBe("displayName: j\npipelineSpec:\n  root: {}\n  sdkVersion: new\n");
});

test("JSON is indented, ends its last line, and escapes what readers of YAML take for the end of a line", () => {
  const odd = PipelineSpec.create({ sdkVersion: "a\u2028b\u0085" });
  const lines = [
    '  "pipelineSpec": {',
    '    "sdkVersion": "a\\u2028b\\u0085"',
    "  },",
    '  "platformSpec": {',
  ];
  expect(printPipeline({ spec: odd }, { format: "json" })).toBe('{\n  "sdkVersion": "a\\u2028b\\u0085"\n}\n');
  const both = { spec: odd, platform: PlatformSpec.create({ platforms: { "c\u2029": {} } }) };
  expect(printPipeline(both, { format: "json" })).toBe(
    `{\n${lines.join("\n")}\n    "platforms": {\n      "c\\u2029": {}\n    }\n  }\n}\n`,
  );
});

test("a platform specification without anything in it is left out", () => {
  const none = { spec: PipelineSpec.create({ sdkVersion: "a" }), platform: PlatformSpec.create() };
  expect(printPipeline(none)).toBe("sdkVersion: a\n");
  expect(printPipeline(none, { format: "json" })).toBe('{\n  "sdkVersion": "a"\n}\n');
});

test("a job with a platform specification has no form in JSON", () => {
  expect(() => printPipeline({ spec, job, platform }, { format: "json" })).toThrow(
    expect.objectContaining({ name: "PipelineSpecError", code: "unwritable" }),
  );
});

test("what JSON cannot hold is refused with its place", () => {
  const bad = PipelineSpec.create({ deploymentSpec: { a: [Number.NaN] } });
  expect(() => printPipeline({ spec: bad })).toThrow("/deploymentSpec/a/0: NaN has no form in JSON");
});

test.each([150, 250, 980])("what nests %i levels deep is printed, as it was read", (depth) => {
  const value = `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const text = `{"pipelineInfo":{"name":"a"},"root":{"dag":{},"inputDefinitions":{"parameters":{"x":{"parameterType":"LIST","defaultValue":${value}}}}}}`;
  const options = { maxDepth: 1000 };
  const result = parsePipeline(text, options);
  if (!result.ok) throw new Error(result.problems[0]?.message);
  for (const format of ["json", "yaml"] as const) {
    const printed = printPipeline(result.pipeline, { format });
    expect(printPipeline(read(printed, options), { format })).toBe(printed);
  }
  expect(
    rewritePipeline(
      text,
      ({ spec }) => {
        spec.sdkVersion = "b";
      },
      options,
    ),
  ).toMatchObject({ ok: true });
});

function read(text: string, options: ParseOptions) {
  const result = parsePipeline(text, options);
  if (!result.ok) throw new Error(result.problems[0]?.message);
  return result.pipeline;
}
