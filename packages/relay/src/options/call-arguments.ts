// Programs without types call with what they like. A call that makes no sense says so before it has done anything.

/** Demands the name of an environment. */
export function demandName(call: string, name: unknown): void {
  if (typeof name === "string" && name !== "") return;
  throw new TypeError(
    `${call}: the name of the environment must be text that is not empty, not ${show(name)}`,
  );
}

/** Demands text. `example` shows what is in it. */
export function demandText(call: string, argument: unknown, example: string): void {
  if (typeof argument === "string") return;
  throw new TypeError(`${call} takes text such as ${example}, not ${show(argument)}`);
}

/** Demands an object. `example` shows how the argument is written. */
export function demandObject(call: string, argument: unknown, example: string): asserts argument is object {
  if (typeof argument === "object" && argument !== null && !Array.isArray(argument)) return;
  throw new TypeError(`${call} takes an object such as ${example}, not ${show(argument)}`);
}

/** Demands an object with no other members than these. `example` shows how the argument is written. */
export function demandMembers(
  call: string,
  argument: unknown,
  names: readonly string[],
  example: string,
): void {
  demandObject(call, argument, example);
  const unknown = Object.keys(argument).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `${call}: there is no ${show(unknown)}; there is ${names.join(", ")}, as in ${example}`,
  );
}

function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 100)) : typeNameOf(value);
}

function typeNameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}
