import { messageOf } from "../message-of.js";
/** What ends the program before it serves: its message is all that the user needs. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Does something that may fail for reasons that are the user's to mend. */
export async function orStartError<Value>(what: string, run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    throw new StartError(`${what}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
