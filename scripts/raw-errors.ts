/** A function, whatever it takes. */
export type AnyFunction = (...args: readonly unknown[]) => unknown;

/** Each time anew: a function may write into what it is given. */
const nonsense = (): readonly unknown[] => [undefined, null, 5, "x", {}, [], () => undefined];

/** The arguments with nonsense in each place, and nothing but nonsense. */
const spoilt = (args: readonly unknown[]): readonly (readonly unknown[])[] => [
  [],
  ...nonsense().map((value) => args.map(() => value)),
  ...args.flatMap((_, place) => nonsense().map((value) => args.with(place, value))),
];

const shown = (value: unknown): string =>
  typeof value === "function" ? "a function" : (JSON.stringify(value)?.slice(0, 60) ?? "undefined");

/** Calls a function with nonsense in each place, and gives what is thrown that is not one of ours. */
export async function rawErrors(
  name: string,
  call: AnyFunction,
  args: readonly unknown[],
  isOurs: (error: unknown) => boolean = namesIt(name),
): Promise<readonly string[]> {
  const errors: string[] = [];
  for (const list of spoilt(args)) {
    try {
      const given = await call(...list);
      if (typeof given === "object" && given !== null && "next" in given)
        [...(given as unknown as Iterable<unknown>)];
    } catch (error) {
      if (!isOurs(error)) errors.push(`${name}(${list.map(shown).join(", ")}): ${error}`);
    }
  }
  return errors;
}

/** Whether an error is a TypeError that names a function. */
export function namesIt(name: string): (error: unknown) => boolean {
  return (error) => error instanceof TypeError && error.message.includes(name);
}
