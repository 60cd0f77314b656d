import type { RetryPolicy } from "@wye/pipeline-spec";
import { quote } from "../problems/quote.js";
import { retryInputs, retryValues } from "../templates/retry-values.js";
import type { Compilation } from "./compilation.js";
import type { CompletedTask } from "./placed-task.js";

/** Tells of a retry policy with which Argo tries nothing again, once, wherever it was handed down to. */
export function warnOfLostRetries(task: CompletedTask, { problems, checkedPolicies }: Compilation): void {
  const { retryPath: path, spec } = task;
  if (spec.retryPolicy === undefined || path === undefined || checkedPolicies.has(path)) return;
  checkedPolicies.add(path);
  for (const reason of reasonsAgainst(spec.retryPolicy)) {
    const message = `the task ${quote(task.name)} is never tried again: ${reason}`;
    problems.add({ code: "lost-retries", path, part: "key", message });
  }
}

/** Why Argo does not try again: it reads the factor as a whole number, and counts the longest time from the start of the first try. */
function* reasonsAgainst(policy: RetryPolicy): Generator<string> {
  if (policy.maxRetryCount <= 0) return;
  const [, duration, factor, maxDuration] = retryInputs;
  const values = retryValues(policy);
  const longest = Number(values[maxDuration] ?? 0);
  if (longest <= 0) yield "without a backoffMaxDuration of a second or more no time is left for it";
  else if (Number(values[duration] ?? 0) >= longest)
    yield "a backoffMaxDuration that is not above backoffDuration leaves no time for it";
  if (!/^[-+]?\d+$/.test(values[factor] ?? ""))
    yield `Argo takes no backoffFactor but a whole number below a million, and this one is ${values[factor]}`;
}
