import { describe, expect, test } from "vitest";
import type { RunTask } from "../run-task.js";
import { taskRows } from "./task-rows.js";
import type { TaskSpan } from "./task-spans.js";
import { TextBudget } from "./text-budget.js";

const task = (id: string, more: Partial<RunTask> = {}): RunTask => ({
  ...{ id, name: id, displayName: id, kind: "container", path: "", parent: "" },
  ...{ state: "SUCCEEDED", attempts: 1, reason: "because" },
  ...more,
});

function rowsOf(tasks: readonly RunTask[], spans: readonly TaskSpan[] = [], log = "") {
  const markup = taskRows({
    ...{ tasks, from: 1000, to: 3000, logTail: () => log, budget: new TextBudget(1e6) },
    spans: new Map(tasks.map(({ id }) => [id, spans])),
    anchors: new Map(tasks.map(({ id }, at) => [id, `t-${at}`])),
  });
  return String(markup);
}
const textsOf = (html: string, name: string) =>
  Array.from(html.matchAll(new RegExp(`<span class="${name}"[^>]*>([^<]*)</span>`, "g")), ([, text]) => text);

test.each<[Partial<RunTask>, readonly (readonly string[])[]]>([
  [{}, [["✓"], ["a"], ["succeeded"], [""]]],
  [{ displayName: "A", state: "FAILED", attempts: 2 }, [["✗"], ["A"], ["failed · attempt 2"], [""]]],
  [{ iteration: 0, cached: true }, [["✓"], ["a [0]"], ["cached"], [""]]],
  [{ startedAt: 0, endedAt: 1500 }, [["✓"], ["a"], ["succeeded"], ["1.5 s"]]],
  [{ startedAt: 1000, endedAt: 2500 }, [["✓"], ["a"], ["succeeded"], ["1.5 s"]]],
  [{ state: "RUNNING", startedAt: 0 }, [["&gt;"], ["a"], ["running"], [""]]],
  [{ state: "SKIPPED", attempts: 0, endedAt: 5 }, [["-"], ["a"], ["skipped"], [""]]],
])("a row tells of %j", (more, texts) => {
  const html = rowsOf([task("a", more)]);
  expect(["sign", "name", "state", "time"].map((name) => textsOf(html, name))).toEqual(texts);
  expect(html).toContain(`<details id="t-0" data-state="${more.state ?? "SUCCEEDED"}">`);
});

test("the rows of what is in a task are in its row, and those that have ended are counted", () => {
  const html = rowsOf([
    task("", { state: "RUNNING" }),
    task("g", { kind: "dag", state: "RUNNING" }),
    task("g/a", { parent: "g", displayName: "in" }),
    task("g/b", { parent: "g", displayName: "other", state: "QUEUED" }),
    task("g/c", { parent: "g", displayName: "bad", state: "FAILED" }),
    task("z"),
  ]);
  expect(textsOf(html, "name")).toEqual(["g", "in", "other", "bad", "z"]);
  expect(textsOf(html, "state")).toEqual(["running · 2/3", "succeeded", "queued", "failed", "succeeded"]);
  expect(html.match(/<ul class="rows">/g)).toHaveLength(2);
});

describe("what is open, and what a browser may leave out", () => {
  const group = (count: number, state: RunTask["state"] = "SUCCEEDED") => [
    task("g", { kind: "dag", state }),
    ...Array.from({ length: count - 1 }, (_, at) => task(`g/${at}`, { parent: "g" })),
  ];
  test.each([
    [60, "SUCCEEDED", 1],
    [61, "SUCCEEDED", 0],
    [61, "FAILED", 1],
    [1, "FAILED", 0],
  ] as const)("of %i tasks, the first of them %s: %i open", (count, state, open) => {
    expect(rowsOf(group(count, state)).match(/<details [^>]* open[=>"]/g) ?? []).toHaveLength(open);
  });

  test.each([
    [500, 'class="rows"'],
    [501, 'class="rows many"'],
  ])("of %i tasks the list has the %s", (count, name) => {
    expect(rowsOf(group(count))).toMatch(new RegExp(`^<ul ${name}>`));
  });
});

test("a chart has a bar for each stretch, in thousandths of the time that it shows", () => {
  const html = rowsOf(
    [task("a")],
    [
      { kind: "waits", from: 1000, to: 1500 },
      { kind: "failed", from: 1500, to: 2000 },
      { kind: "runs", from: 2999, to: 3000 },
    ],
  );
  expect(html).toContain(
    '<svg class="chart" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">',
  );
  const bars = Array.from(
    html.matchAll(/<rect class="(\w+)" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g),
    ([, kind, ...numbers]) => [kind, ...numbers.map(Number)],
  );
  expect(bars).toEqual([
    ["waits", 0, 4, 250, 2],
    ["failed", 250, 0, 250, 10],
    ["runs", 1000, 0, 3, 10],
  ]);
  expect(rowsOf([task("a")])).toContain('<span class="chart"></span>');
});

test("a row opens to the reason, to what the task took and made, and to what it printed", () => {
  const artifacts = { data: { artifacts: [{ uri: "/a" }, { uri: "/b" }] } } as never;
  const html = rowsOf(
    [
      task("a", {
        inputs: { parameters: { n: 1, none: null }, artifacts: {}, defaulted: [] },
        outputs: { parameters: {}, artifacts },
      }),
    ],
    [],
    "\u001b[31mred\u001b[0m",
  );
  expect(html).toContain('<div class="details"><p>because</p>');
  expect(html).toContain(
    '<p class="label">Inputs</p><dl><dt>n</dt><dd>1</dd><dt>none</dt><dd>null</dd></dl>',
  );
  expect(html).toContain('<p class="label">Outputs</p><dl><dt>data</dt><dd>/a\n/b</dd></dl>');
  expect(html).toContain('<pre class="log">red</pre>');
  const bare = rowsOf([task("a")]);
  for (const word of ["Inputs", "Outputs", "<pre"]) expect(bare).not.toContain(word);
});

test("of long values and reasons the beginning is shown, and of what was printed the end", () => {
  const long = (word: string, most: number) => `${word}${"x".repeat(most)}${word}`;
  const html = rowsOf(
    [
      task("a", {
        reason: long("why", 2000),
        inputs: { parameters: { [long("name", 2000)]: long("value", 2000) }, artifacts: {}, defaulted: [] },
      }),
    ],
    [],
    long("log", 8000),
  );
  for (const begin of ["<p>whyx", "<dt>namex", "<dd>&quot;valuex"]) expect(html).toContain(begin);
  for (const end of ["xwhy", "xname", "xvalue", "logx"]) expect(html).not.toContain(end);
  expect(html).toContain("xlog</pre>");
});
