import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";

/** How long anything takes on a slow machine: what is not so by then never is. */
export const patienceMs = 120_000;

/** Asks again until it is so, and tells the last answer when it never is. */
export async function until<Value>(
  ask: () => Promise<Value>,
  enough: (value: Value) => boolean,
  wait: () => Promise<unknown> = () => pause(20),
): Promise<Value> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const value = await ask();
    if (enough(value)) return value;
    if (Date.now() > end) throw new Error(`it is still not so: ${inspect(value)}`);
    await wait();
  }
}
