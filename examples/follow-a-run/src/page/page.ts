import { byId, html } from "@wye-examples/page-parts/elements";
import { noteBoxes, showDrawing } from "@wye-examples/page-parts/run-graph";
import type { Told } from "../told.js";

const ask = byId("ask", HTMLFormElement);
const inputs = ["host", "run", "namespace", "token"].map((id) => byId(id, HTMLInputElement));
const state = byId("state", HTMLElement);
const link = byId("link", HTMLAnchorElement);
const graph = byId("graph", HTMLElement);
const happened = byId("happened", HTMLOListElement);

// A drawing that is wider than the page is scrolled, also with the keyboard.
graph.tabIndex = 0;

let following = new AbortController();

ask.addEventListener("submit", (event) => {
  event.preventDefault();
  following.abort();
  following = new AbortController();
  void follow(following.signal);
});

async function follow(signal: AbortSignal): Promise<void> {
  say("Asking …");
  graph.replaceChildren();
  happened.replaceChildren();
  link.hidden = true;
  try {
    const body = JSON.stringify(Object.fromEntries(inputs.map(({ id, value }) => [id, value])));
    const response = await fetch("follow", { method: "POST", body, signal });
    if (!response.ok || response.body === null) throw new Error(await response.text());
    for await (const line of linesOf(response.body)) {
      // The server is this page's own, and what it tells is tested there.
      if (!signal.aborted) show(JSON.parse(line) as Told);
    }
  } catch (error) {
    if (!signal.aborted) say(`The server does not answer: ${String(error)}`);
  }
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

function show(told: Told): void {
  if (told.kind === "drawing") showDrawing(graph, told.svg);
  else if (told.kind === "problem") say(told.message, "FAILED");
  else {
    const words = told.isFinal ? "has ended:" : "is";
    say(`${told.name} ${words} ${told.state.toLowerCase()}`, told.state);
    link.href = told.link;
    link.hidden = told.link === "";
    noteBoxes(graph, new Map(told.notes));
    happened.append(...told.happened.map((line) => html("li", {}, line)));
  }
}

function say(text: string, dataState = ""): void {
  state.textContent = text;
  state.dataset.state = dataState;
}
