import type { EvaluationDetail } from "../evaluate/evaluation-detail.js";

/** A step on the way to a result, for people to read. */
export interface Explanation {
  /** What was looked at: `rule 1 (id "beta")`, `user country in ["de"]`. */
  readonly subject: string;
  /** Whether it holds, and so leads on or decides; `error` if that cannot be told. */
  readonly verdict: "yes" | "no" | "error";
  /** What was found; empty if there is nothing to add. */
  readonly note: string;
  /** What was looked at for it, in order, up to what decided. */
  readonly steps: readonly Explanation[];
}

/** How a flag came to its result. The last step is the one that decided. */
export interface FlagExplanation extends Explanation {
  readonly detail: EvaluationDetail;
}

/** Writes an explanation as lines of text, each indented below what it was looked at for. */
export function formatExplanation(explanation: Explanation): string {
  const lines: string[] = [];
  const open: { readonly depth: number; readonly step: Explanation }[] = [{ depth: 0, step: explanation }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { depth, step } = next;
    const note = step.note === "" ? "" : ` — ${step.note}`;
    lines.push(`${"  ".repeat(depth)}${step.subject}: ${step.verdict}${note}`);
    for (const inner of step.steps.toReversed()) open.push({ depth: depth + 1, step: inner });
  }
  return lines.join("\n");
}

/** Makes a step. */
export function step(
  subject: string,
  verdict: Explanation["verdict"],
  note = "",
  steps: readonly Explanation[] = [],
): Explanation {
  return { subject, verdict, note, steps };
}

/** A value as JSON text, cut off where it gets long. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text;
}

const MAX_QUOTE = 200;
