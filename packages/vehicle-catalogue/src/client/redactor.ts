import { parseJson } from "./json-api-document.js";

/** Takes one secret out of whatever comes from outside, before it gets into an error. */
export interface Redactor {
  text(text: string): string;
  /** A copy of a value of JSON, or undefined if that cannot be had. */
  json(value: unknown): unknown;
  /** A copy of an error and its causes: an unknown `fetch` may have hung the whole request on the original. */
  cause(error: unknown): Error;
}

/** How many causes of causes are kept. */
const causeDepth = 5;

export function createRedactor(secret: string): Redactor {
  const spellings = new RegExp([...secret].map(spellingsOf).join(""), "gi");

  function text(text: unknown): string {
    return asText(text).replaceAll(spellings, "[redacted]");
  }

  function cause(error: unknown, depth = causeDepth): Error {
    if (!(error instanceof Error)) return new Error(text(error));
    const { name, message, stack = "" } = error;
    const code = "code" in error ? text(error.code) : undefined;
    // Failing to connect to several addresses gives an error with a code and without a message.
    const copy = new Error(text(message) || code);
    if (error.cause !== undefined && depth > 0) copy.cause = cause(error.cause, depth - 1);
    return Object.assign(copy, { name: text(name), stack: text(stack) }, code && { code });
  }

  return {
    text,
    // Written anew, where each letter has one spelling.
    json: (value) => parseJson(() => text(JSON.stringify(value))),
    cause: (error) => cause(error),
  };
}

/** A character as it is, or as JSON, a URL or a page of HTML may write it. */
function spellingsOf(character: string): string {
  const written = [character, encodeURIComponent(character)].map((text) => text.replace(/\W/g, "\\$&"));
  // JSON in JSON has up to three backslashes before what it escapes. What is written by its number or name is not told apart.
  return `\\\\{0,3}(?:${written.join("|")}|u\\w{4}|%\\w\\w|&#?\\w+;)`;
}

/** Whatever was thrown, as a text. */
function asText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}
