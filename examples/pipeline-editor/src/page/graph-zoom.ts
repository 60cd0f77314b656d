import type { Size } from "../graph/lay-out-dag.js";

const [smallest, largest] = [0.02, 3];
/** Below this size letters cannot be read: a large graph rather starts at its beginning. */
const smallestAtFirst = 0.5;

/**
 * Shows a drawing in a scrolling part of the page, larger or smaller. Scrolling is that of the browser, so that wheels,
 * fingers and keys move the graph as they move any page.
 */
export class GraphZoom {
  private readonly canvas: HTMLElement;
  private drawing: SVGElement | undefined;
  private size: Size = { width: 1, height: 1 };
  private scale = 1;
  /** Whether somebody has chosen the size. */
  private isChosen = false;
  private isFresh = true;

  constructor(canvas: HTMLElement) {
    this.canvas = canvas;
    new ResizeObserver(() => this.fitAtFirst()).observe(canvas);
    letMouseDrag(canvas);
    canvas.addEventListener(
      "wheel",
      (event) => {
        // So browsers report a pinch on a touchpad, too.
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.by(Math.exp(-event.deltaY / 300), event);
      },
      { passive: false },
    );
  }

  /** Takes a new drawing; it is fitted as long as nobody has chosen a size. */
  show(drawing: SVGElement, size: Size): void {
    const { scrollLeft, scrollTop } = this.canvas;
    [this.drawing, this.size] = [drawing, size];
    this.canvas.replaceChildren(drawing);
    this.apply(this.scale);
    this.fitAtFirst();
    if (this.isFresh) this.canvas.scrollTo(this.leftOfFirst(), 0);
    else this.canvas.scrollTo(scrollLeft, scrollTop);
    this.isFresh = false;
  }

  /** Shows all of it. */
  fit(): void {
    this.isChosen = true;
    // A little smaller than the room, or rounding makes scroll bars appear.
    this.apply(this.whole() * 0.99);
  }

  /** Makes it larger or smaller, around a point of the screen, or around the middle. */
  by(factor: number, around?: { readonly clientX: number; readonly clientY: number }): void {
    this.isChosen = true;
    const { canvas, scale: before } = this;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const x = around === undefined ? width / 2 : around.clientX - left;
    const y = around === undefined ? height / 2 : around.clientY - top;
    this.apply(before * factor);
    canvas.scrollLeft = ((canvas.scrollLeft + x) * this.scale) / before - x;
    canvas.scrollTop = ((canvas.scrollTop + y) * this.scale) / before - y;
  }

  /** Forgets the chosen size, for another graph. */
  reset(): void {
    this.isChosen = false;
    this.isFresh = true;
  }

  private apply(scale: number): void {
    this.scale = Math.max(smallest, Math.min(largest, scale));
    this.drawing?.setAttribute("width", String(this.size.width * this.scale));
    this.drawing?.setAttribute("height", String(this.size.height * this.scale));
  }

  /** The size in which all of it is seen. */
  private whole(): number {
    const { clientWidth, clientHeight } = this.canvas;
    return Math.min(clientWidth / this.size.width, clientHeight / this.size.height, 1.15);
  }

  private fitAtFirst(): void {
    if (!this.isChosen && this.canvas.clientWidth > 0) this.apply(Math.max(this.whole(), smallestAtFirst));
  }

  /** Where to scroll for the first task to be in the middle: a wide graph may be empty at its corner. */
  private leftOfFirst(): number {
    const first = this.drawing?.querySelector("[role=treeitem] > .main")?.getBoundingClientRect();
    const room = this.canvas.getBoundingClientRect();
    if (first === undefined) return 0;
    return this.canvas.scrollLeft + first.left + first.width / 2 - room.left - room.width / 2;
  }
}

/** Fingers scroll by themselves; a mouse takes hold of the graph, and the click at the end of that chooses nothing. */
function letMouseDrag(canvas: HTMLElement): void {
  let isHeld = false;
  let way = 0;
  canvas.addEventListener("pointerdown", ({ pointerType, button }) => {
    isHeld = pointerType === "mouse" && button === 0;
    way = 0;
  });
  canvas.addEventListener("pointermove", ({ buttons, movementX, movementY }) => {
    if (!isHeld || (buttons & 1) === 0) return;
    way += Math.abs(movementX) + Math.abs(movementY);
    canvas.scrollBy({ left: -movementX, top: -movementY, behavior: "instant" });
  });
  canvas.addEventListener(
    "click",
    (event) => {
      if (isHeld && way > 5) event.stopPropagation();
      isHeld = false;
    },
    { capture: true },
  );
}
