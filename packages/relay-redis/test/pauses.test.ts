import type { FlagStore } from "@wye/relay";
import { createManualClock } from "@wye/relay/testing";
import { expect, onTestFinished, test } from "vitest";
import { redisStore } from "../src/index.js";
import { contextOf, flag, never } from "./fixtures.js";
import { startRedisStandIn } from "./redis-stand-in.js";

/** A server that asks for another password than the stores of a factory have. */
async function refusing() {
  const server = await startRedisStandIn({ password: "right" });
  const clock = createManualClock(0);
  const factory = redisStore({ url: `redis://:wrong@127.0.0.1:${server.port}`, prefix: "ld" });
  const open = () => factory({ ...contextOf("test"), clock });
  onTestFinished(() => server.close());
  /** How often it was connected to, once a store has asked it after some time. */
  const connectionsAfter = async (ms: number, store: FlagStore) => {
    clock.advance(ms);
    await expect(store.isFilled?.(never)).rejects.toThrow("WRONGPASS");
    return server.connections;
  };
  return { open, connectionsAfter };
}

test("each pause between attempts to connect is twice as long, by a chance up to half of it less", async () => {
  const { open, connectionsAfter } = await refusing();
  const store = open();
  expect(await connectionsAfter(0, store)).toBe(1);
  for (const [before, longest] of [50, 100, 200, 400, 800].entries()) {
    expect(await connectionsAfter(longest / 2 - 1, store)).toBe(before + 1);
    expect(await connectionsAfter(longest / 2 + 1, store)).toBe(before + 2);
  }
  await store.close();
});

test("a store that is opened once all are closed waits for no pause of theirs", async () => {
  const { open, connectionsAfter } = await refusing();
  const first = open();
  expect(await connectionsAfter(0, first)).toBe(1);
  expect(await connectionsAfter(0, first)).toBe(1);
  await first.close();
  const second = open();
  expect(await connectionsAfter(0, second)).toBe(2);
  await second.close();
});

test("what was given up before it could be sent is not sent, connected or not", async () => {
  const server = await startRedisStandIn();
  onTestFinished(() => server.close());
  const store = redisStore({ url: `redis://127.0.0.1:${server.port}`, prefix: "ld" })(contextOf("test"));
  const late = AbortSignal.abort(new Error("too late"));
  await expect(store.replace([flag("a", 1)], late)).rejects.toThrow("too late");
  await store.replace([flag("b", 1)], never);
  const sent = server.commands.length;
  await expect(store.replace([flag("a", 1)], late)).rejects.toThrow("too late");
  await expect(store.isFilled?.(late)).rejects.toThrow("too late");
  expect(server.commands).toHaveLength(sent);
  expect(await store.read(never)).toMatchObject([{ key: "b" }]);
  await store.close();
});
