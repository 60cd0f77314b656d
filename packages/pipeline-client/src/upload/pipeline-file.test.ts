import { gzipSync } from "node:zlib";
import { parsePipeline, printPipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { helloPipeline } from "../../test/recorded-world.js";
import { isPipelineClientError } from "../client-error.js";
import { formBody } from "./form-body.js";
import { type PipelineInput, readPipelineFile, refused } from "./pipeline-file.js";

const parsed = parsePipeline(helloPipeline);
const hello = parsed.ok ? parsed.pipeline : expect.unreachable("it is a pipeline");
const most = 33_554_432;
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const refusalOf = async (input: unknown, isChecked = true): Promise<unknown> =>
  readPipelineFile(input as PipelineInput, isChecked).then(
    () => expect.unreachable("it is refused"),
    (error: unknown) => error,
  );

describe("a file is sent", () => {
  const json = printPipeline(hello, { format: "json" });
  test.each<readonly [what: string, input: PipelineInput, fileName: string, text: string]>([
    ["YAML", helloPipeline, "pipeline.yaml", helloPipeline],
    ["YAML with a brace", `# {\n${helloPipeline}`, "pipeline.yaml", `# {\n${helloPipeline}`],
    ["bytes", new TextEncoder().encode(helloPipeline), "pipeline.yaml", helloPipeline],
    ["a Blob", new Blob([helloPipeline]), "pipeline.yaml", helloPipeline],
    ["JSON", json, "pipeline.json", json],
    ["JSON behind blanks", `\n  ${json}`, "pipeline.json", `\n  ${json}`],
    ["JSON in an archive", new Uint8Array(gzipSync(json)), "pipeline.json", json],
    ["a specification", { spec: hello.spec }, "pipeline.yaml", printPipeline({ spec: hello.spec })],
    ["what was read", hello, "pipeline.yaml", printPipeline(hello)],
    [
      "what is inside a run",
      JSON.stringify({ pipeline_spec: JSON.parse(json) }),
      "pipeline.yaml",
      printPipeline(hello),
    ],
  ])("as it is: %s", async (_, input, fileName, text) => {
    const file = await readPipelineFile(input, true);
    expect([file.fileName, textOf(file.bytes)]).toEqual([fileName, text]);
    expect(file.pipeline.spec.pipelineInfo?.name).toBe("hello");
  });

  test("up to a size, and no larger", async () => {
    const padded = (bytes: number) =>
      new Blob([helloPipeline, "#", " ".repeat(bytes - helloPipeline.length - 1)]);
    expect((await readPipelineFile(padded(most), false)).bytes).toHaveLength(most);
    const message = `the file has ${most + 1} bytes, and servers take ${most}`;
    expect(await refusalOf(padded(most + 1), false)).toMatchObject({
      code: "invalid_pipeline",
      message: `the pipeline has errors, and nothing was sent:\n  ${message}`,
      problems: [{ code: "too-large", severity: "error", path: "", message }],
    });
  });

  test("with mistakes only where they are meant", async () => {
    const dangling = helloPipeline.replace("name: comp-greet", "name: comp-great");
    expect((await readPipelineFile(dangling, false)).fileName).toBe("pipeline.yaml");
    expect(await refusalOf(dangling)).toMatchObject({ code: "invalid_pipeline" });
    expect(await refusalOf("a: [", false)).toMatchObject({ code: "invalid_pipeline" });
  });

  test("unless it is an archive of something else", async () => {
    const gzip = Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0]);
    expect(await refusalOf(gzip)).toMatchObject({
      code: "invalid_pipeline",
      problems: [expect.objectContaining({ severity: "error" })],
    });
  });
});

describe("a path is no text of a file:", () => {
  const paths = [
    "a.yaml",
    "a.yml",
    "a.json",
    "a.zip",
    "a.tgz",
    "a.tar.gz",
    "A.YAML",
    "/x y/a.yaml",
    "C:\\a.yaml",
  ];
  test.each([...paths, `${"a".repeat(1000)}.yaml`])("%s", async (path) => {
    const shown = JSON.stringify(path.slice(0, 500));
    const message = `${shown} is a path, and not the text of a file`;
    const hint = "give what is in the file";
    expect(await refusalOf(path)).toMatchObject({
      message: `the pipeline has errors, and nothing was sent:\n  ${message}; ${hint}`,
      problems: [{ code: "path", severity: "error", path: "", message, hint }],
    });
  });

  const texts = [".yaml", "a.yaml.txt", "a.gz", "a: b.yaml", "{a.yaml", "a\nb.yaml", "ayaml"];
  test.each([...texts, `${"a".repeat(1001)}.yaml`])("but %j is one", async (text) => {
    expect(await refusalOf(text)).not.toMatchObject({ problems: [{ code: "path" }] });
  });
});

test.each<unknown>([undefined, null, 5, {}, [], { spec: "x" }, { spec: null }])(
  "%o is no file",
  async (input) => {
    expect(await refusalOf(input)).toEqual(
      new TypeError(
        "a pipeline is the text or the bytes of a file, a Blob, the `pipeline` of what parsePipeline gives, or { spec }",
      ),
    );
  },
);

test("a specification that cannot be written is refused with its place", async () => {
  const hint = "a specification of a server, or other JSON, is given as text: JSON.stringify(…)";
  const wrong = { spec: { ...hello.spec, components: { c: { inputDefinitions: 5 } } } };
  const error = await refusalOf(wrong);
  expect(isPipelineClientError(error) && error.problems).toEqual([
    {
      code: "unwritable",
      severity: "error",
      path: "/components/c/inputDefinitions",
      message: "expected an object (ComponentInputsSpec), got the number 5",
      hint,
    },
  ]);
});

describe("what is refused is told", () => {
  const problem = (message: string, more: object = {}) =>
    ({ code: "x", severity: "error", path: "", message, ...more }) as const;
  const range = { start: { line: 3, column: 7, offset: 0 }, end: { line: 3, column: 9, offset: 2 } };

  test.each<readonly [what: string, problems: Parameters<typeof refused>[0], lines: string]>([
    ["without a place", [problem("m")], "\n  m"],
    ["with a path", [problem("m", { path: "/a" })], "\n  /a m"],
    ["with line and column", [problem("m", { path: "/a", range })], "\n  3:7 m"],
    ["with a hint", [problem("m", { hint: "h" })], "\n  m; h"],
    ["without warnings", [problem("w", { severity: "warning" }), problem("m")], "\n  m"],
    ["five of them", ["1", "2", "3", "4", "5"].map((m) => problem(m)), "\n  1\n  2\n  3\n  4\n  5"],
    [
      "with how many more there are",
      ["1", "2", "3", "4", "5", "6", "7"].map((m) => problem(m)),
      "\n  1\n  2\n  3\n  4\n  5\n  and 2 more",
    ],
  ])("%s", (_, problems, lines) => {
    const [pipeline, parameters] = [refused(problems), refused(problems, "invalid_parameters")];
    expect([pipeline.message, pipeline.code, pipeline.problems]).toEqual([
      `the pipeline has errors, and nothing was sent:${lines}`,
      "invalid_pipeline",
      problems,
    ]);
    expect([parameters.message, parameters.code]).toEqual([
      `the parameters do not fit the pipeline, and nothing was sent:${lines}`,
      "invalid_parameters",
    ]);
  });
});

describe("the form of an upload", () => {
  test("has a boundary that is not in the file", () => {
    const file = new TextEncoder().encode("a wye-0-0 b wye-0-1\u00ff");
    const { body, contentType } = formBody(file, 'p".y\r\nz', () => 0);
    expect(contentType).toBe("multipart/form-data; boundary=wye-0-2");
    expect(textOf(body)).toBe(
      [
        "--wye-0-2",
        'Content-Disposition: form-data; name="uploadfile"; filename="p_.y__z"',
        "Content-Type: application/octet-stream",
        "",
        "a wye-0-0 b wye-0-1\u00ff",
        "--wye-0-2--",
        "",
      ].join("\r\n"),
    );
  });

  test("has a boundary by chance", () => {
    expect(formBody(new Uint8Array(), "p", () => 0.5).contentType).toBe(
      `multipart/form-data; boundary=wye-${(2 ** 51).toString(36)}-0`,
    );
  });
});
