import { isRelayError } from "../src/error.js";

/** What is refused of options, one text for each problem. */
export function problemsOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (isRelayError(error)) return error.problems;
    throw error;
  }
  return [];
}
