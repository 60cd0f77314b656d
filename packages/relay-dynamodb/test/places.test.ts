import { createStoreContext } from "@wye/relay/testing";
import { expect, test, vi } from "vitest";
import { dynamoDbStore } from "../src/index.js";
import { createMemoryTable } from "./memory-table.js";

const { signal } = new AbortController();

const openUnder = (prefix: string) => () =>
  dynamoDbStore({ table: "flags", client: createMemoryTable().client, prefix })(createStoreContext());

test("the longest prefix leaves room for the longest name behind it, in bytes", () => {
  for (const prefix of ["x".repeat(1002), "ä".repeat(501)]) expect(openUnder(prefix)).not.toThrow();
});

test.each(["x".repeat(1003), "ä".repeat(502)])("a longer prefix is refused", (prefix) => {
  const problem = "prefix is too long for a key of DynamoDB";
  expect(openUnder(prefix)).toThrow(
    expect.objectContaining({ message: `dynamoDbStore: ${problem}`, problems: [problem] }),
  );
});

test("a client of the host is the host's to end, whichever store is closed", async () => {
  const { client } = createMemoryTable();
  const destroy = vi.spyOn(client, "destroy");
  const factory = dynamoDbStore({ table: "flags", client });
  await factory(createStoreContext()).close();
  const next = factory(createStoreContext());
  expect(await next.read(signal)).toBeUndefined();
  await next.close();
  expect(destroy).not.toHaveBeenCalled();
});
