import type { Client } from "pg";
import { expect, test } from "vitest";
import { givingWay } from "./giving-way.js";

/** A connection that notes what it is asked. */
function noting() {
  const asked: string[] = [];
  const client = { query: async (text: string) => void asked.push(text) } as unknown as Client;
  return { asked, client };
}
const held = (code = "55P03") => Object.assign(new Error("held"), { code });
const beginning = "set local lock_timeout = 2000; savepoint before_waiting";

test("what nobody stands in the way of is done at once", async () => {
  const { asked, client } = noting();
  expect(await givingWay(client, 0, async () => "done")).toBe("done");
  expect(asked).toEqual([beginning]);
});

test.each(["55P03", "40P01"])("what others hold is tried again from where it began: %s", async (code) => {
  const { asked, client } = noting();
  const outcomes = [held(code)];
  const task = async (): Promise<string> => {
    const [failure] = outcomes.splice(0, 1);
    asked.push("task");
    if (failure !== undefined) throw failure;
    return "done";
  };
  const begun = performance.now();
  expect(await givingWay(client, Number.POSITIVE_INFINITY, task)).toBe("done");
  // Those who wait behind it come first.
  expect(performance.now() - begun).toBeGreaterThan(490);
  expect(asked).toEqual([beginning, "task", "rollback to savepoint before_waiting", "task"]);
});

test("it is not tried again when its time is over, nor when something else has failed", async () => {
  for (const [end, failure] of [
    [0, held()],
    [Number.POSITIVE_INFINITY, held("42501")],
    [Number.POSITIVE_INFINITY, new Error("lost")],
  ] as const) {
    const { asked, client } = noting();
    await expect(givingWay(client, end, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(asked).toEqual([beginning]);
  }
});
