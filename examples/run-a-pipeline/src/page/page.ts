import { byId, html } from "@wye-examples/page-parts/elements";
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
  if (run !== shownRun) for (const box of boxes()) mark(box, "PENDING", "·", "not started");
  shownRun = run;
  const byBox = new Map(notes);
  for (const box of boxes()) {
    const note = byBox.get(box.dataset.box ?? "");
    if (note !== undefined) mark(box, note.state, note.sign, note.note);
  }
  happened.replaceChildren(...lines.map((line) => html("li", {}, line)));
}

function boxes(): readonly SVGElement[] {
  return [...graph.querySelectorAll<SVGElement>(".box")];
}

function mark(box: SVGElement, boxState: string, sign: string, note: string): void {
  box.dataset.state = boxState;
  const write = (part: string, text: string): void => {
    const element = box.querySelector(`:scope > g > .${part}`);
    if (element !== null && element.textContent !== text) element.textContent = text;
  };
  write("sign", sign);
  write("note", note);
}

async function draw(): Promise<void> {
  const response = await fetch("graph.svg");
  const drawing = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
  graph.replaceChildren(document.importNode(drawing, true));
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
