import { html } from "@wye-examples/page-parts/elements";
import type { Flag } from "../flag.js";
import { type SimpleRule, simpleRule, withSimpleRule } from "./edit-flag.js";
import { choice } from "./elements.js";
import { label } from "./value-label.js";

/** The attributes that the visitors of this page have. */
const attributes = ["plan", "country", "key"];

/** A part of a card. */
export interface CardPart {
  readonly element: HTMLElement;
  show(flag: Flag): void;
}

/** One rule of a flag: "visitors whose plan is one of … get …". Other rules are counted. */
export function createRuleEditor(
  flag: Flag,
  change: (control: string, make: (flag: Flag) => Flag) => void,
): CardPart {
  const name = (what: string): Readonly<Record<string, string>> => ({ "aria-label": `${flag.key}: ${what}` });
  const active = html("input", { type: "checkbox" });
  const attribute = html("select", name("attribute of the rule"));
  const values = html("input", { ...name("values of the rule, separated by commas"), type: "text" });
  values.setAttribute("placeholder", "one, another");
  const variation = choice(name("variation of the rule"), []);
  const others = html("span", { class: "others" });
  const sentence = html(
    "div",
    { class: "sentence" },
    html("span", {}, "If"),
    attribute,
    html("span", {}, "is"),
    values,
    html("span", {}, "then"),
    variation,
  );
  const element = html(
    "fieldset",
    {},
    html("legend", {}, html("label", {}, active, " A rule for some"), others),
    sentence,
  );
  /** What the fields say, also while the rule is away. */
  const written = (): SimpleRule => ({
    attribute: attribute.value,
    values: values.value
      .split(",")
      .map((value) => value.trim())
      .filter((value) => value !== ""),
    variation: Number(variation.value),
  });
  const send = (): void => {
    const rule = active.checked ? written() : undefined;
    change("rule", (now) => withSimpleRule(now, rule));
  };
  for (const field of [active, attribute, values, variation]) field.addEventListener("change", send);

  let shown: SimpleRule = { attribute: "plan", values: ["pro"], variation: 0 };
  return {
    element,
    show(now) {
      const { rule, others: more } = simpleRule(now);
      shown = rule ?? shown;
      active.checked = rule !== undefined;
      sentence.hidden = rule === undefined;
      others.textContent = more === 0 ? "" : `and ${more} in the JSON`;
      const known = attributes.includes(shown.attribute) ? attributes : [...attributes, shown.attribute];
      attribute.replaceChildren(...known.map((one) => html("option", { value: one }, one)));
      attribute.value = shown.attribute;
      if (document.activeElement !== values) values.value = shown.values.join(", ");
      variation.replaceChildren(...choice({}, now.variations.map(label)).options);
      variation.value = String(shown.variation);
    },
  };
}
