/** What is said of a box: its state for the colour, a sign, and words. */
export interface BoxNote {
  readonly state: string;
  readonly sign: string;
  readonly note: string;
}

/** Puts a drawing, as SVG text, in place of what is there. */
export function showDrawing(graph: Element, drawing: string): void {
  const { documentElement } = new DOMParser().parseFromString(drawing, "image/svg+xml");
  graph.replaceChildren(document.importNode(documentElement, true));
}

/** Says of each box of a drawn graph how it is. The drawing stays, only what it says of its boxes changes. */
export function noteBoxes(graph: Element, notes: ReadonlyMap<string, BoxNote>): void {
  for (const box of graph.querySelectorAll<SVGElement>(".box")) {
    const note = notes.get(box.dataset.box ?? "");
    if (note !== undefined) noteBox(box, note);
  }
}

/** Says of all boxes that nothing has happened yet. */
export function clearBoxes(graph: Element): void {
  for (const box of graph.querySelectorAll<SVGElement>(".box")) {
    noteBox(box, { state: "PENDING", sign: "·", note: "not started" });
  }
}

function noteBox(box: SVGElement, { state, sign, note }: BoxNote): void {
  box.dataset.state = state;
  const write = (part: string, text: string): void => {
    const element = box.querySelector(`:scope > g > .${part}`);
    if (element !== null && element.textContent !== text) element.textContent = text;
  };
  write("sign", sign);
  write("note", note);
}
