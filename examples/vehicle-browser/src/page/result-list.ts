import { html } from "@wye-examples/page-parts/elements";

export interface Result {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  /** What stands at the end of the line. */
  readonly figure: string;
}

/** A list box that is steered from a text field: the focus stays in the field, one option at a time is active. */
export interface ResultList {
  /** Shows what was found for a text. */
  show(results: readonly Result[], emptyText: string, text: string): void;
  /** Marks the options with these ids as chosen, and no others. */
  markChosen(ids: readonly string[]): void;
  /** Shows that the next choice stands beside the present one. */
  markPicking(isPicking: boolean): void;
}

/**
 * Connects a text field and a list by the rules for combo boxes: arrows, Page Up, Page Down and Enter. Home, End and Escape are the
 * field's own. Enter behind a text whose list is still under way is meant for that list, and waits for it.
 */
export function createResultList(
  input: HTMLInputElement,
  list: HTMLElement,
  onChoose: (id: string) => void,
): ResultList {
  let options: readonly HTMLElement[] = [];
  let active = -1;
  let shown = "";
  /** What the list is of. */
  let listed = "";
  let isAwaited = false;

  const activate = (place: number): void => {
    options[active]?.removeAttribute("data-active");
    active = place;
    const option = options[active];
    if (option === undefined) {
      input.removeAttribute("aria-activedescendant");
      return;
    }
    option.setAttribute("data-active", "");
    option.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option.id);
  };
  const choose = (option: HTMLElement): void => {
    activate(options.indexOf(option));
    onChoose(option.dataset.id ?? "");
  };
  const chooseFirst = (): void => {
    isAwaited = listed !== input.value.trim();
    const [first] = options;
    if (!isAwaited && first !== undefined) choose(first);
  };
  const moves: Readonly<Record<string, () => number>> = {
    ArrowDown: () => Math.min(active + 1, options.length - 1),
    ArrowUp: () => Math.max(active - 1, 0),
    PageDown: () => Math.min(active + 8, options.length - 1),
    PageUp: () => Math.max(active - 8, 0),
  };
  input.addEventListener("keydown", (event) => {
    const move = moves[event.key];
    if (move !== undefined && options.length > 0) {
      event.preventDefault();
      activate(move());
    } else if (event.key === "Enter") {
      event.preventDefault();
      const option = options[active];
      if (option === undefined) chooseFirst();
      else choose(option);
    }
  });
  input.addEventListener("input", () => {
    isAwaited = false;
    activate(-1);
  });
  input.addEventListener("blur", () => {
    isAwaited = false;
  });
  list.addEventListener("click", (event) => {
    const option = event.target instanceof Element ? event.target.closest("[role=option]") : null;
    if (option instanceof HTMLElement) choose(option);
  });

  const put = (results: readonly Result[], emptyText: string): void => {
    options = results.map(({ id, title, subtitle, figure }, place) =>
      html(
        "div",
        { role: "option", id: `result-${place}`, "data-id": id, "aria-selected": "false" },
        html("span", { class: "title" }, title),
        html("span", { class: "subtitle" }, subtitle),
        html("span", { class: "figure" }, figure),
      ),
    );
    active = -1;
    input.removeAttribute("aria-activedescendant");
    list.replaceChildren(
      ...(options.length > 0 ? options : [html("p", { class: "empty", role: "presentation" }, emptyText)]),
    );
    list.scrollTop = 0;
  };

  return {
    show(results, emptyText, text) {
      listed = text;
      // The same again leaves the reader where the arrow keys have led.
      const next = JSON.stringify(results);
      if (next !== shown || results.length === 0) put(results, emptyText);
      shown = next;
      if (isAwaited) chooseFirst();
    },
    markChosen(ids) {
      for (const option of options) {
        option.setAttribute("aria-selected", String(ids.includes(option.dataset.id ?? "")));
      }
    },
    markPicking(isPicking) {
      list.toggleAttribute("data-picking", isPicking);
    },
  };
}
