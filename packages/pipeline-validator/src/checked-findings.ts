import { checkOptions, describeValue, isObject, type KnownOptions } from "@wye/pipeline-spec";
import { isPlainObject } from "./is-plain-object.js";
import type { Finding } from "./rule.js";

/**
 * The findings of an own rule, which no compiler may have seen.
 *
 * @throws TypeError that says what is no finding
 */
export function* checkedFindings(findings: Iterable<Finding>): Generator<Finding> {
  if (isObject(findings) && "then" in findings) {
    // What the promise comes to is of no use, but must not end the process.
    Promise.resolve(findings).catch(() => undefined);
    throw new TypeError("its check is async: a rule looks at what is there, and yields findings at once");
  }
  if (typeof findings?.[Symbol.iterator] !== "function") {
    throw new TypeError(`its check gives ${describeValue(findings)} instead of findings`);
  }
  for (const one of findings) {
    const wrong = whatIsWrong(one);
    if (wrong !== undefined) throw new TypeError(wrong);
    yield one;
  }
}

const known: KnownOptions<Finding> = {
  at: "any",
  part: "any",
  span: "any",
  message: "any",
  hint: "any",
  related: "any",
  sought: "any",
};

function whatIsWrong(finding: Finding): string | undefined {
  if (!isObject(finding)) return `it gives ${describeValue(finding)} as a finding`;
  if (isPlainObject(finding)) checkOptions("a finding", finding, known);
  const { message, hint, related = [], sought = [], span } = finding;
  const place = wrongPlace(finding);
  if (place !== undefined) return place;
  if (typeof message !== "string" || message === "") return "a finding has a message";
  if (hint !== undefined && typeof hint !== "string" && !isNameHint(hint)) {
    return "the hint of a finding is a text, or names that may have been meant";
  }
  if (!isList(sought) || !sought.every(isPointer)) return "what a finding has sought are pointers";
  if (!isList(related)) return "what is related to a finding is a list of places with messages";
  for (const one of related) {
    const wrong = isObject(one) && typeof one.message === "string" ? wrongPlace(one) : "";
    if (wrong !== undefined) return "what is related to a finding is a list of places with messages";
  }
  const isSpan = span === undefined || (span.start >= 0 && span.end >= span.start);
  return isSpan ? undefined : "the span of a finding goes from a start to an end behind it";
}

function wrongPlace({ at, part }: Pick<Finding, "at" | "part">): string | undefined {
  if (!isPointer(at)) return "a finding has a pointer `at`, such as /root/dag";
  return part === undefined || part === "key" || part === "value"
    ? undefined
    : "the part of a finding is key or value";
}

function isNameHint(hint: unknown): boolean {
  if (!isObject(hint) || typeof hint.name !== "string") return false;
  return hint.among === undefined || (typeof hint.among === "object" && hint.among !== null);
}

const isPointer = (value: unknown): boolean => typeof value === "string" && /^(?:\/.*)?$/s.test(value);
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
