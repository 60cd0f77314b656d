import { describe, expect, test } from "vitest";
import { notingClient } from "../test/noting-client.js";
import { beginView, inTransaction, inView } from "./transaction.js";

const place = { schema: "fleet", timeoutMs: 249.5 };
const settings =
  "set local search_path to fleet, public; set local lock_timeout = 0; set local statement_timeout = 250";
const read = `begin isolation level repeatable read, read only; ${settings}`;
const write = `begin isolation level read committed; ${settings}`;
const lock = "lock table fleet.vehicles, fleet.brands in access share mode";

const kinds = {
  "a transaction that reads": [[read], "read"],
  "a transaction that writes": [[write], "write"],
  "a view": [[read, lock], undefined],
} as const;

describe.each(Object.entries(kinds))("%s", (_, [beginning, kind]) => {
  const run = (client: ReturnType<typeof notingClient>["client"], task: () => Promise<string>) =>
    kind === undefined ? inView(client, place, task) : inTransaction(client, place, kind, task);

  test("is committed after its task, and gives what that has given", async () => {
    const { client, texts } = notingClient();
    const task = async (): Promise<string> => {
      await client.query("task");
      return "done";
    };
    expect(await run(client, task)).toBe("done");
    expect(texts()).toEqual([...beginning, "task", "commit"]);
  });

  test("is rolled back when its task fails, which is told even where that fails as well", async () => {
    const failure = new Error("no");
    for (const rollback of [[], new Error("gone")]) {
      const { client, texts } = notingClient((text) => {
        if (text === "rollback" && rollback instanceof Error) return Promise.reject(rollback);
        return [];
      });
      await expect(run(client, () => Promise.reject(failure))).rejects.toBe(failure);
      expect(texts()).toEqual([...beginning, "rollback"]);
    }
  });

  test.each([...beginning, "commit"])("is rolled back where the server refuses to %s", async (refused) => {
    const failure = new Error("no");
    const { client, texts } = notingClient((text) => (text === refused ? Promise.reject(failure) : []));
    await expect(run(client, async () => "done")).rejects.toBe(failure);
    expect(texts().slice(-2)).toEqual([refused, "rollback"]);
  });
});

test("a view is begun for whoever ends it", async () => {
  const { client, texts } = notingClient();
  await beginView(client, place);
  expect(texts()).toEqual([read, lock]);
});
