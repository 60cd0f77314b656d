import { html } from "@wye-examples/page-parts/elements";

/** What has happened, the newest first. */
export interface ChangeLog {
  /** `took` is the time since the edit, in milliseconds. */
  add(text: string, took?: number): void;
}

const kept = 30;

/** Writes into a list, which tells assistive technology what is new. */
export function createChangeLog(list: HTMLElement): ChangeLog {
  let last = "";
  return {
    add(text, took) {
      const now = new Date();
      const time = html("time", { datetime: now.toISOString() }, now.toLocaleTimeString("en-GB"));
      const later =
        took === undefined ? [] : [html("span", { class: "took" }, `${Math.round(took)} ms after the edit`)];
      const entry = [time, html("span", {}, text), ...later];
      // What is said again, as while a slider moves, takes the place of what was said before.
      if (text === last) list.firstElementChild?.replaceChildren(...entry);
      else list.prepend(html("li", {}, ...entry));
      last = text;
      while (list.childElementCount > kept) list.lastElementChild?.remove();
    },
  };
}
