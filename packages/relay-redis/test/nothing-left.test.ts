import { messageOf } from "@wye/relay";
import { expect, onTestFinished, test } from "vitest";
import { redisStore } from "../src/index.js";
import { contextOf, never, until } from "./fixtures.js";
import { startRedisStandIn } from "./redis-stand-in.js";
import { ways } from "./ways.js";

test.each(Object.keys(ways))(
  "of a %s that takes connections and says nothing, closing leaves no connection, no call and no word",
  async (way) => {
    const silent = await startRedisStandIn({ silent: true });
    onTestFinished(() => silent.close());
    const told: string[] = [];
    const tell = (message: string) => void told.push(message);
    const store = redisStore({ ...ways[way]?.(silent.port) })({
      ...contextOf("test"),
      logger: { debug: tell, info: tell, warn: tell, error: tell },
    });
    const reading = store.read(never).catch(messageOf);
    await until(
      async () => silent.open,
      (open) => open > 0,
    );
    await store.close();
    expect(await reading).toBe("the connection to Redis is closed");
    // Within this process both ends learn of it in a few turns, however long they take; nothing waits for a time to pass.
    for (let turns = 0; turns < 1000 && silent.open > 0; turns++) await new Promise(setImmediate);
    expect(silent.open).toBe(0);
    expect(told).toEqual([]);
  },
);
