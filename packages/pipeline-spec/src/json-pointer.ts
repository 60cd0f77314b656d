import { checkArguments } from "./check-arguments.js";

/** How many characters a name may have that becomes part of many pointers. YAML lets a key have as many in its line. */
export const longestName = 1024;

/** Appends names to a JSON pointer (RFC 6901): `pointer("/root", "a/b", 0)` → `/root/a~1b/0`. */
export function pointer(base: string, ...names: readonly (string | number)[]): string {
  let result = base;
  for (const name of names)
    result += `/${typeof name === "string" && special.test(name) ? escaped(name) : name}`;
  return result;
}

// Hardly any name has one of them.
const special = /[~/]/;

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The names in a JSON pointer: `/a~1b/0` → `["a/b", "0"]`. */
export function pathFromPointer(pointer: string): string[] {
  checkArguments("pathFromPointer", "text", { pointer });
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) {
    throw new TypeError(
      `pathFromPointer takes a JSON pointer, which begins with /, not ${JSON.stringify(pointer)}`,
    );
  }
  return pointer
    .slice(1)
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The pointer of a place for people: that of what is around it where a name on the way is too long to be repeated. */
export function shownPointer(path: readonly (string | number)[]): string {
  const long = path.findIndex((name) => typeof name === "string" && name.length > longestName);
  // A long name that is itself what is meant is told once.
  return pointer("", ...(long === -1 || long === path.length - 1 ? path : path.slice(0, long)));
}
