import { isObject, type RetryPolicy } from "@wye/pipeline-spec";
import { quote } from "../problems/quote.js";
import { retryInputs, retryValues } from "../templates/retry-values.js";
import type { JsonObject } from "../text/json.js";
import type { Compilation } from "./compilation.js";
import type { CompletedTask } from "./placed-task.js";

/** Tells of a retry policy with which Argo tries nothing again, once, wherever it was handed down to. */
export function warnOfLostRetries(task: CompletedTask, compilation: Compilation): void {
  const { problems, checkedPolicies, settings } = compilation;
  if (patchesRetries(settings.options.specPatch)) return;
  const { retryPath: path, spec } = task;
  if (spec.retryPolicy === undefined || path === undefined || checkedPolicies.has(path)) return;
  checkedPolicies.add(path);
  for (const message of findingsOf(spec.retryPolicy, quote(task.name)))
    problems.add({ code: "lost-retries", path, part: "key", message });
}

/** Whether the administrator says how often tasks are tried again, in the place of their policies. */
function patchesRetries(specPatch: JsonObject = {}): boolean {
  const templates: readonly unknown[] = Array.isArray(specPatch.templates) ? specPatch.templates : [];
  return templates.some((one) => isObject(one) && isObject(one.retryStrategy));
}

/** Tells of a retry policy of a task whose templates have none: importers, and what a driver does itself. */
export function warnOfIgnoredRetries(task: CompletedTask, what: string, { problems }: Compilation): void {
  const { retryPath: path, spec } = task;
  // One that was handed down may be meant for others.
  if (path !== `${task.path}/retryPolicy` || (spec.retryPolicy?.maxRetryCount ?? 0) <= 0) return;
  const message = `the task ${quote(task.name)} is never tried again: ${what} has no retries`;
  problems.add({ code: "lost-retries", path, part: "key", message, hint: "do not rely on it" });
}

/** What Argo does not try again: it reads the factor as a whole number, and counts the longest time from the start of the first try. */
function* findingsOf(policy: RetryPolicy, task: string): Generator<string> {
  const { maxRetryCount } = policy;
  if (maxRetryCount <= 0) return;
  const [, duration, factor, maxDuration] = retryInputs;
  const values = retryValues(policy);
  const longest = Number(values[maxDuration] ?? 0);
  const wait = Number(values[duration] ?? 0);
  const never = `the task ${task} is never tried again`;
  const isWhole = /^[-+]?\d+$/.test(values[factor] ?? "");
  if (!isWhole)
    yield `${never}: Argo takes no backoffFactor but a whole number below a million, and this one is ${values[factor]}`;
  if (longest <= 0) yield `${never}: without a backoffMaxDuration of a second or more no time is left for it`;
  else if (wait >= longest)
    yield `${never}: a backoffMaxDuration that is not above backoffDuration leaves no time for it`;
  else if (isWhole) {
    const times = waitsWithin(longest, wait, policy.backoffFactor);
    if (times < maxRetryCount)
      yield `the task ${task} is tried again at most ${times} of ${maxRetryCount} times: the waits for more are longer than backoffMaxDuration`;
  }
}

/** How many waits, each by a factor longer than the one before, are over before a time. */
function waitsWithin(longest: number, wait: number, factor: number): number {
  if (wait <= 0) return Number.POSITIVE_INFINITY;
  if (factor <= 1) return Math.ceil(longest / wait) - 1;
  let times = 0;
  for (let next = wait, sum = wait; sum < longest; sum += next) {
    times++;
    next *= factor;
  }
  return times;
}
