import { isObject } from "@wye/pipeline-spec";

/** What a server said about a failure. */
export interface ServerMessage {
  /** The number of its code. */
  readonly code?: number | undefined;
  /** Everything, up to the first stack trace. */
  readonly message?: string | undefined;
  /** The part that is for people. */
  readonly reason: string;
}

const longestMessage = 4000;
const longestReason = 500;

/** Reads the body of a failure in any of the forms that Kubeflow Pipelines, Vertex AI and gateways before them use. */
export function serverMessageOf(text: string): ServerMessage {
  const json = parse(text);
  const error = isObject(json) && isObject(json.error) ? json.error : json;
  if (!isObject(error)) return plain(text);
  if (typeof error.error_message === "string") return said(undefined, error.error_message, "");
  if (typeof error.message !== "string") return plain(text);
  const code = typeof error.code === "number" ? error.code : undefined;
  const details = Array.isArray(error.details) ? error.details : [];
  const detail: unknown = details.find((one) => isObject(one) && typeof one.message === "string");
  return said(code, error.message, isObject(detail) ? `${detail.message}` : "");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Gateways answer with anything.
    return undefined;
  }
}

/** A body that is no JSON: a line of text, or a page. */
function plain(text: string): ServerMessage {
  const title = /<title[^<>]{0,100}>([^<]{1,300})/i.exec(text.slice(0, 10_000))?.[1];
  const isPage = /^\s*</.test(text);
  const words = title ?? (isPage ? "" : text.slice(0, longestMessage));
  return said(undefined, words, "");
}

function said(code: number | undefined, whole: string, detail: string): ServerMessage {
  // What follows the first line is a stack trace.
  const message = oneLine(whole.slice(0, longestMessage).split("\n", 1)[0] ?? "");
  const short = oneLine(detail.slice(0, longestMessage).split("\n", 1)[0] ?? "");
  const reason = short === "" || short === "Internal Server Error" ? innermost(message) : short;
  return { code, message: message || undefined, reason: reason.slice(0, longestReason) };
}

/** The end of a chain of wrappings: `Failed to …: InternalServerError: Failed to …: Invalid input error: Run name cannot be empty`. */
function innermost(message: string): string {
  const at = [...message.matchAll(wrapping)].at(-1);
  return at === undefined ? message : message.slice(at.index + at[0].length);
}

/** What the server calls its errors, in one word or in several. */
const wrapping = /(?:^|: )(?:[A-Z][A-Za-z]{2,40}Error|[A-Z][a-z]{2,12}(?: [a-z]{2,12}){0,2} error): /g;

/** Text of others is shown and never obeyed: nothing in it controls a terminal. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
