import { expect } from "vitest";
import type { EnvironmentOptions } from "../src/index.js";
import { type Logger, silentLogger } from "../src/logger.js";
import type { FakeData } from "../src/testing/fake-environment.js";
import { flag, type Running, startRelay } from "./start-relay.js";

// Upstream has version 1 for the first key and version 2 for the second one.
export const one = "sdk-1";
export const two = "sdk-2";
export const fresh = "sdk-3";
export const data: Readonly<Record<typeof one | typeof two, FakeData>> = {
  [one]: { flags: { a: flag("a", 1) } },
  [two]: { flags: { a: flag("a", 2) } },
};

/** The version that a key gets, or the status of the answer. */
export async function seen(relay: Running, authorization: string): Promise<number> {
  const { status, body } = await relay.fetch("GET", "/sdk/flags", { headers: { authorization } });
  return status === 200 ? Number(JSON.parse(body).a?.version) : status;
}

/** Two environments under names that are then found to be wrong, and an upstream that answers nobody new. */
export async function startTwo(
  rest: Partial<EnvironmentOptions> = {},
  logger: Logger = silentLogger,
): Promise<Running> {
  const relay = await startRelay({
    data,
    environments: { staging: { sdkKey: one, ...rest }, production: { sdkKey: two, ...rest } },
    options: { initTimeout: "10m", logger, prometheus: true },
  });
  expect([await seen(relay, one), await seen(relay, two)]).toEqual([1, 2]);
  for (const key of [one, two]) relay.upstream.environment(key).answer("silent");
  return relay;
}
