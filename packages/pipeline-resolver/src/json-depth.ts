/** Deepest nesting of values: deeper ones could not be walked without running out of stack. */
export const maxJsonDepth = 500;

/** What is said of a value that is nested more deeply. */
export const tooDeep: string = `nested deeper than ${maxJsonDepth} levels`;

/** True for a value that is nested too deeply, or contains itself. Each value is looked at once on a level, however often it is there. */
export function isTooDeep(value: unknown): boolean {
  if (!isComposite(value)) return false;
  let level: Iterable<object> = [value];
  for (let depth = 1; depth <= maxJsonDepth; depth++) {
    const inside = new Set<object>();
    for (const one of level) {
      for (const inner of Object.values(one)) if (isComposite(inner)) inside.add(inner);
    }
    if (inside.size === 0) return false;
    level = inside;
  }
  return true;
}

const isComposite = (value: unknown): value is object => typeof value === "object" && value !== null;
