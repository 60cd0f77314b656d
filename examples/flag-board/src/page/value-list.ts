import type { LDEvaluationDetail } from "@launchdarkly/js-client-sdk";
import { compileFlags, createContext, formatExplanation } from "@wye/flag-evaluator";
import { html } from "@wye-examples/page-parts/elements";
import type { Flag } from "../flag.js";
import { reasonText } from "./reason-text.js";

/** What the SDK gives for each flag, and why. */
export interface ValueList {
  /** Shows the values; `changed` marks those that are new. */
  show(
    keys: readonly string[],
    detail: (key: string) => LDEvaluationDetail | undefined,
    changed: readonly string[],
  ): void;
  /** Says for each value, step by step, how these flags lead to it. */
  explain(flags: readonly Flag[], context: Readonly<Record<string, unknown>>): void;
}

/** Fills the body of a table. Which rows show their steps survives every change. */
export function createValueList(body: HTMLElement): ValueList {
  const open = new Set<string>();
  const steps = new Map<string, HTMLElement>();

  function rowsOf(
    key: string,
    found: LDEvaluationDetail | undefined,
    isNew: boolean,
  ): readonly HTMLElement[] {
    const text = html("pre");
    text.textContent = steps.get(key)?.textContent ?? "";
    steps.set(key, text);
    const id = `steps-${key}`;
    const below = html("tr", { class: "steps", id }, html("td", { colspan: "4" }, text));
    const reason = found === undefined ? "no value" : reasonText(found.reason);
    const button = html("button", { type: "button", class: "why", "aria-controls": id }, reason);
    const fold = (): void => {
      button.setAttribute("aria-expanded", String(open.has(key)));
      below.hidden = !open.has(key);
    };
    button.addEventListener("click", () => {
      if (!open.delete(key)) open.add(key);
      fold();
    });
    fold();
    const value = found === undefined ? "not for browsers" : JSON.stringify(found.value);
    const row = html(
      "tr",
      { "data-key": key, ...(isNew ? { class: "changed" } : {}) },
      html("th", { scope: "row" }, key),
      html("td", { class: "value" }, html("code", {}, value)),
      html("td", { class: "variation" }, String(found?.variationIndex ?? "–")),
      html("td", { class: "reason" }, button),
    );
    return [row, below];
  }

  return {
    show(keys, detail, changed) {
      const focused = body.querySelector<HTMLElement>("button:focus")?.closest("tr")?.dataset.key;
      body.replaceChildren(...keys.flatMap((key) => rowsOf(key, detail(key), changed.includes(key))));
      if (focused === undefined) return;
      // The keyboard stays where it was.
      body.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(focused)}"] button`)?.focus();
    },
    explain(flags, context) {
      const evaluator = compileFlags({
        flags: Object.fromEntries(flags.map((flag) => [flag.key, JSON.stringify(flag)])),
      });
      const visitor = createContext(context);
      for (const [key, text] of steps) text.textContent = formatExplanation(evaluator.explain(key, visitor));
    },
  };
}
