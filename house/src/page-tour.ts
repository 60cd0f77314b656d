import { comeToRest } from "@wye-examples/page-parts/chromium";
import axe from "axe-core";
import type { Page } from "playwright-core";

/** How a page is looked at. */
export interface Way {
  readonly width: number;
  readonly colorScheme: "light" | "dark";
  readonly reducedMotion: "reduce" | "no-preference";
}

/** Phones and desks, by day and by night, for those whom movement makes ill and the others. */
export const ways: readonly Way[] = [1280, 390].flatMap((width) =>
  (["light", "dark"] as const).flatMap((colorScheme) =>
    (["no-preference", "reduce"] as const).map((reducedMotion) => ({ width, colorScheme, reducedMotion })),
  ),
);

/**
 * The rule wants all lettering within a name: that of the keys that open the search, and of all boxes within a box of a graph.
 * These are pictures of a kind; what one says to choose a thing is in its name.
 */
const notMeant = { "label-content-name-mismatch": { enabled: false } };

/** All that is wrong with a page as it is shown now, in sentences: nothing, usually. */
export async function faultsOf(page: Page, way: Way): Promise<readonly string[]> {
  const faults: string[] = [];
  await comeToRest(page);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (overflow > 0) faults.push(`it is ${overflow} px wider than the window`);
  if (way.reducedMotion === "reduce") faults.push(...(await movements(page)));
  // Movement changes neither what a page says nor where the keyboard leads.
  else faults.push(...(await barriers(page)), ...(await walkByKeyboard(page)));
  return faults;
}

async function barriers(page: Page): Promise<readonly string[]> {
  // Evaluated by the browser's debugger, which the content security policy lets pass.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run(document, ${JSON.stringify({ rules: notMeant, resultTypes: ["violations"] })})`,
  );
  return violations.map(({ id, nodes }) => `axe: ${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** What moves although it should not. */
function movements(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const longest = (durations: string): number => Math.max(...durations.split(",").map(Number.parseFloat));
    return [...document.querySelectorAll("*")].flatMap((element) => {
      const { transitionDuration, animationDuration, animationName, scrollBehavior } =
        getComputedStyle(element);
      const moves =
        longest(transitionDuration) > 0.01 ||
        (animationName !== "none" && longest(animationDuration) > 0.01) ||
        scrollBehavior === "smooth";
      return moves ? [`it moves: ${element.outerHTML.slice(0, 120)}`] : [];
    });
  });
}

/** Walks with Tab from the beginning of a page to its end: all that can be used has to be reached, seen, and not covered. */
async function walkByKeyboard(page: Page): Promise<readonly string[]> {
  await page.evaluate(prepareWalk);
  const faults: string[] = [];
  for (let count = 0; count < mostStops; count++) {
    await page.keyboard.press("Tab");
    const step = await page.evaluate(() => window.wyeWalk.step());
    faults.push(...step.faults);
    if (step.isThrough) return [...faults, ...(await page.evaluate(() => window.wyeWalk.unreached()))];
  }
  return [...faults, `the keyboard does not come through in ${mostStops} steps`];
}

/** More than any page has, and soon enough for one from which the keyboard does not come back. */
const mostStops = 700;

declare global {
  interface Window {
    wyeWalk: {
      step(): { readonly faults: readonly string[]; readonly isThrough: boolean };
      unreached(): readonly string[];
    };
  }
}

/** Runs in the page. */
function prepareWalk(): void {
  const reached = new Set<Element>();
  let last: { readonly element: Element; readonly look: string } | undefined;
  const named = (element: Element): string => element.outerHTML.slice(0, 160);
  /** What of a control is seen: an invisible one is shown by its label. */
  const shown = (element: Element): Element =>
    element instanceof HTMLInputElement && getComputedStyle(element).opacity === "0"
      ? (element.labels?.[0] ?? element)
      : element;
  const lookOf = (element: Element): string =>
    [element, element.parentElement, element.nextElementSibling, element.querySelector("rect")]
      .flatMap((one) => {
        if (!one) return [];
        const style = getComputedStyle(one);
        return [
          style.outline,
          style.boxShadow,
          style.border,
          style.backgroundColor,
          style.color,
          style.stroke,
          style.strokeWidth,
        ];
      })
      .join();
  const isUsable = (element: Element): boolean =>
    element instanceof HTMLElement &&
    element.tabIndex >= 0 &&
    !element.matches(":disabled, [inert] *, [type=hidden]") &&
    element.checkVisibility({ visibilityProperty: true }) &&
    element.getBoundingClientRect().width > 0;
  /** One of a group of radio buttons stands for all. */
  const isReached = (element: Element): boolean =>
    reached.has(element) ||
    (element instanceof HTMLInputElement &&
      element.type === "radio" &&
      [...reached].some((other) => other instanceof HTMLInputElement && other.name === element.name));
  const faultsAt = (element: Element): string[] => {
    const seen = shown(element);
    const [box] = seen.getClientRects();
    if (box === undefined) return [`the focus is on what is not shown: ${named(element)}`];
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    if (left >= right || top >= bottom) return [`the focus is outside the window: ${named(element)}`];
    const points = [0.5, 0.1, 0.9].map((part) =>
      document.elementFromPoint(left + (right - left) * part, top + (bottom - top) * part),
    );
    const isFree = points.some((at) => at !== null && (seen.contains(at) || at.contains(seen)));
    return isFree ? [] : [`what has the focus is covered: ${named(element)}`];
  };
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
  scrollTo({ top: 0, behavior: "instant" });
  window.wyeWalk = {
    step: () => {
      const faults: string[] = [];
      // What changes its look slowly has it at once.
      for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
      if (last !== undefined && lookOf(last.element) === last.look)
        faults.push(`the focus cannot be seen: ${named(last.element)}`);
      const element = document.activeElement;
      if (element === null || element === document.body || reached.has(element))
        return { faults, isThrough: true };
      reached.add(element);
      last = { element, look: lookOf(element) };
      return { faults: [...faults, ...faultsAt(element)], isThrough: false };
    },
    unreached: () =>
      [
        ...document.querySelectorAll(
          "a[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable=true]",
        ),
      ]
        .filter((element) => isUsable(element) && !isReached(element))
        .map((element) => `the keyboard does not reach ${named(element)}`),
  };
}
