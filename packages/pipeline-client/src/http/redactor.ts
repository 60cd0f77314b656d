/** Takes secrets out of whatever comes from outside, before it gets into an error. */
export interface Redactor {
  text(text: string): string;
  /** A copy of an error and its causes: an unknown `fetch` may have hung the whole request on the original. */
  cause(error: unknown): Error;
}

/** How many causes of causes are kept. */
const causeDepth = 5;

/** Shorter ones stand in other words by chance. */
const shortestSecret = 4;

export function createRedactor(secrets: readonly string[]): Redactor {
  const spellings = secrets
    .filter((secret) => secret.length >= shortestSecret)
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.toWellFormed()),
    ]);

  function redact(text: string): string {
    return spellings.reduce((result, spelling) => result.replaceAll(spelling, "[redacted]"), text);
  }

  function copy(error: unknown, depth: number): Error {
    if (!(error instanceof Error)) return new Error(redact(textOf(error)));
    const { name, message, stack } = error;
    const code = "code" in error && typeof error.code === "string" ? redact(error.code) : undefined;
    // Failing to connect to several addresses gives an error with a code and without a message.
    const result = new Error(redact(`${message}`) || code);
    if (error.cause !== undefined && depth > 0) result.cause = copy(error.cause, depth - 1);
    return Object.assign(
      result,
      { name: redact(`${name}`), stack: redact(`${stack ?? ""}`) },
      code && { code },
    );
  }

  return { text: redact, cause: (error) => copy(error, causeDepth) };
}

function textOf(value: unknown): string {
  try {
    return `${value}`;
  } catch {
    // An object that has no text.
    return "something that is no error was thrown";
  }
}
