import { TypeError as CheckError, EvaluationError, ParseError } from "@marcbachmann/cel-js";
import { celMessage, fieldHint, typeHint } from "./cel-message.js";
import type { ExpressionProblem, ExpressionProblemCode } from "./expression-problem.js";

/** What the engine's codes mean; what is not listed is a syntax, type or evaluation problem by where it came from. */
const codes: Readonly<Record<string, ExpressionProblemCode>> = {
  limit_exceeded: "limit",
  unknown_variable: "unknown-name",
  no_such_key: "no-such-key",
  index_out_of_bounds: "no-such-key",
  "invalid-json": "invalid-json",
  "invalid-pattern": "invalid-pattern",
};

/** Turns what the engine throws into a problem. Running out of stack is one too: that of an expression that is nested too deep. */
export function problemFrom(
  error: unknown,
  stage: "syntax" | "type" | "evaluation",
  text: string,
): ExpressionProblem {
  const whole = { start: 0, end: text.length };
  if (error instanceof ParseError || error instanceof CheckError || error instanceof EvaluationError) {
    let code = codes[error.code] ?? stage;
    let message = celMessage(error.summary);
    if (stage === "type" && code === "no-such-key") code = "unknown-field";
    if (stage === "evaluation" && code === "unknown-name") {
      code = "not-set";
      message = message.replace("unknown variable", "no such attribute");
    }
    const span = error.range ?? whole;
    const written = text.slice(span.start, span.end);
    const hint = code === "unknown-field" ? fieldHint(message) : typeHint(message, written);
    return { code, severity: "error", message, span, ...(hint === undefined ? {} : { hint }) };
  }
  const message = error instanceof Error ? celMessage(error.message) : "cannot be evaluated";
  if (/call stack|too much recursion/.test(message)) {
    return { code: "limit", severity: "error", message: "nested too deep", span: whole };
  }
  return { code: stage, severity: "error", message, span: whole };
}
