import type { FlagStore } from "@wye/relay";
import { afterEach, beforeEach } from "vitest";
import { type RedisOptions, redisStore } from "../src/index.js";
import { contextOf, newPrefix } from "./fixtures.js";
import { type RedisStandIn, startRedisStandIn } from "./redis-stand-in.js";

/** The stand-in of the test that runs. */
export let server: RedisStandIn;

/** Gives each test of a file a stand-in of its own. */
export function startForEach(): void {
  beforeEach(async () => {
    server = await startRedisStandIn();
  });
  afterEach(() => server.close());
}

/** Where it is. */
export const url = (): string => `redis://127.0.0.1:${server.port}`;

/** A store of flags in it, in a place of its own. */
export const open = (options: RedisOptions = {}): FlagStore =>
  redisStore({ url: url(), prefix: newPrefix(), ...options })(contextOf("test"));
