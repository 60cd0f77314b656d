import { byId, html } from "@wye-examples/page-parts/elements";
import { clearBoxes, noteBoxes, showDrawing } from "@wye-examples/page-parts/run-graph";
import type { RunPicture } from "../live-run.js";

const start = byId("start", HTMLButtonElement);
const stop = byId("stop", HTMLButtonElement);
const without = byId("without", HTMLSelectElement);
const state = byId("state", HTMLElement);
const report = byId("report", HTMLAnchorElement);
const happened = byId("happened", HTMLOListElement);
const graph = byId("graph", HTMLElement);

const words: Readonly<Record<RunPicture["state"], string>> = {
  NONE: "no run yet",
  RUNNING: "runs",
  CANCELLING: "is being stopped",
  PENDING: "waits",
  QUEUED: "waits",
  SKIPPED: "was skipped",
  SUCCEEDED: "has succeeded",
  FAILED: "has failed",
  CANCELLED: "was stopped",
};

let shownRun = -1;

/** Shows what the server says. The drawing stays, only what it says of its boxes changes. */
function show(picture: RunPicture): void {
  const { run, state: now, notes, happened: lines, hasReport } = picture;
  const isRunning = now === "RUNNING" || now === "CANCELLING";
  const text = run === 0 ? words.NONE : `Run ${run} ${words[now]}`;
  if (state.textContent !== text) state.textContent = text;
  state.dataset.state = now;
  start.disabled = isRunning;
  stop.disabled = now !== "RUNNING";
  report.hidden = !hasReport || isRunning;
  if (run !== shownRun) clearBoxes(graph);
  shownRun = run;
  noteBoxes(graph, new Map(notes));
  happened.replaceChildren(...lines.map((line) => html("li", {}, line)));
}

async function draw(): Promise<void> {
  const response = await fetch("graph.svg");
  showDrawing(graph, await response.text());
}

async function ask(path: string): Promise<void> {
  try {
    const response = await fetch(path, { method: "POST" });
    if (!response.ok && response.status !== 409) throw new Error(await response.text());
  } catch {
    state.textContent = "The server does not answer";
  }
}

start.addEventListener("click", () => void ask(`start?withoutData=${encodeURIComponent(without.value)}`));
stop.addEventListener("click", () => void ask("stop"));

await draw();
const events = new EventSource("events");
// The server is this page's own, and its picture is tested there.
events.addEventListener("message", ({ data }) => show(JSON.parse(String(data)) as RunPicture));
events.addEventListener("error", () => {
  state.textContent = "The server does not answer";
});
