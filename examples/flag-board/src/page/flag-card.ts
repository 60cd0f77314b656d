import { html } from "@wye-examples/page-parts/elements";
import type { Refusal } from "../board-api.js";
import type { Flag } from "../flag.js";
import { withOn } from "./edit-flag.js";
import type { Edit } from "./edit-queue.js";
import { createJsonEditor } from "./json-editor.js";
import { createRuleEditor } from "./rule-editor.js";
import { createServingEditor } from "./serving-editor.js";
import { label } from "./value-label.js";

/** One flag with everything by which it is edited. */
export interface FlagCard {
  readonly element: HTMLElement;
  /** Shows a version of the flag. */
  show(flag: Flag): void;
  /** Says what the SDK gives the visitor. */
  showValue(visitor: string, value: string): void;
  /** Says why an edit came to nothing. */
  complain(refusal: Refusal): void;
}

/** Makes a card. `edit` is called for each change, with the name of the control that makes it. */
export function createFlagCard(flag: Flag, edit: (control: string, change: Edit) => void): FlagCard {
  const json = createJsonEditor(flag, (text) => edit("json", text));
  const change = (control: string, make: (flag: Flag) => Flag): void => {
    json.quiet();
    edit(control, make);
  };
  const toggle = html("input", { type: "checkbox", role: "switch", id: `on-${flag.key}` });
  const word = html("span", { class: "word", "aria-hidden": "true" });
  toggle.addEventListener("change", () => {
    const { checked } = toggle;
    change("on", (now) => withOn(now, checked));
  });
  const whileOff = html("p", { class: "while-off" });
  const value = html("p", { class: "now" });
  const rule = createRuleEditor(flag, change);
  const rest = createServingEditor(flag, change);
  const element = html(
    "article",
    { class: "flag", "data-key": flag.key, "aria-labelledby": `name-${flag.key}` },
    html(
      "header",
      {},
      html(
        "div",
        {},
        html("h3", { id: `name-${flag.key}` }, flag.key),
        html("p", {}, flag.description ?? ""),
        value,
      ),
      html(
        "label",
        { class: "switch" },
        word,
        html("span", { class: "hidden" }, `${flag.key} is on`),
        toggle,
      ),
    ),
    html("div", { class: "serving" }, whileOff, rule.element, rest.element),
    json.element,
  );

  function show(now: Flag): void {
    toggle.checked = now.on;
    word.textContent = now.on ? "on" : "off";
    element.classList.toggle("off", !now.on);
    whileOff.hidden = now.on;
    whileOff.textContent = `While it is off, everybody gets ${now.offVariation == null ? "nothing" : label(now.variations[now.offVariation])}.`;
    rule.show(now);
    rest.show(now);
    json.show(now);
  }

  show(flag);
  return {
    element,
    show,
    showValue: (visitor, text) => value.replaceChildren(`${visitor} gets `, html("strong", {}, text)),
    complain: json.complain,
  };
}
