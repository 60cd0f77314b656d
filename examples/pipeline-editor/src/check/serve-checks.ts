import {
  ruleHelp,
  suggestFix,
  toSarif,
  type ValidationReport,
  validatePipeline,
} from "@wye/pipeline-validator";
import { drawText, type GraphAnswer } from "../graph/graph-answer.js";
import type { CheckAnswer, CheckRequest } from "./check-messages.js";

/** The worker's side of the line to the page. */
export interface CheckPort {
  addEventListener(type: "message", listener: (event: MessageEvent<CheckRequest>) => void): void;
  postMessage(answer: CheckAnswer): void;
}

/** Answers requests; a newer text takes the place of one that waits or whose graph is not drawn yet. */
export function serveChecks(port: CheckPort): void {
  let newest: CheckRequest | undefined;
  let isBusy = false;
  const work = async (): Promise<void> => {
    isBusy = true;
    while (newest !== undefined) {
      const { id, text, profile, wantsSarif = false } = newest;
      const report = validatePipeline(text, { profile });
      const aids = report.problems.map((problem) => ({
        fix: suggestFix(text, problem),
        help: ruleHelp(problem.code),
      }));
      port.postMessage({ id, kind: "report", report, aids });
      if (wantsSarif) port.postMessage({ id, kind: "sarif", log: toSarif(report) });
      await nextTurn();
      if (newest.id !== id) continue;
      port.postMessage({ id, kind: "graph", graph: graphOf(text, report) });
      await nextTurn();
      if (newest.id === id) newest = undefined;
    }
    isBusy = false;
  };
  port.addEventListener("message", ({ data }) => {
    newest = data;
    if (!isBusy) void work();
  });
}

function graphOf(text: string, report: ValidationReport): GraphAnswer {
  try {
    return drawText(text, report.problems);
  } catch {
    // The problems are worth having without the graph, too.
    return { state: "none", reason: "The graph cannot be drawn." };
  }
}

/** Lets messages in that have arrived meanwhile. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
