import { fileURLToPath } from "node:url";
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

/** The longest time that timers know. */
const longestMs = 2 ** 31 - 1;

/** A number of seconds. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("It is a number of seconds.");
  if (value * 1000 > longestMs)
    throw new InvalidArgumentError("It is at most 2147483 seconds, which are 24 days.");
  return value;
}

/** A name, which may come from a variable that is not set. */
export function named(text: string): string {
  if (text === "") throw new InvalidArgumentError("It is empty.");
  return text;
}

/** A server. No name of one begins with a hyphen: an option does. */
export function serverAddress(text: string): string {
  if (text.startsWith("-")) throw new InvalidArgumentError(`${text} is no server.`);
  return named(text);
}

/** A path on this machine, or its URL. */
export function localPath(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return named(text);
  try {
    if (/^file:\/\/./i.test(text)) return fileURLToPath(text);
  } catch {
    // A URL that names another machine.
  }
  throw new InvalidArgumentError("It is a path on this machine.");
}

const states = ["PENDING", "RUNNING", "SUCCEEDED", "SKIPPED", "FAILED", "CANCELING", "CANCELED", "PAUSED"];

/** States that runs may be in, in whatever letters. */
export function runStates(text: string, all: readonly string[]): readonly string[] {
  const state = text.toUpperCase();
  if (states.includes(state)) return [...all, state];
  throw new InvalidArgumentError(`It is one of ${states.join(", ")}.`);
}
