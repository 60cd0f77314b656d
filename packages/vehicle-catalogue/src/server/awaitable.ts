/** A value that is there at once, or later. What is there at once costs no turn of the event loop. */
export type Awaitable<Value> = Value | PromiseLike<Value>;

/** Goes on with a value: at once when it is there, otherwise when it comes. */
export function whenThere<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return isPending(value) ? value.then(next) : next(value);
}

/** Whether a value is still to come. */
export function isPending<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
