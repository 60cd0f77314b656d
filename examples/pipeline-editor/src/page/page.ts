import type { ValidationProblem } from "@wye/pipeline-validator";
import { byId, html } from "@wye-examples/page-parts/elements";
import type { CheckAnswer, CheckRequest } from "../check/check-messages.js";
import { createChecker } from "../check/create-checker.js";
import { examples } from "../examples.js";
import { type TaskRanges, tasksAt } from "../graph/box-ranges.js";
import type { GraphAnswer } from "../graph/graph-answer.js";
import { createEditor } from "./create-editor.js";
import { graphLegend } from "./graph-legend.js";
import { createGraphView } from "./graph-view.js";
import { letFilesIn } from "./open-file.js";
import { showProblems, summaryOf } from "./problem-list.js";

const summary = byId("summary", HTMLElement);
const note = byId("note", HTMLElement);
const list = byId("problems", HTMLElement);
const select = byId("example", HTMLSelectElement);
const tools = byId("tools", HTMLFormElement);

let ranges: ReadonlyMap<string, TaskRanges> = new Map();
const editor = createEditor(byId("editor", HTMLElement), {
  onText: check,
  onCursor: (position) => graph.highlight(tasksAt(ranges, position)),
});
const graph = createGraphView(byId("canvas", HTMLElement), (id) => {
  const name = ranges.get(id)?.name;
  if (name !== undefined) editor.goTo(name.from);
});
const checker = createChecker({
  startWorker: () => new Worker(new URL("check-worker.js", import.meta.url), { type: "module" }),
  onAnswer: show,
  onGiveUp: (reason) => {
    const what = reason === "hangs" ? "Checking took too long and was stopped." : "Checking failed.";
    say(summary, `${what} It starts anew with the next change.`);
    graph.fade();
  },
});

function check(): void {
  const profile: CheckRequest["profile"] = new FormData(tools).get("profile") === "spec" ? "spec" : "kfp";
  checker.check(editor.text(), profile);
}

function show(answer: CheckAnswer): void {
  if (answer.kind === "graph") showGraph(answer.graph);
  else showReport(answer.report.problems);
}

function showReport(problems: readonly ValidationProblem[]): void {
  editor.showProblems(problems);
  showProblems(list, problems, ({ range }) => editor.goTo(range?.start.offset ?? 0));
  say(summary, summaryOf(problems));
}

function showGraph(answer: GraphAnswer): void {
  if (answer.state === "drawn") {
    ranges = answer.ranges;
    graph.show(answer);
    graph.highlight(tasksAt(ranges, editor.cursor()));
    say(note, answer.tasks === 1 ? "1 task" : `${answer.tasks} tasks`);
  } else if (answer.state === "unreadable") {
    graph.fade();
    say(note, "The text cannot be read so far.");
  } else {
    ranges = new Map();
    graph.clear();
    say(note, answer.reason);
  }
}

/** Screen readers speak what changes, so nothing is written that is there already. */
function say(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function load(text: string): void {
  graph.zoom.reset();
  editor.replace(text);
}

async function loadExample(file: string): Promise<void> {
  try {
    const response = await fetch(new URL(`data/${file}`, import.meta.url));
    if (!response.ok) throw new Error(`status ${response.status}`);
    const text = await response.text();
    if (select.value === file) load(text);
  } catch {
    // Whatever went wrong, to the reader it is one thing.
    say(summary, "The example could not be loaded.");
  }
}

byId("legend", HTMLElement).append(...graphLegend());
const ownFile = html("option", { value: "", hidden: "" }, "Your file");
select.append(...examples.map(({ file, label }) => html("option", { value: file }, label)), ownFile);
select.addEventListener("change", () => void loadExample(select.value));
tools.addEventListener("submit", (event) => event.preventDefault());
for (const radio of tools.querySelectorAll("[name=profile]")) radio.addEventListener("change", check);
letFilesIn(byId("open", HTMLElement), byId("file", HTMLInputElement), {
  onText: (text) => {
    select.value = "";
    load(text);
  },
  onRefusal: (why) => say(summary, why),
});
byId("fit", HTMLElement).addEventListener("click", () => graph.zoom.fit());
byId("smaller", HTMLElement).addEventListener("click", () => graph.zoom.by(0.8));
byId("larger", HTMLElement).addEventListener("click", () => graph.zoom.by(1.25));
void loadExample(select.value);
