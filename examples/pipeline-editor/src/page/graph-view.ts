import type { GraphAnswer } from "../graph/graph-answer.js";
import { drawGraph, graphMargin } from "./draw-graph.js";
import { GraphZoom } from "./graph-zoom.js";

/** The part of the page with the graph. */
export interface GraphView {
  readonly show: (answer: Extract<GraphAnswer, { readonly state: "drawn" }>) => void;
  /** Leaves what is drawn, but pale: it is of an older text. */
  readonly fade: () => void;
  readonly clear: () => void;
  /** Marks the tasks at the cursor of the editor, and brings the first of them into view. */
  readonly highlight: (ids: readonly string[]) => void;
  readonly zoom: GraphZoom;
}

/** @param onChoose  hears of a task that was clicked, or chosen with Enter */
export function createGraphView(canvas: HTMLElement, onChoose: (id: string) => void): GraphView {
  const zoom = new GraphZoom(canvas);
  canvas.addEventListener("click", (event) => {
    const item = itemOf(event.target);
    if (item !== undefined) onChoose(idOf(item));
  });
  canvas.addEventListener("focusin", (event) => {
    const item = itemOf(event.target);
    if (item !== undefined) makeTabStop(canvas, item);
  });
  canvas.addEventListener("keydown", (event) => {
    const item = itemOf(event.target);
    if (item === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") onChoose(idOf(item));
    else if (!moveFocus(canvas, item, event.key) && !changeSize(zoom, event.key)) return;
    event.preventDefault();
  });
  return {
    zoom,
    show: ({ drawing, name }) => {
      const focused = itemOf(document.activeElement);
      const graph = drawGraph(drawing, name);
      zoom.show(graph, {
        width: drawing.width + 2 * graphMargin,
        height: drawing.height + 2 * graphMargin,
      });
      canvas.classList.remove("faded");
      const again = focused && itemsIn(canvas).find((item) => idOf(item) === idOf(focused));
      const first = again ?? itemsIn(canvas)[0];
      if (first !== undefined) makeTabStop(canvas, first);
      again?.focus({ preventScroll: true });
    },
    fade: () => canvas.classList.add("faded"),
    clear: () => canvas.replaceChildren(),
    highlight: (ids) => {
      const wanted = new Set(ids);
      let isFirst = true;
      for (const item of itemsIn(canvas)) {
        const isWanted = wanted.has(idOf(item));
        item.setAttribute("aria-selected", String(isWanted));
        if (isWanted && isFirst) reveal(canvas, item);
        if (isWanted) isFirst = false;
      }
    },
  };
}

function itemsIn(canvas: HTMLElement): readonly SVGGElement[] {
  return [...canvas.querySelectorAll<SVGGElement>("[role=treeitem]")];
}

function itemOf(target: EventTarget | null): SVGGElement | undefined {
  const item = target instanceof Element ? target.closest("[role=treeitem]") : null;
  return item instanceof SVGGElement ? item : undefined;
}

function idOf(item: SVGGElement): string {
  return item.dataset.id ?? "";
}

/** One task can be reached with Tab, all others with the arrow keys: as in any tree. */
function makeTabStop(canvas: HTMLElement, item: SVGGElement): void {
  for (const other of canvas.querySelectorAll("[role=treeitem][tabindex='0']"))
    other.setAttribute("tabindex", "-1");
  item.setAttribute("tabindex", "0");
}

function moveFocus(canvas: HTMLElement, item: SVGGElement, key: string): boolean {
  const items = itemsIn(canvas);
  const place = items.indexOf(item);
  const targets: Readonly<Record<string, () => SVGGElement | null | undefined>> = {
    ArrowDown: () => items[place + 1],
    ArrowUp: () => items[place - 1],
    ArrowRight: () => item.querySelector<SVGGElement>("[role=treeitem]"),
    ArrowLeft: () => itemOf(item.parentElement),
    Home: () => items[0],
    End: () => items.at(-1),
  };
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined;
  const next = target?.();
  next?.focus({ preventScroll: true });
  if (next) reveal(canvas, next);
  return target !== undefined;
}

function changeSize(zoom: GraphZoom, key: string): boolean {
  if (key === "+" || key === "=") zoom.by(1.25);
  else if (key === "-") zoom.by(0.8);
  else if (key === "0") zoom.fit();
  else return false;
  return true;
}

/** Scrolls the graph, and only the graph, so far that a task is seen. */
function reveal(canvas: HTMLElement, item: SVGGElement): void {
  const box = (item.querySelector(".main") ?? item).getBoundingClientRect();
  const room = canvas.getBoundingClientRect();
  canvas.scrollBy({
    left: distance(box.left, box.right, room.left, room.left + canvas.clientWidth),
    top: distance(box.top, box.bottom, room.top, room.top + canvas.clientHeight),
    behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth",
  });
}

function distance(start: number, end: number, from: number, to: number): number {
  const edge = 12;
  if (start < from + edge || end - start > to - from) return start - from - edge;
  return end > to - edge ? end - to + edge : 0;
}
