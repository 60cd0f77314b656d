import { describe, expect, test } from "vitest";
import { shellPipeline } from "../../test/shell-pipeline.js";
import { type RunOptions, startRun, type TaskReport } from "../index.js";
import { type ReportedRun, renderRunReport } from "./render-run-report.js";
import { graphStyle, reportStyle } from "./report-style.js";

type Step = readonly [task: string, report: TaskReport];

/** The report of a run of tasks without what they do, after some steps; its looks are left out. */
function reportOf(
  names: readonly string[],
  steps: readonly Step[],
  options: RunOptions = {},
  more: object = {},
) {
  const pipeline = shellPipeline(Object.fromEntries(names.map((name) => [name, { run: "true" }])));
  const run = startRun(pipeline, options);
  for (const step of steps) run.report(...step);
  const { state, tasks, events, inputs, outputs, error } = run;
  const reported: ReportedRun = { pipeline, state, tasks, events, inputs, outputs, error, ...more };
  const html = renderRunReport(reported, { logTail: ({ id }) => `log of ${id}` });
  return html.replace(/<style>[^<]*<\/style>/, "");
}

const titlesOf = (html: string) => Array.from(html.matchAll(/<h2>([^<]*)</g), ([, title]) => title);
const begun = { state: "RUNNING" } as const;
const failure = (message: string): TaskReport => ({ state: "FAILED", error: { message } });

describe("the head of a report", () => {
  test.each<[string, readonly Step[], RunOptions, string]>([
    [
      "tells when the run began, and how long it took",
      [["a", { ...begun, at: 3500 }]],
      { at: 1000 },
      "&gt; running</span> after 2.5 s, started 1970-01-01 00:00:01 UTC",
    ],
    ["tells no time where there is none", [["a", begun]], {}, "&gt; running</span> after 0.0 s</p>"],
    [
      "tells of no time that runs backwards",
      [["a", { ...begun, at: 500 }]],
      { at: 1000 },
      "after 0.0 s, started",
    ],
    [
      "counts the time up to the last that has happened",
      [
        ["a", { ...begun, at: 3500 }],
        ["a", { state: "SUCCEEDED", at: 9000 }],
      ],
      { at: 1000 },
      "✓ succeeded</span> after 8.0 s, started",
    ],
    [
      "tells how it has ended",
      [["a", { state: "SUCCEEDED", at: 61_000 }]],
      { at: 1000 },
      "✓ succeeded</span> after 1 min 00 s",
    ],
  ])("%s", (_, steps, options, told) => {
    expect(reportOf(["a"], steps, options)).toContain(told);
  });

  test("counts the tasks, or says that there are none", () => {
    expect(reportOf(["a", "b"], [["a", begun]])).toContain("<p>1 running · 1 queued</p>");
    expect(reportOf([], [])).toContain("<p>no tasks</p>");
  });

  test("has the name of the pipeline, or calls it one", () => {
    expect(reportOf(["a"], [])).toContain("<title>shell: running</title>");
    const { spec, ...others } = shellPipeline({ a: { run: "true" } });
    const unnamed = { name: "", description: "", displayName: "" };
    for (const pipelineInfo of [undefined, unnamed]) {
      const pipeline = { ...others, spec: { ...spec, pipelineInfo } };
      const html = reportOf(["a"], [], {}, { pipeline });
      expect(html).toContain("<title>pipeline: running</title>");
      expect(html).toContain("<h1>pipeline</h1>");
    }
  });
});

test("a report asks the network for nothing, not even for an icon", () => {
  const [head = ""] = reportOf(["a"], []).split("</head>");
  expect(head).toContain(
    `content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><link rel="icon" href="data:,">`,
  );
});

test("a report of a run whose logs nobody has has none", () => {
  const pipeline = shellPipeline({ a: { run: "true" } });
  const run = startRun(pipeline);
  run.report("a", failure("no luck"));
  const { state, tasks, events, inputs, outputs, error } = run;
  const html = renderRunReport({ pipeline, state, tasks, events, inputs, outputs, error });
  expect(html).not.toContain('class="log"');
});

describe("why a run failed", () => {
  test("is told with the task, the way to it and the end of what that has printed", () => {
    expect(reportOf(["a", "b"], [["b", failure("no <luck>")]])).not.toContain('class="failure"');
    const html = reportOf(
      ["a", "b"],
      [
        ["b", failure("no <luck>")],
        ["a", { state: "SUCCEEDED" }],
      ],
    );
    expect(html).toContain(
      '<div class="failure" data-state="FAILED"><p><a href="#task-2">b</a> failed: no &lt;luck&gt;</p><pre class="log">log of b</pre></div>',
    );
  });

  test("is told of the run where it is not a task that did", () => {
    const html = reportOf(["a", "b"], [], { limits: { tasks: 1 } });
    expect(html).toMatch(
      /<div class="failure" data-state="FAILED"><p>The run failed: [^<]* 1 tasks[^<]*<\/p><\/div>/,
    );
  });

  test("is cut where it is very long", () => {
    const html = reportOf(["a"], [["a", failure("x".repeat(4001))]]);
    expect(html).toContain(`failed: ${"x".repeat(4000)}… (1 more characters)</p>`);
  });
});

describe("the sections of a report", () => {
  test("are those of which there is something", () => {
    expect(titlesOf(reportOf(["a"], []))).toEqual(["Graph", "Tasks"]);
    const outputs = { parameters: { p: 1 }, artifacts: {} };
    const html = reportOf(["a"], [], {}, { inputs: outputs, outputs, warnings: ["odd"] });
    expect(titlesOf(html)).toEqual(["Graph", "Inputs", "Outputs", "Tasks", "Warnings"]);
  });

  test("tell what the run was given and what it has made, each in its own", () => {
    const [inputs, outputs] = ["given", "made"].map((name) => ({ parameters: { [name]: 1 }, artifacts: {} }));
    const html = reportOf(["a"], [], {}, { inputs, outputs, warnings: ["odd <one>", "other"] });
    const told = html.split("<h2>").map((section) => section.replace(/<\/div><\/section>.*/s, ""));
    const box = '</h2><div class="plain">';
    expect(told).toContain(`Inputs${box}<dl><dt>given</dt><dd>1</dd></dl>`);
    expect(told).toContain(`Outputs${box}<dl><dt>made</dt><dd>1</dd></dl>`);
    expect(told).toContain(`Warnings${box}<ul><li>odd &lt;one&gt;</li><li>other</li></ul>`);
  });

  test("have no graph of a pipeline without tasks", () => {
    const html = reportOf([], []);
    expect(titlesOf(html)).toEqual(["Tasks"]);
    expect(html).not.toContain("too many tasks");
  });

  test.each([
    [1500, false],
    [1501, true],
  ])("have a graph of as many tasks as can be read: %i", (count, isTooLarge) => {
    const html = reportOf(
      Array.from({ length: count }, (_, index) => `t${index}`),
      [],
    );
    expect(html.includes("There are too many tasks for a graph that can be read.")).toBe(isTooLarge);
    expect(html.includes("<svg")).toBe(!isTooLarge);
  });
});

test("each state has colours of its own, for what is drawn and for what is behind it, in the light and in the dark", () => {
  const rules = Array.from(
    graphStyle.matchAll(/^(\[data-state.*) \{ (.*); \}$/gm),
    ([, states = "", colors]) =>
      states.split(", ").map((state) => [state.slice("[data-state".length, -1), colors]),
  );
  const colors = (state: string, wash: string) => `--state: light-dark(${state}); --wash: ${wash}`;
  const blue = colors("#0b5cad, #82b8f2", "light-dark(#e8f1fb, #16283a)");
  expect(Object.fromEntries(rules.flat())).toEqual({
    "": colors("#5d646b, #a3abb2", "var(--card)"),
    "=QUEUED": "--wash: var(--ground)",
    "=PENDING": "--wash: var(--ground)",
    "=RUNNING": blue,
    "=CANCELLING": blue,
    "=SUCCEEDED": colors("#1a7040, #6fcf97", "light-dark(#e9f6ee, #15291d)"),
    "=FAILED": colors("#b3261e, #ff9a90", "light-dark(#fdecea, #3a1a18)"),
    "=CANCELLED": colors("#85520a, #f0b968", "light-dark(#fdf3e1, #33260f)"),
  });
});

test("a page has the colours that what is drawn needs, in the light and in the dark", () => {
  const [, root = ""] = /:root \{([^}]*)\}/.exec(reportStyle) ?? [];
  const colors = Array.from(root.matchAll(/--(\w+): light-dark\(([^)]*)\)/g), ([, name, pair]) => [
    name,
    pair,
  ]);
  expect(Object.fromEntries(colors)).toEqual({
    ground: "#fbfaf7, #14171a",
    card: "#fff, #1c2126",
    line: "#ddd8cd, #343c44",
    ink: "#22262a, #e8e6e1",
    soft: "#5d646b, #a3abb2",
    link: "#0b5cad, #82b8f2",
  });
  expect(root).toContain("color-scheme: light dark;");
});
