/** The JSON pointer (RFC 6901) of a path: `["a/b", 0]` → `/a~1b/0`. */
export function pointerFromPath(path: readonly (string | number)[]): string {
  let pointer = "";
  for (const segment of path) {
    pointer += `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return pointer;
}

/** The segments of a JSON pointer: `/a~1b/0` → `["a/b", "0"]`. */
export function pathFromPointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw new TypeError(`not a JSON pointer: ${JSON.stringify(pointer)}`);
  return pointer
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}
