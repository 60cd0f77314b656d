import { describe, expect, test } from "vitest";
import { toSarif, type ValidationProblem, type ValidationReport } from "../src/index.js";

// What a SARIF log says of a report, made by hand.

const reportOf = (problems: readonly ValidationProblem[], ownRules?: Record<string, string>) =>
  ({
    ok: false,
    problems,
    counts: { error: 0, warning: 0, info: 0 },
    unchecked: [],
    ...(ownRules === undefined ? {} : { ownRules }),
  }) as ValidationReport;
const problem = (code: string, more: Partial<ValidationProblem> = {}): ValidationProblem => {
  return { code, severity: "error", path: "", message: "m", ...more };
};
const runOf = (report: ValidationReport, options?: Parameters<typeof toSarif>[1]) => {
  const [run] = toSarif(report, options).runs;
  return run ?? expect.unreachable("there is one run");
};

test("a log has its version, its schema and one run of the tool", () => {
  expect(toSarif(reportOf([]))).toEqual({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "wye", rules: [] } }, columnKind: "utf16CodeUnits", results: [] }],
  });
  expect(runOf(reportOf([]), { toolVersion: "1.2.3" }).tool.driver).toEqual({
    name: "wye",
    version: "1.2.3",
    rules: [],
  });
});

test("a result has its rule, level, text and places", () => {
  const range = (line: number) => ({
    start: { line, column: 2, offset: 1 },
    end: { line: line + 1, column: 4, offset: 9 },
  });
  const report = reportOf([
    problem("b", { hint: "h", path: "/a", range: range(1) }),
    problem("a", { severity: "warning", related: [] }),
    problem("b", {
      severity: "info",
      related: [
        { path: "/r", message: "seen" },
        { path: "", message: "there", range: range(5) },
      ],
    }),
  ]);
  const file = { artifactLocation: { uri: "pipeline.yaml" } };
  const region = (line: number) => ({ startLine: line, startColumn: 2, endLine: line + 1, endColumn: 4 });
  const { results, tool } = runOf(report);
  expect(tool.driver.rules.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(results).toEqual([
    {
      ruleId: "b",
      ruleIndex: 1,
      level: "error",
      message: { text: "m (h)" },
      locations: [
        {
          physicalLocation: { ...file, region: region(1) },
          logicalLocations: [{ fullyQualifiedName: "/a" }],
        },
      ],
    },
    {
      ruleId: "a",
      ruleIndex: 0,
      level: "warning",
      message: { text: "m" },
      locations: [{ physicalLocation: file }],
    },
    {
      ruleId: "b",
      ruleIndex: 1,
      level: "note",
      message: { text: "m" },
      locations: [{ physicalLocation: file }],
      relatedLocations: [
        {
          id: 0,
          message: { text: "seen" },
          physicalLocation: file,
          logicalLocations: [{ fullyQualifiedName: "/r" }],
        },
        { id: 1, message: { text: "there" }, physicalLocation: { ...file, region: region(5) } },
      ],
    },
  ]);
});

describe("a rule is described", () => {
  const described = (code: string, more?: Partial<ValidationProblem>, own?: Record<string, string>) =>
    runOf(
      reportOf([problem("aa", { severity: "warning" }), problem(code, more)], own),
    ).tool.driver.rules.slice(1);
  const help = "https://github.com/wye/wye/blob/main/docs/pipelines/rules";

  test("by its summary, reason and usual level", () => {
    expect(described("retry-count-negative", { severity: "warning" })).toEqual([
      {
        id: "retry-count-negative",
        shortDescription: { text: "The number of retries is zero or more." },
        fullDescription: { text: "A negative number has no meaning." },
        helpUri: `${help}/retries-caching-and-strategies.md#retry-count-negative`,
        defaultConfiguration: { level: "error" },
      },
    ]);
  });

  test("as off by itself, when it is one of style", () => {
    for (const severity of ["info", "error"] as const)
      expect(described("argument-joined", { severity })[0]?.defaultConfiguration).toEqual({
        enabled: false,
        level: "note",
      });
  });

  test("with the level that it has here, when it is off by itself under the usual profile", () => {
    expect(described("retry-of-dag", { severity: "info" })[0]?.defaultConfiguration).toEqual({
      level: "note",
    });
  });

  test("by a sentence, when the reader finds it", () => {
    expect(described("wrong-type")).toEqual([
      {
        id: "wrong-type",
        shortDescription: { text: "A value of the wrong JSON type." },
        helpUri: `${help}/form-of-the-file.md#wrong-type`,
        defaultConfiguration: { level: "error" },
      },
    ]);
  });

  test.each([
    ["by its own summary", { "acme/x": "Images have a tag." }, "Images have a tag."],
    ["by its name, when nothing is known", {}, "acme/x"],
    ["by its name, when no summaries are there", undefined, "acme/x"],
  ])("%s", (_, own, text) => {
    expect(described("acme/x", { severity: "info" }, own)).toEqual([
      { id: "acme/x", shortDescription: { text }, defaultConfiguration: { level: "note" } },
    ]);
  });

  test("by its name, when every object has a member of that name", () => {
    expect(described("constructor", {}, {})[0]?.shortDescription).toEqual({ text: "constructor" });
  });
});

test.each([
  ["a/b c#d.yaml", "a/b%20c%23d.yaml"],
  ["a\\b\\c.yaml", "a/b/c.yaml"],
  ["./a.yaml", "./a.yaml"],
  ["file:///a b.yaml", "file:///a b.yaml"],
  ["HTTPS://host/a.yaml", "HTTPS://host/a.yaml"],
  ["a:b.yaml", "a%3Ab.yaml"],
  ["c://a.yaml", "c%3A//a.yaml"],
  ["ab:/c.yaml", "ab%3A/c.yaml"],
  ["x/git+ssh://a", "x/git%2Bssh%3A//a"],
  ["git+ssh://a", "git+ssh://a"],
])("the file %s is %s", (file, uri) => {
  const [result] = runOf(reportOf([problem("c")]), { file }).results;
  expect(result?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(uri);
});
