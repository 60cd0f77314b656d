import { html } from "@wye-examples/page-parts/elements";
import { type Flag, wholeWeight } from "../flag.js";
import { everybody, withEverybody, withSplit } from "./edit-flag.js";
import { choice } from "./elements.js";
import type { CardPart } from "./rule-editor.js";
import { label } from "./value-label.js";

/** What everybody gets for whom no rule decides: a variation, or a split between two with a slider. */
export function createServingEditor(
  flag: Flag,
  change: (control: string, make: (flag: Flag) => Flag) => void,
): CardPart {
  const id = `everybody-${flag.key}`;
  const select = html("select", { id });
  const first = choice({ "aria-label": `${flag.key}: first variation of the split` }, []);
  const second = choice({ "aria-label": `${flag.key}: second variation of the split` }, []);
  const slider = html("input", { type: "range", min: "0", max: "100", step: "1" });
  slider.setAttribute("aria-label", `${flag.key}: share of the first variation`);
  const share = html("output");
  const remains = html("output");
  const bar = html("div", { class: "bar", "aria-hidden": "true" });
  const split = html(
    "div",
    { class: "split" },
    html("div", { class: "side" }, first, share),
    slider,
    html("div", { class: "side" }, second, remains),
  );
  const element = html(
    "div",
    { class: "field" },
    html("label", { for: id }, "Everybody else gets"),
    select,
    bar,
    split,
  );

  const splitNow = () => ({
    first: Number(first.value),
    second: Number(second.value),
    share: Number(slider.value),
  });
  const sendSplit = (): void => change("everybody", (now) => withSplit(now, splitNow()));
  const tellShare = (): void => {
    share.textContent = `${slider.value} %`;
    remains.textContent = `${100 - Number(slider.value)} %`;
    slider.setAttribute("aria-valuetext", `${slider.value} percent`);
  };
  select.addEventListener("change", () => {
    const { value } = select;
    if (value === "split") {
      change("everybody", (now) =>
        withSplit(now, { first: 0, second: now.variations.length - 1, share: 50 }),
      );
    } else if (value !== "other") {
      change("everybody", (now) => withEverybody(now, Number(value)));
    }
  });
  slider.addEventListener("input", () => {
    tellShare();
    sendSplit();
  });
  for (const side of [first, second]) side.addEventListener("change", sendSplit);

  return {
    element,
    show(now) {
      const labels = now.variations.map(label);
      const serving = everybody(now);
      for (const side of [first, second]) side.replaceChildren(...choice({}, labels).options);
      select.replaceChildren(
        ...choice({}, labels).options,
        html("option", { value: "split" }, "a share each of two"),
        ...(serving.kind === "other" ? [html("option", { value: "other" }, "what the JSON says")] : []),
      );
      select.value = serving.kind === "variation" ? String(serving.variation) : serving.kind;
      split.hidden = serving.kind !== "split";
      bar.hidden = serving.kind !== "other";
      if (serving.kind === "split") {
        first.value = String(serving.split.first);
        second.value = String(serving.split.second);
        slider.value = String(serving.split.share);
        tellShare();
      } else if (serving.kind === "other") {
        bar.replaceChildren(...serving.weights.map(barPart));
      }
    },
  };
}

function barPart(weight: number): HTMLElement {
  const part = html("span");
  part.style.flexGrow = String(weight / wholeWeight);
  return part;
}
