/** Text from files and programs, with nothing in it that moves the cursor or changes colours. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (one) =>
    one === "\t" ? " " : `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}
