/** What something that was thrown says, whatever it is: hosts throw what they like, and it is to be reported. */
export function messageOf(thrown: unknown): string {
  return textOf(() => (thrown instanceof Error ? thrown.message : thrown));
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
