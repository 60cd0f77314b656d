/** What something that was thrown says, whatever it is: hosts throw what they like, and it is to be reported. */
export function messageOf(thrown: unknown): string {
  return textOf(() => (thrown instanceof Error ? thrown.message || wordsInstead(thrown) : thrown));
}

/** What stands for an error without a message, as Node's are that tell of several addresses. */
function wordsInstead(error: Error & { readonly code?: unknown; readonly errors?: unknown }): unknown {
  const { name, code, errors } = error;
  return Array.isArray(errors) && errors.length > 0 ? errors.map(messageOf).join("; ") : (code ?? name);
}

/** As `messageOf`, with the place where an error was made. */
export function stackOf(thrown: unknown): string {
  return textOf(() => (thrown instanceof Error ? thrown.stack : thrown));
}

function textOf(read: () => unknown): string {
  try {
    return String(read());
  } catch {
    return "something that cannot be shown";
  }
}
