/** Appends names to a JSON pointer: `pointer("/root", "a/b")` → `/root/a~1b`. */
export function pointer(base: string, ...names: readonly (string | number)[]): string {
  let result = base;
  for (const name of names) {
    result += `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return result;
}
