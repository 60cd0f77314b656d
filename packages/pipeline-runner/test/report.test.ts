import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { isFinal, startRun } from "../src/index.js";
import { runPipeline, writeRunReport } from "../src/node/index.js";
import {
  drawPipeline,
  drawRun,
  graphNotes,
  type ReportedRun,
  renderRunReport,
  trackTasks,
} from "../src/report/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

const loop = (items: number, name = "double"): Parameters<typeof parsePipeline>[0] =>
  JSON.stringify({
    pipelineInfo: { name: "loops" },
    schemaVersion: "2.1.0",
    root: {
      dag: {
        tasks: {
          each: {
            componentRef: { name: "comp-each" },
            parameterIterator: {
              items: { raw: JSON.stringify(Array.from({ length: items }, (_, index) => index)) },
              itemInput: "item",
            },
          },
          after: { componentRef: { name: "comp-work" }, dependentTasks: ["each"] },
        },
      },
    },
    components: {
      "comp-each": {
        inputDefinitions: { parameters: { item: { parameterType: "NUMBER_INTEGER" } } },
        dag: { tasks: { [name]: { componentRef: { name: "comp-work" } } } },
      },
      "comp-work": { executorLabel: "exec-work" },
    },
    deploymentSpec: { executors: { "exec-work": { container: { image: "alpine", command: ["true"] } } } },
  });

/** Runs everything that can run, a second after the other; some of it fails. */
function ranRun(
  source: Parameters<typeof parsePipeline>[0],
  fails: (id: string) => string | undefined,
): ReportedRun {
  const parsed = parsePipeline(source);
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  let at = 1_700_000_000_000;
  const run = startRun(parsed.pipeline, { at });
  while (!isFinal(run.state)) {
    for (const { id } of run.ready()) {
      const message = fails(id);
      run.report(id, { state: "RUNNING", at });
      at += 1000;
      run.report(
        id,
        message === undefined
          ? { state: "SUCCEEDED", at }
          : { state: "FAILED", at, error: { message }, retry: false },
      );
    }
  }
  const { state, tasks, events, inputs, outputs, error } = run;
  return { pipeline: parsed.pipeline, state, tasks, events, inputs, outputs, error };
}

const named = `</title></style><script>alert(1)</script>"'&<img src=x onerror=alert(2)>\u001b[31m\u202e`;
/** Texts that come from elsewhere than a file may be no Unicode, either. */
const evil = `${named}\ud800`;

describe("a report", () => {
  test("shows the run, its failed task with the end of the log, and links from the graph to the rows", () => {
    const run = ranRun(loop(3), (id) => (id === "each[1]/double" ? "exit code 3" : undefined));
    const html = renderRunReport(run, { logTail: ({ id }) => (id === "each[1]/double" ? "last words" : "") });
    expect(html).toContain("<title>loops: failed</title>");
    expect(html).toMatch(/<a href="#(task-\d+)">each\[1\]\/double<\/a> failed: exit code 3/);
    expect(html.match(/last words/g)).toHaveLength(2);
    expect(html).toContain("after 3.0 s, started 2023-11-14 22:13:20 UTC");
    expect(html).toContain("2 succeeded · 1 failed · 1 skipped");
    const ids = new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
    const links = Array.from(html.matchAll(/href="#([^"]+)"/g), ([, id]) => id);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });

  test("draws when each attempt waited and ran, and whether it failed, also when another one followed", () => {
    const retryPolicy = { maxRetryCount: 1, backoffDuration: "3s" };
    const run = startRun(shellPipeline({ a: { run: "true", task: { retryPolicy } } }), { at: 0 });
    run.report("a", { state: "RUNNING", at: 1000 });
    run.report("a", { state: "FAILED", at: 2000, error: { message: "no luck" } });
    run.report("a", { state: "RUNNING", at: 6000 });
    run.report("a", { state: "SUCCEEDED", at: 8000 });
    const { state, tasks, events, inputs, outputs, error } = run;
    const pipeline = shellPipeline({ a: { run: "true", task: { retryPolicy } } });
    const html = renderRunReport({ pipeline, state, tasks, events, inputs, outputs, error });
    const bars = Array.from(html.matchAll(/<rect class="(waits|runs|failed)"/g), ([, kind]) => kind);
    expect(bars).toEqual(["waits", "failed", "waits", "runs"]);
  });

  test.each([
    [undefined, []],
    [[], []],
    [
      ["a < b", "odd"],
      ["a &lt; b", "odd"],
    ],
  ])("has a section of warnings only where there are some: %j", (warnings, items) => {
    const { warnings: _, ...run } = ranRun(loop(1), () => undefined);
    const html = renderRunReport({ ...run, ...(warnings && { warnings }) });
    expect(html.includes("<h2>Warnings</h2>")).toBe(items.length > 0);
    expect(Array.from(html.matchAll(/<li>([^<]*)<\/li>/g), ([, item]) => item)).toEqual(items);
  });

  test("has its sections one below the other, each class of them with a style, and a graph that can be scrolled", () => {
    const run = ranRun(loop(3), (id) => (id === "each[1]/double" ? "exit code 3" : undefined));
    const parameters = { a: 1 };
    const html = renderRunReport({
      ...run,
      ...{ inputs: { parameters, artifacts: {}, defaulted: [] }, outputs: { parameters, artifacts: {} } },
      warnings: ["odd"],
    });
    const titles = Array.from(html.matchAll(/<h2>([^<]*)<\/h2><div( class="plain")?>/g), ([, one, plain]) => [
      one,
      plain !== undefined,
    ]);
    expect(titles).toEqual([
      ["Graph", false],
      ["Inputs", true],
      ["Outputs", true],
      ["Tasks", false],
      ["Warnings", true],
    ]);
    expect(html).toContain('<div class="scroll" tabindex="0" role="region" aria-label="Graph"><svg ');
    expect(html).toContain('<div class="failure" data-state="FAILED"><p><a href="#');
    expect(html).toMatch(/<p class="legend">Thick: an attempt, [^<]* printed\.<\/p>/);
    const [, style = ""] = /<style>([^<]*)<\/style>/.exec(html) ?? [];
    const classes = new Set(
      Array.from(html.matchAll(/ class="([^"]+)"/g), ([, one = ""]) => one.split(" ")).flat(),
    );
    const unstyled = [...classes].filter((one) => !new RegExp(`\\.${one}(?![\\w-])`).test(style));
    expect([classes.size > 15, unstyled]).toEqual([true, []]);
  });

  test("takes nothing in names, reasons, values and logs for markup", () => {
    const run = ranRun(loop(1, named), () => named);
    const html = renderRunReport(
      { ...run, warnings: [evil], inputs: { parameters: { [evil]: evil }, artifacts: {}, defaulted: [] } },
      { logTail: () => evil },
    );
    expect(html).not.toMatch(/<script|<img|onerror=(?!alert\(2\)&gt;)/);
    expect(html.match(/<\/style>/g)).toHaveLength(1);
    for (const character of ["\u001b", "\u202e", "\ud800"]) expect(html).not.toContain(character);
    // Attributes cannot be left either: every quotation mark in the page is one of ours.
    expect(html).toContain("&quot;&#39;&amp;&lt;img");
  });

  test("needs nothing from elsewhere, and has neither scripts nor styles of elements", () => {
    const html = renderRunReport(ranRun(loop(2), () => undefined));
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`);
    expect(html).not.toMatch(
      /<script|<link(?! rel="icon" href="data:,">)|<iframe|<object| src=| style=| on\w+=|url\(|@import/,
    );
  });

  test("grows with the run, and not faster: 10,000 iterations are a few megabytes", {
    timeout: 300_000,
  }, () => {
    const lengthOf = (items: number) => renderRunReport(ranRun(loop(items), () => undefined)).length;
    const large = lengthOf(10_000);
    expect(large / lengthOf(1000)).toBeLessThan(11);
    expect(large).toBeLessThan(25_000_000);
  });

  test("is bounded, however much tasks take and print", () => {
    const run = ranRun(loop(3000), () => undefined);
    const html = renderRunReport(run, { logTail: () => "x".repeat(20_000) });
    expect(html.length).toBeLessThan(20_000_000);
    expect(html).toContain("characters before)");
    // Values of the tasks take a part of the eight million.
    const printed = html.replace(/[^x]/g, "").length;
    expect(printed).toBeGreaterThan(7_500_000);
    expect(printed).toBeLessThan(8_100_000);
  });

  test("is written whole, with the ends of the logs", async () => {
    const folder = makeFolder();
    const pipeline = shellPipeline({ talk: { run: "echo said; exit 1" } });
    const result = await runPipeline(pipeline, { pipelineRoot: folder });
    const file = join(folder, "report.html");
    await writeRunReport(result, file);
    expect(readFileSync(file, "utf8")).toContain('<pre class="log">said</pre>');
    await expect(writeRunReport(result, join(folder, "none", "report.html"))).rejects.toThrow("ENOENT");
    expect(readdirSync(folder).filter((name) => name.includes("report"))).toEqual(["report.html"]);
  });
});

describe("the graph", () => {
  const run = ranRun(loop(3), (id) => (id === "each[1]/double" ? "no luck" : undefined));

  test("has a box per task of the pipeline, which stands for all its iterations", () => {
    const notes = [...graphNotes(run.tasks)].map(([box, { state, note }]) => [box, state, note]);
    expect(notes).toEqual([
      ["/each", "FAILED", "failed · 3/3 · 3.0 s"],
      ["/after", "SKIPPED", "skipped"],
      ["/each/double", "FAILED", "1 failed · 2 succeeded"],
    ]);
    const drawn = drawRun(run.pipeline, run.tasks) ?? "";
    const boxes = Array.from(drawn.matchAll(/data-box="([^"]*)" data-state="([^"]*)"/g), ([, box, state]) => [
      box,
      state,
    ]);
    expect(new Map(boxes as [string, string][])).toEqual(new Map(notes.map(([box, state]) => [box, state])));
  });

  test("can be followed from events alone", () => {
    const tracked = trackTasks();
    for (const event of run.events) tracked.take(event);
    expect(graphNotes(tracked.tasks())).toEqual(graphNotes(run.tasks));
    const early = trackTasks();
    for (const event of run.events.slice(0, 5)) early.take(event);
    expect(graphNotes(early.tasks()).get("/each")).toMatchObject({
      state: "RUNNING",
      sign: ">",
      note: "running · 0/3",
    });
  });

  test("shows what has not come to be", () => {
    expect(drawRun(run.pipeline, [])?.match(/not started/g)).toHaveLength(3);
  });

  test("is left out when nobody could read it", () => {
    const many = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [`task-${index}`, { run: "true" }]),
    );
    const pipeline = shellPipeline(many);
    expect(drawRun(pipeline, [])).toBeUndefined();
    expect(renderRunReport({ ...run, pipeline })).toContain("too many tasks for a graph");
  });
});

describe("the graph of a pipeline that has not run", () => {
  const boxes = (svg: string) =>
    Array.from(svg.matchAll(/data-box="([^"]*)" data-kind="([^"]*)"/g), ([, box, kind]) => [box, kind]);

  test("tells of each task what it runs, whether and how often", () => {
    const svg = drawPipeline(ranRun(loop(3), () => undefined).pipeline) ?? "";
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(boxes(svg)).toEqual([
      ["/each", "loop"],
      ["/each/double", "task"],
      ["/after", "task"],
    ]);
    expect(svg).toContain(">for each</text>");
  });

  test("shows a condition, in full where it is cut off, and what ends the run", () => {
    const condition = "inputs.parameter_values['pipelinechannel--epochs'] > 3 && 'text' != '<none>'";
    const pipeline = shellPipeline({
      train: { run: "true", task: { triggerPolicy: { condition } } },
      tidy: {
        run: "true",
        after: ["train"],
        task: { triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" } },
      },
    });
    const svg = drawPipeline(pipeline) ?? "";
    expect(boxes(svg)).toEqual([
      ["/train", "task"],
      ["/tidy", "exit"],
    ]);
    expect(svg).toContain(
      "<title>train\nif epochs &gt; 3 &amp;&amp; &#39;text&#39; != &#39;&lt;none&gt;&#39;</title>",
    );
    expect(svg).toMatch(/class="note"[^>]*>if epochs[^<]*…<\/text>/);
  });

  test("is left out when there is nothing to draw", () => {
    expect(drawPipeline(shellPipeline({}))).toBeUndefined();
  });
});
