/** Calls a function of the host that may throw, now or later. */
export function callHost(call: () => unknown, failed: (error: unknown) => void): void {
  try {
    const done = call();
    if (done instanceof Promise) done.catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** What the host has given, in which nothing is wanted of a promise: if it is one, that it fails harms nobody. */
export function withoutRejection<Given>(given: Given): Given {
  if (given instanceof Promise) given.catch(() => {});
  return given;
}

/** Demands that what the host has given, or a factory of it has made, has these methods. */
export function demandMade<Made>(what: string, made: Made, methods: readonly (keyof Made & string)[]): Made {
  const isObject = (typeof made === "object" && made !== null) || typeof made === "function";
  const missing = methods.filter((name) => !isObject || typeof made[name] !== "function");
  if (missing.length === 0) return made;
  // The error below tells of it.
  withoutRejection(made);
  const hint = made instanceof Promise ? "; it must not be a promise" : "";
  throw new TypeError(
    `${what} must be an object with the methods ${methods.join(", ")}; missing: ${missing.join(", ")}${hint}`,
  );
}
