import type { ValidationProblem } from "@wye/pipeline-validator";
import { byId, html } from "@wye-examples/page-parts/elements";
import type { CheckAnswer, CheckRequest, ProblemAid } from "../check/check-messages.js";
import { createChecker } from "../check/create-checker.js";
import { examples } from "../examples.js";
import { type TaskRanges, tasksAt } from "../graph/box-ranges.js";
import type { GraphAnswer } from "../graph/graph-answer.js";
import type { DeclaredNames } from "../graph/names-of.js";
import { createEditor } from "./create-editor.js";
import { graphLegend } from "./graph-legend.js";
import { createGraphView } from "./graph-view.js";
import { letFilesIn } from "./open-file.js";
import { copyLink, download, OwnText, type TextOrigin, takeLinkedText, textOfBefore } from "./own-text.js";
import { showProblems, summaryOf } from "./problem-list.js";

const summary = byId("summary", HTMLElement);
const note = byId("note", HTMLElement);
const list = byId("problems", HTMLElement);
const select = byId("example", HTMLSelectElement);
const tools = byId("tools", HTMLFormElement);

const ownText = new OwnText();
let ranges: ReadonlyMap<string, TaskRanges> = new Map();
let names: DeclaredNames | undefined;
let chosen = select.value;
/** Whether the text has taken the place of the one that is drawn. */
let isOtherText = false;
const editor = createEditor(byId("editor", HTMLElement), {
  onText: (isOther) => {
    isOtherText ||= isOther;
    check();
  },
  onCursor: (position) => graph.highlight(tasksAt(ranges, position)),
  names: () => names,
});
const graph = createGraphView(byId("canvas", HTMLElement), (id) => {
  const name = ranges.get(id)?.name;
  if (name !== undefined) editor.goTo(name.from);
});
const checker = createChecker({
  startWorker: () => new Worker(byId("check-worker", HTMLLinkElement).href, { type: "module" }),
  onAnswer: show,
  onGiveUp: (reason) => {
    const what = reason === "hangs" ? "Checking took too long and was stopped." : "Checking failed.";
    say(summary, `${what} It starts anew with the next change.`);
    graph.fade();
  },
});

function check(wantsSarif = false): void {
  const profile: CheckRequest["profile"] = new FormData(tools).get("profile") === "spec" ? "spec" : "kfp";
  checker.check(editor.text(), profile, wantsSarif);
}

function show(answer: CheckAnswer): void {
  if (answer.kind === "graph") showGraph(answer.graph);
  else if (answer.kind === "report") showReport(answer.report.problems, answer.aids);
  else download("pipeline.sarif", "application/json", `${JSON.stringify(answer.log, null, 2)}\n`);
}

function showReport(problems: readonly ValidationProblem[], aids: readonly ProblemAid[]): void {
  ownText.keep(editor.text());
  editor.showProblems(problems, aids);
  showProblems(list, problems, aids, {
    onChoose: ({ range }) => editor.goTo(range?.start.offset ?? 0),
    onFix: editor.fix,
  });
  say(summary, summaryOf(problems));
}

function showGraph(answer: GraphAnswer): void {
  if (answer.state === "drawn") {
    ({ ranges, names } = answer);
    isOtherText = false;
    graph.show(answer);
    graph.highlight(tasksAt(ranges, editor.cursor()));
    say(note, answer.tasks === 1 ? "1 task" : `${answer.tasks} tasks`);
  } else {
    const isPassing = answer.state === "unreadable" && !isOtherText;
    if (isPassing) graph.fade();
    else clearGraph();
    say(note, answer.state === "unreadable" ? "The text cannot be read so far." : answer.reason);
  }
}

function clearGraph(): void {
  ranges = new Map();
  graph.clear();
}

/** Screen readers speak what changes, so nothing is written that is there already. */
function say(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function load(text: string, origin: TextOrigin, file = ""): void {
  if (!ownText.mayGo(editor.text())) {
    select.value = chosen;
    return;
  }
  chosen = select.value = file;
  graph.zoom.reset();
  ownText.load(text, origin);
  editor.replace(text);
}

async function loadLinked(): Promise<boolean> {
  const text = await takeLinkedText(() => say(summary, "The link has no text that can be read."));
  if (text !== undefined) load(text, "written");
  return text !== undefined;
}

async function loadExample(file: string): Promise<void> {
  try {
    const response = await fetch(new URL(`data/${file}`, import.meta.url));
    if (!response.ok) throw new Error(`status ${response.status}`);
    const text = await response.text();
    if (select.value === file) load(text, "example", file);
  } catch {
    // Whatever went wrong, to the reader it is one thing.
    say(summary, "The example could not be loaded.");
  }
}

byId("legend", HTMLElement).append(...graphLegend());
const ownFile = html("option", { value: "", hidden: "" }, "Your text");
select.append(...examples.map(({ file, label }) => html("option", { value: file }, label)), ownFile);
select.addEventListener("change", () => void loadExample(select.value));
tools.addEventListener("submit", (event) => event.preventDefault());
for (const radio of tools.querySelectorAll("[name=profile]")) radio.addEventListener("change", () => check());
letFilesIn(byId("open", HTMLElement), byId("file", HTMLInputElement), {
  onText: (text) => load(text, "file"),
  onRefusal: (why) => say(summary, why),
});
byId("fit", HTMLElement).addEventListener("click", () => graph.zoom.fit());
byId("smaller", HTMLElement).addEventListener("click", () => graph.zoom.by(0.8));
byId("larger", HTMLElement).addEventListener("click", () => graph.zoom.by(1.25));
byId("sarif", HTMLElement).addEventListener("click", () => check(true));
byId("link", HTMLElement).addEventListener("click", async () => say(summary, await copyLink(editor.text())));
window.addEventListener("hashchange", () => void loadLinked());
// What somebody wrote is there first: a link asks before it takes its place.
const before = textOfBefore();
if (before !== undefined) load(before, "written");
if (!(await loadLinked()) && before === undefined) void loadExample(select.value);
