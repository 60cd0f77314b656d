import type { ErrorObject } from "../error-document.js";
import { isObject, parseJson } from "./json-api-document.js";
import type { Redactor } from "./redactor.js";
import { VehicleClientError, type VehicleClientErrorCode } from "./vehicle-client-error.js";

/** Why an attempt brings no document, in the words of whoever said so: not for the eyes of the caller yet. */
export interface Failure {
  readonly code: VehicleClientErrorCode;
  readonly problem?: string | undefined;
  readonly cause?: unknown;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** What is known of the exchange that failed. */
export interface FailureContext {
  readonly url: string;
  readonly attempt: number;
  readonly status?: number;
  readonly requestId?: string | undefined;
  /** The body, as far as it came. */
  readonly text?: string;
}

/** How many characters a message shows of the URL, of what error objects say, and of a body. */
const shownLength = 200;

/** The error for a failure, without the secret. */
export function failureToError(
  failure: Failure,
  { url, attempt, status, requestId, text = "" }: FailureContext,
  redactor: Redactor,
): VehicleClientError {
  const { code, problem = "", retryable = false, retryAfterMs } = failure;
  const cause = failure.cause === undefined ? undefined : redactor.cause(failure.cause);
  const errors = readErrorObjects(redactor.json(parseJson(() => text)));
  const excerpt = status && !errors.length ? redactor.text(text).slice(0, shownLength) : undefined;
  const parts = [
    status,
    redactor.text(problem),
    cause && reasonOf(cause),
    errors
      .map(({ code, title = code, detail = title }) => detail)
      .join("; ")
      .slice(0, shownLength),
    excerpt && JSON.stringify(excerpt),
  ];
  return new VehicleClientError(
    `GET ${url.slice(0, shownLength)}: ${parts.filter(Boolean).join(": ")}`,
    { code, url, attempts: attempt, retryable, status, errors, requestId, retryAfterMs, excerpt },
    cause && { cause },
  );
}

/** The innermost cause says most: `fetch failed` alone helps nobody. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${reasonOf(cause)}` : message;
}

/** The error objects of a body, with those members that have the type they should have; `[]` if there are none. */
function readErrorObjects(body: unknown): readonly Partial<ErrorObject>[] {
  const errors = isObject(body) ? body.errors : undefined;
  return Array.isArray(errors) ? errors.filter(isObject).map(readErrorObject) : [];
}

function readErrorObject({
  source,
  meta,
  ...members
}: {
  readonly [name: string]: unknown;
}): Partial<ErrorObject> {
  return {
    ...texts(members, ["status", "code", "title", "detail"]),
    ...(isObject(source) && { source: texts(source, ["parameter", "header", "pointer"]) }),
    ...(isObject(meta) && { meta }),
  };
}

/** Numbers are a common slip and mean the same. */
function texts<Name extends string>(
  object: { readonly [name: string]: unknown },
  names: readonly Name[],
): { readonly [name in Name]?: string } {
  const found: { [name in Name]?: string } = {};
  for (const name of names) {
    const value = object[name];
    if (typeof value === "string" || typeof value === "number") found[name] = `${value}`;
  }
  return found;
}
