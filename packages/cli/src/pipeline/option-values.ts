import { InvalidArgumentError } from "commander";

/** All values of an option that may be repeated. */
export const collect = (value: string, all: readonly string[]): readonly string[] => [...all, value];

/** A number of things. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("It is a whole number from 1.");
  return value;
}

/** A number of seconds. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 2_000_000)) throw new InvalidArgumentError("It is a number of seconds.");
  return value;
}

/** A name, which may come from a variable that is not set. */
export function named(text: string): string {
  if (text === "") throw new InvalidArgumentError("It is empty.");
  return text;
}

const states = ["PENDING", "RUNNING", "SUCCEEDED", "SKIPPED", "FAILED", "CANCELING", "CANCELED", "PAUSED"];

/** A state that runs may be in, in whatever letters. */
export function runState(text: string): string {
  const state = text.toUpperCase();
  if (states.includes(state)) return state;
  throw new InvalidArgumentError(`It is one of ${states.join(", ")}.`);
}
