import type { ValidationProblem } from "@wye/pipeline-validator";
import { html } from "@wye-examples/page-parts/elements";

/** More would only be scrolled past. */
const mostShown = 200;

/** Lists problems; choosing one leads to its place. */
export function showProblems(
  list: HTMLElement,
  problems: readonly ValidationProblem[],
  onChoose: (problem: ValidationProblem) => void,
): void {
  const items = problems.slice(0, mostShown).map((problem) => {
    const button = html("button", { type: "button", class: problem.severity }, ...contentOf(problem));
    button.addEventListener("click", () => onChoose(problem));
    return html("li", {}, button);
  });
  const hidden = problems.length - items.length;
  if (hidden > 0) items.push(html("li", { class: "more" }, `… and ${hidden} more`));
  list.replaceChildren(...items);
}

function contentOf({ severity, message, hint, code, range }: ValidationProblem): readonly (Node | string)[] {
  const place = range === undefined ? [] : [`${range.start.line}:${range.start.column}`];
  const details = [
    ...(hint === undefined ? [] : [html("span", {}, hint)]),
    html("code", {}, [...place, code].join(" · ")),
  ];
  return [
    html("span", { class: "severity" }, severity === "info" ? "remark" : severity),
    " ",
    html("span", { class: "message" }, message),
    html("span", { class: "details" }, ...details.flatMap((part) => [" ", part])),
  ];
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
