import type { ValidationProblem } from "@wye/pipeline-validator";
import { html } from "@wye-examples/page-parts/elements";
import type { ProblemAid } from "../check/check-messages.js";

/** More would only be scrolled past. */
const mostShown = 200;

/** What one can do with a problem. */
export interface ProblemEvents {
  readonly onChoose: (problem: ValidationProblem) => void;
  /** What helps is wanted, with the problem that is listed at this place. */
  readonly onFix: (place: number) => void;
}

/** Lists problems, with what helps: one aid for each. Choosing one leads to its place, its rule to where it is explained. */
export function showProblems(
  list: HTMLElement,
  problems: readonly ValidationProblem[],
  aids: readonly ProblemAid[],
  { onChoose, onFix }: ProblemEvents,
): void {
  const items = problems.slice(0, mostShown).map((problem, place) => {
    const { fix, help } = aids[place] ?? {};
    const choose = html("button", { type: "button", class: "choose" }, ...contentOf(problem));
    choose.addEventListener("click", () => onChoose(problem));
    const details = html("p", { class: "details" }, sourceOf(problem, help));
    if (fix !== undefined) {
      const replace = html("button", { type: "button", class: "fix" }, `Replace by “${fix.text}”`);
      replace.addEventListener("click", () => onFix(place));
      details.append(replace);
    }
    return html("li", { class: problem.severity }, choose, details);
  });
  const hidden = problems.length - items.length;
  if (hidden > 0) items.push(html("li", { class: "more" }, `… and ${hidden} more`));
  list.replaceChildren(...items);
}

function contentOf({ severity, message, hint }: ValidationProblem): readonly (Node | string)[] {
  return [
    html("span", { class: "severity" }, severity === "info" ? "remark" : severity),
    " ",
    html("span", { class: "message" }, message),
    ...(hint === undefined ? [] : [html("span", { class: "hint" }, hint)]),
  ];
}

/** Where a problem is, and by which rule. */
function sourceOf({ code, range }: ValidationProblem, help: string | undefined): Node {
  const rule = help === undefined ? code : html("a", { href: help, target: "_blank", rel: "noopener" }, code);
  return html("code", {}, range === undefined ? "" : `${range.start.line}:${range.start.column} · `, rule);
}

/** How many problems there are, in words. */
export function summaryOf(problems: readonly Pick<ValidationProblem, "severity">[]): string {
  const words = { error: "error", warning: "warning", info: "remark" } as const;
  const parts = (["error", "warning", "info"] as const).flatMap((severity) => {
    const count = problems.filter((problem) => problem.severity === severity).length;
    return count === 0 ? [] : [`${count} ${words[severity]}${count === 1 ? "" : "s"}`];
  });
  return parts.length === 0 ? "No problems" : parts.join(", ");
}
