import { html } from "@wye-examples/page-parts/elements";
import type { Refusal } from "../board-api.js";
import { checkFlag } from "../check-flag.js";
import type { Flag, FlagProblem } from "../flag.js";

/** The whole flag as text, and what is wrong with it. */
export interface JsonEditor {
  readonly element: HTMLElement;
  /** Shows a version of the flag; a text that somebody is writing stays. */
  show(flag: Flag): void;
  complain(refusal: Refusal): void;
  /** Forgets what was complained about. */
  quiet(): void;
}

export function createJsonEditor(flag: Flag, save: (text: string) => void): JsonEditor {
  const id = `json-${flag.key}`;
  const area = html("textarea", { id, rows: "14", spellcheck: "false", autocomplete: "off", wrap: "off" });
  const problems = html("div", { class: "problems", id: `${id}-problems`, role: "alert" });
  const saveButton = html("button", { type: "button", class: "main" }, "Save");
  const undoButton = html("button", { type: "button" }, "Undo");
  const folded = html(
    "details",
    {},
    html("summary", {}, "JSON"),
    html("label", { for: id }, `All of ${flag.key}; its version counts by itself`),
    area,
    html("div", { class: "buttons" }, saveButton, undoButton),
  );
  area.setAttribute("aria-describedby", problems.id);
  let saved = "";

  function tellChanged(): void {
    const changed = area.value !== saved;
    saveButton.disabled = !changed;
    undoButton.disabled = !changed;
    folded.classList.toggle("changed", changed);
  }
  function quiet(): void {
    problems.replaceChildren();
    area.removeAttribute("aria-invalid");
  }
  function select({ line, column }: FlagProblem): void {
    const before = area.value.split("\n").slice(0, line - 1);
    const at = before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
    folded.open = true;
    area.focus();
    area.setSelectionRange(at, Math.min(at + 1, area.value.length));
  }
  function describe(problem: FlagProblem): HTMLElement {
    const place = `Line ${problem.line}, column ${problem.column}`;
    const button = html("button", { type: "button", class: "place" }, place);
    button.addEventListener("click", () => select(problem));
    const path = problem.path === "" ? [] : [" ", html("code", {}, problem.path)];
    return html("li", {}, button, ...path, `: ${problem.message}`);
  }

  function complain({ error, problems: found = [] }: Refusal): void {
    area.setAttribute("aria-invalid", "true");
    problems.replaceChildren(
      html("p", {}, `Not saved: ${error}.`),
      ...(found.length === 0 ? [] : [html("ul", {}, ...found.map(describe))]),
    );
  }

  area.addEventListener("input", tellChanged);
  saveButton.addEventListener("click", () => {
    quiet();
    // The server looks as well; here the answer comes without a request.
    const check = checkFlag(flag.key, area.value);
    if (check.ok) save(area.value);
    else complain({ error: "the flag cannot be used as it is", problems: check.problems });
  });
  undoButton.addEventListener("click", () => {
    area.value = saved;
    quiet();
    tellChanged();
  });
  return {
    element: html("div", { class: "json" }, folded, problems),
    show(now) {
      const next = JSON.stringify(now, null, 2);
      // What was sent and taken is back with another version: nothing is being written any more.
      const unchanged = area.value === saved || sameFlag(area.value, now);
      saved = next;
      if (unchanged) area.value = next;
      tellChanged();
    },
    complain,
    quiet,
  };
}

/** Whether a text says the same as a flag, versions aside. */
function sameFlag(text: string, flag: Flag): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return JSON.stringify({ ...Object(parsed), version: 0 }) === JSON.stringify({ ...flag, version: 0 });
  } catch {
    // Not JSON, so not the flag.
    return false;
  }
}
