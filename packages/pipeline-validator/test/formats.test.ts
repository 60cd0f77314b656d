import schema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with { type: "json" };
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import {
  examplePipeline,
  formatProblems,
  toGithubAnnotations,
  toJson,
  toSarif,
  validatePipeline,
} from "../src/index.js";

const broken = examplePipeline
  .replace("componentRef: {name: comp-branch}", "componentRef: {name: comp-brunch}")
  .replace("== 'large'", "= 'large'")
  .replace("name: example", "name: Example 1");

describe("code frames", () => {
  const source =
    "pipelineInfo:\n  name: ''\nroot:\n  dag:\n    tasks:\n      a:\n        componentRef: {name: comp-x}\n        taskInfo: {name: a}\nschemaVersion: 2.1.0\n";

  test("show the line, the place, the hint and a count", () => {
    const report = validatePipeline(source);
    expect(formatProblems(report, { source, file: "p.yaml" })).toBe(
      [
        "error[pipeline-name-missing]: the pipeline has no name",
        "  --> p.yaml:1:1",
        "  |",
        "1 | pipelineInfo:",
        "  | ^^^^^^^^^^^^",
        "  = help: add a name",
        "",
        'error[component-unknown]: there is no component "comp-x"',
        "  --> p.yaml:7:30",
        "  |",
        "7 |         componentRef: {name: comp-x}",
        "  |                              ^^^^^^",
        "",
        "2 errors",
        "",
      ].join("\n"),
    );
  });

  test("point into an expression, also behind escapes and folded lines", () => {
    const report = validatePipeline(broken);
    const text = formatProblems(report, { source: broken });
    const lines = text.split("\n");
    const at = lines.findIndex((line) => line.includes("condition-invalid"));
    const [, , , code = "", marks = ""] = lines.slice(at);
    const start = marks.indexOf("^");
    expect(code.slice(start).startsWith("=")).toBe(true);
  });

  test("have no colours unless asked", () => {
    const report = validatePipeline(broken);
    expect(formatProblems(report, { source: broken })).not.toContain("\u001b");
    expect(formatProblems(report, { source: broken, color: true })).toContain(
      "\u001b[31merror[component-unknown]\u001b[0m",
    );
  });

  for (const width of [30, 40, 80, 200]) {
    test(`fit into ${width} columns where words do`, () => {
      const report = validatePipeline(broken);
      const lines = formatProblems(report, { source: broken, width, file: "p" }).split("\n");
      const frames = lines.filter((line) => /^\s*\d* \| /.test(line));
      expect(frames.length).toBeGreaterThan(3);
      expect(Math.max(...frames.map((line) => [...line].length))).toBeLessThanOrEqual(width);
    });
  }

  test("keep control characters of the file from the terminal", () => {
    const source = 'pipelineInfo: {name: "a\\u001b[31m"}\n';
    const text = formatProblems(validatePipeline(source), { source });
    expect(text).not.toContain("\u001b");
  });

  test("keep what is in the name of the file from the terminal, and from the runner of a workflow", () => {
    const file = "a\u001b[2K\u202e\u200f\u200b\n::error file=x::pwned\r\n.yaml";
    const report = validatePipeline(broken);
    const shown = formatProblems(report, { file, source: broken });
    expect(shown).toContain("--> a\u00b7[2K\u00b7\u00b7\u00b7\u00b7::error file=x::pwned\u00b7\u00b7.yaml:");
    const annotations = toGithubAnnotations(report, { file });
    for (const text of [shown, annotations])
      expect(text).not.toMatch(/(?!\n)\p{Cc}|[\u202e\u200f\u200b]|^::error file=x::/mu);
    expect(annotations.trimEnd().split("\n")).toHaveLength(report.problems.length);
  });

  test.each([
    ..."\u0007\u009b\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202c\u202e\u2066\u2067\u2069\ufeff",
  ])("keep %j out of all that they show, as annotations do", (odd) => {
    const place = { path: `/e${odd}f`, message: `g${odd}h` };
    const range = { start: { offset: 0, line: 1, column: 1 }, end: { offset: 1, line: 1, column: 2 } };
    const problem = {
      code: "c",
      severity: "error",
      path: `/i${odd}j`,
      message: `a${odd}b`,
      hint: `c${odd}d`,
      related: [place],
    } as const;
    const counts = { error: 2, warning: 0, info: 0 };
    const report = { ok: false, problems: [problem, { ...problem, range }], counts, unchecked: [] };
    const file = `k${odd}l`;
    const shown = formatProblems(report, { file, source: `m${odd}n` });
    for (const pair of ["ab", "cd", "ef", "gh", "ij", "kl", "mn"])
      expect(shown).toContain(pair.split("").join("\u00b7"));
    expect(shown).not.toContain(odd);
    const annotations = toGithubAnnotations(report, { file });
    for (const pair of ["ab", "cd", "kl"]) expect(annotations).toContain(pair.split("").join("\u00b7"));
    expect(annotations).not.toContain(odd);
  });

  test("say that all is well", () => {
    expect(formatProblems(validatePipeline(examplePipeline))).toBe("no problems\n");
  });

  test("do without the source", () => {
    const text = formatProblems(validatePipeline(broken));
    expect(text).toContain("--> pipeline:");
    expect(text).not.toContain("^");
  });
});

describe("SARIF", () => {
  const ajv = new Ajv.default({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats.default(ajv);
  const isValid = ajv.compile(schema);

  const texts = {
    "with problems": broken,
    "without problems": examplePipeline,
    "that is no pipeline": "a: b",
    empty: "",
  };
  for (const [name, text] of Object.entries(texts)) {
    test(`is valid by its schema for a file ${name}`, () => {
      const log = toSarif(validatePipeline(text), { file: "pipelines/my file#1.yaml", toolVersion: "1.2.3" });
      isValid(log);
      expect(isValid.errors).toBe(null);
    });
  }

  test("names the rule, the place and the file of each problem", () => {
    const report = validatePipeline(broken);
    const [run] = toSarif(report, { file: "pipelines/my file.yaml" }).runs;
    expect(run?.results).toHaveLength(report.problems.length);
    const found = run?.results.find(({ ruleId }) => ruleId === "component-unknown");
    expect(run?.tool.driver.rules[found?.ruleIndex ?? -1]).toMatchObject({
      id: "component-unknown",
      helpUri: expect.stringMatching(/\/docs\/pipelines\/rules\/references\.md#component-unknown$/),
    });
    expect(found?.locations[0]).toEqual({
      physicalLocation: {
        artifactLocation: { uri: "pipelines/my%20file.yaml" },
        region: { startLine: 28, startColumn: 30, endLine: 28, endColumn: 41 },
      },
      logicalLocations: [{ fullyQualifiedName: "/root/dag/tasks/branch/componentRef/name" }],
    });
  });
});

describe("GitHub annotations", () => {
  test("are one workflow command per problem, with everything escaped", () => {
    const report = validatePipeline(broken);
    const lines = toGithubAnnotations(report, { file: "a,b:c%,d:%.yaml" }).trimEnd().split("\n");
    expect(lines).toHaveLength(report.problems.length);
    expect(lines[0]).toBe(
      '::warning file=a%2Cb%3Ac%25%2Cd%3A%25.yaml,line=2,endLine=2,col=9,endColumn=18,title=pipeline-name-style::"Example 1" cannot be the name of a stored pipeline%0Ause lower-case letters, digits and -, beginning with a letter or digit, at most 128 characters',
    );
  });

  test("leave columns out where a problem spans lines or has no place", () => {
    const position = { offset: 0, line: 1, column: 1 };
    const range = { start: position, end: { ...position, line: 2 } };
    const problem = { code: "x", severity: "info", path: "", message: "m" } as const;
    const report = {
      ok: true,
      problems: [{ ...problem, range }, problem],
      counts: { error: 0, warning: 0, info: 2 },
      unchecked: [],
    };
    expect(toGithubAnnotations(report, { file: "f" })).toBe(
      "::notice file=f,line=1,endLine=2,title=x::m\n::notice file=f,title=x::m\n",
    );
  });
});

describe("JSON", () => {
  test("is plain data with counts", () => {
    const report = validatePipeline(broken);
    const data = toJson(report, { file: "p.yaml" });
    expect(JSON.parse(JSON.stringify(data))).toEqual(data);
    expect(data).toMatchObject({ version: 1, file: "p.yaml", ok: false });
    expect(data.counts.error + data.counts.warning + data.counts.info).toBe(report.problems.length);
  });

  test("is right where the report is: with mere warnings, and not where its errors are not listed", () => {
    const report = validatePipeline(broken);
    const of = (ok: boolean, problems = report.problems) => toJson({ ...report, ok, problems }).ok;
    expect([of(true), of(true, []), of(false), of(false, [])]).toEqual([true, true, false, false]);
  });
});
