import { describe, expect, test } from "vitest";
import type { RunEvent } from "../run-event.js";
import { asMarkup, join, tag, text } from "./markup.js";
import { logOf, taskDetails, valuesOf } from "./task-details.js";
import { taskSpans } from "./task-spans.js";
import { TextBudget } from "./text-budget.js";
import { trackTasks } from "./track-tasks.js";

describe("markup", () => {
  test("has no signs of a text in it, and keeps its lines", () => {
    expect(text(`<a href="x">'&amp;'</a>`)).toBe("&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39;&lt;/a&gt;");
    expect(text("a\n\tb\r\n\u202ec")).toBe("a\n b\\u{d}\n\\u{202e}c");
  });

  test("has attributes that are there, in their order", () => {
    const attributes = { id: `"<`, open: true, width: 0, class: undefined, title: "" } as const;
    expect(tag("a", attributes, text("x"), undefined, tag("b", {}))).toBe(
      '<a id="&quot;&lt;" open width="0" title="">x<b></b></a>',
    );
    expect(tag("i", { title: "a\nb" })).toBe('<i title="a\\u{a}b"></i>');
    expect(join([tag("i", {}), asMarkup("<br>")])).toBe("<i></i><br>");
    expect(join([])).toBe("");
  });
});

describe("room for texts", () => {
  test("is given to the beginning, or to the end", () => {
    const budget = new TextBudget(100);
    expect(budget.head("abcdef", 6)).toBe("abcdef");
    expect(budget.head("abcdef", 5)).toBe("abcde… (1 more characters)");
    expect(budget.tail("abcdef", 6)).toBe("abcdef");
    expect(budget.tail("abcdef", 5)).toBe("(1 characters before) …bcdef");
    expect(budget.head("abc", 0)).toBe("… (3 more characters)");
    expect(budget.tail("abc", 0)).toBe("(3 characters before) …");
    expect(budget.head("", 5)).toBe("");
  });

  test("is used up by both, and by no more than is shown", () => {
    const budget = new TextBudget(10);
    expect(budget.head("abcdef", 4)).toBe("abcd… (2 more characters)");
    expect(budget.tail("abcdef", 100)).toBe("abcdef");
    expect(budget.head("gh", 100)).toBe("… (2 more characters)");
    expect(budget.tail("gh", 100)).toBe("(2 characters before) …");
    expect(budget.head("", 100)).toBe("");
  });
});

describe("the details of a task", () => {
  const artifact = {
    name: "",
    uri: "",
    type: undefined,
    properties: {},
    customProperties: {},
    metadata: undefined,
  };
  const budget = () => new TextBudget(1_000_000);

  test("tell its values by name", () => {
    const values = {
      parameters: { n: 1, t: "<a>", gone: undefined },
      artifacts: {
        m: {
          artifacts: [
            { ...artifact, uri: "s3://a" },
            { ...artifact, uri: "s3://b" },
          ],
        },
        none: { artifacts: [] },
      },
    };
    expect(valuesOf(values, budget())).toBe(
      "<dl><dt>n</dt><dd>1</dd><dt>t</dt><dd>&quot;&lt;a&gt;&quot;</dd><dt>gone</dt><dd></dd><dt>m</dt><dd>s3://a\ns3://b</dd><dt>none</dt><dd></dd></dl>",
    );
    expect(valuesOf(undefined, budget())).toBeUndefined();
    expect(valuesOf({ parameters: {}, artifacts: {} }, budget())).toBeUndefined();
    expect(valuesOf({ parameters: { ["k".repeat(2001)]: "v".repeat(1998) }, artifacts: {} }, budget())).toBe(
      `<dl><dt>${"k".repeat(2000)}… (1 more characters)</dt><dd>&quot;${"v".repeat(1998)}&quot;</dd></dl>`,
    );
  });

  test("end with what it has printed, without its colours", () => {
    expect(logOf("", budget())).toBeUndefined();
    expect(logOf("\x1b[1;31mred\x1b[0m\n\x1b[K", budget())).toBe('<pre class="log">red\n\\u{1b}[K</pre>');
    const colored = "\x1b[31mx\x1b[0m";
    expect(logOf(colored.repeat(8000), budget())).toBe(`<pre class="log">${"x".repeat(8000)}</pre>`);
    expect(logOf(`y${colored.repeat(8000)}`, budget())).toBe(
      `<pre class="log">(1 characters before) …${"x".repeat(8000)}</pre>`,
    );
  });

  test("tell the beginning of a long reason", () => {
    const task = { reason: "x".repeat(2003), inputs: undefined, outputs: undefined } as never;
    expect(taskDetails(task, "", budget())).toContain(`<p>${"x".repeat(2000)}… (3 more characters)</p>`);
  });

  test("begin with why it is as it is, and leave out what is not there", () => {
    const task = { reason: "it <was>", inputs: undefined, outputs: undefined } as never;
    expect(taskDetails(task, "", budget())).toBe('<div class="details"><p>it &lt;was&gt;</p></div>');
    const full = {
      reason: "r",
      inputs: { parameters: { a: 1 }, artifacts: {} },
      outputs: { parameters: { b: 2 }, artifacts: {} },
    };
    expect(taskDetails(full as never, "said", budget())).toBe(
      '<div class="details"><p>r</p><div><p class="label">Inputs</p><dl><dt>a</dt><dd>1</dd></dl></div><div><p class="label">Outputs</p><dl><dt>b</dt><dd>2</dd></dl></div><pre class="log">said</pre></div>',
    );
  });
});

type Happened = readonly [task: string, state: RunEvent["state"], at?: number, more?: Partial<RunEvent>];
const events = (...all: readonly Happened[]): readonly RunEvent[] =>
  all.map(([task, state, at, more], index) => ({
    ...{ number: index + 1, task, state, reason: "" },
    ...(at === undefined ? {} : { at }),
    ...more,
  }));

test("what each task did when follows from the events that have times", () => {
  const spans = taskSpans(
    events(
      ["", "RUNNING", 0],
      ["a", "QUEUED", 1],
      ["b", "QUEUED", 2],
      ["a", "RUNNING", 3],
      ["a", "QUEUED", 5],
      ["b", "RUNNING"],
      ["a", "RUNNING", 8],
      ["b", "SUCCEEDED", 9],
      ["a", "FAILED", 10],
      ["c", "SKIPPED", 11],
      ["d", "QUEUED", 12],
      ["d", "CANCELLED", 13],
      ["e", "QUEUED", 14],
      ["e", "FAILED", 15],
      ["f", "RUNNING", 16],
      ["f", "SUCCEEDED", 18],
      ["g", "RUNNING", 19],
      ["", "FAILED", 20],
    ),
  );
  expect(Object.fromEntries(spans)).toEqual({
    a: [
      { kind: "waits", from: 1, to: 3 },
      { kind: "failed", from: 3, to: 5 },
      { kind: "waits", from: 5, to: 8 },
      { kind: "failed", from: 8, to: 10 },
    ],
    b: [{ kind: "waits", from: 2, to: 9 }],
    d: [{ kind: "waits", from: 12, to: 13 }],
    e: [{ kind: "waits", from: 14, to: 15 }],
    f: [{ kind: "runs", from: 16, to: 18 }],
  });
});

test("a run that is somewhere else is followed by its events", () => {
  const { take, tasks } = trackTasks();
  for (const event of events(
    ["", "RUNNING", 0],
    ["loop", "RUNNING", 1, { inside: 2 }],
    ["loop[1]", "QUEUED", 2, { attempt: 1 }],
    ["loop[1]", "RUNNING", 3, { attempt: 1 }],
    ["loop[1]", "QUEUED", 4, { attempt: 2 }],
    ["loop[1]", "RUNNING", 5, { attempt: 2 }],
    ["loop[1]", "SUCCEEDED", 6],
    ["a%2Fb", "RUNNING"],
    ["a%2Fb", "FAILED"],
    ["loop", "SUCCEEDED", 7],
    ["", "CANCELLING"],
  ))
    take(event);
  expect(tasks()).toEqual([
    {
      ...{ id: "loop", parent: "", name: "loop", state: "SUCCEEDED", attempts: 0, inside: 2 },
      ...{ startedAt: 1, endedAt: 7 },
    },
    {
      ...{ id: "loop[1]", parent: "loop", name: "loop", iteration: 1, state: "SUCCEEDED", attempts: 2 },
      ...{ startedAt: 3, endedAt: 6 },
    },
    { id: "a%2Fb", parent: "", name: "a/b", state: "FAILED", attempts: 0 },
  ]);
});
