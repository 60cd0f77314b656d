/** The steps to an attribute: a name, then the names of members of nested objects. */
export type AttributePath = readonly [string, ...string[]];

/**
 * Reads an attribute reference: a plain name, or `/name/member/…` where `~1` stands for `/` and `~0` for `~`.
 * Undefined when it is not valid: empty, an empty step, or another character after `~`.
 */
export function parseAttributePath(reference: string): AttributePath | undefined {
  if (!reference.startsWith("/")) return reference === "" ? undefined : [reference];
  const [first, ...rest] = reference.slice(1).split("/");
  if (first === undefined) return undefined;
  const path: AttributePath = [first, ...rest];
  if (path.some((step) => step === "" || /~(?![01])/.test(step))) return undefined;
  return [unescapeStep(first), ...rest.map(unescapeStep)];
}

function unescapeStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
