/** Text of others is shown in one line, and controls no terminal. */
export function shown(text: string): string {
  return text.slice(0, 500).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
