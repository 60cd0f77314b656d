import type { ConnectionStateName, EnvironmentStatus, RelayStatus } from "@wye/relay";
import { expect, test } from "vitest";
import {
  boardFacts,
  connectionVerdict,
  environmentFacts,
  overallVerdict,
  sinceText,
} from "./describe-status.js";

const now = Date.UTC(2026, 0, 1, 12);
const environment = (
  state: ConnectionStateName,
  more: Partial<EnvironmentStatus> = {},
): EnvironmentStatus => ({
  sdkKey: "sdk-***42",
  status: "connected",
  connectionStatus: { state, stateSince: now - 90_000 },
  dataStoreStatus: { state: "VALID", stateSince: now },
  ...more,
});
const document: RelayStatus = { environments: {}, status: "degraded", version: "1.2.3", clientVersion: "1" };

const states = [
  { state: "VALID", sign: "fine", title: "Connected" },
  { state: "INITIALIZING", sign: "waiting", title: "Starting" },
  { state: "INTERRUPTED", sign: "trouble", title: "Interrupted" },
  { state: "OFF", sign: "failed", title: "Off" },
] as const;
for (const { state, ...verdict } of states) {
  test(`${state} is "${verdict.title}" with a sign of its own`, () =>
    expect(connectionVerdict(environment(state))).toMatchObject(verdict));
}

test("the relay is healthy, degraded, or silent", () => {
  const titles = [{ ...document, status: "healthy" } as const, document, undefined].map(
    (status) => overallVerdict(status).title,
  );
  expect(titles).toEqual(["Healthy", "Degraded", "No answer"]);
});

test("tells all that the document has, and nothing that it has not", () => {
  expect(environmentFacts(environment("VALID"), now).map(([name]) => name)).toEqual([
    "Since",
    "Data store",
    "SDK key",
  ]);
  const whole = environment("INTERRUPTED", {
    mobileKey: "mob-**7",
    envId: "env",
    expiringSdkKey: "sdk-**1",
    connectionStatus: {
      state: "INTERRUPTED",
      stateSince: now,
      lastError: { kind: "NETWORK_ERROR", time: now - 3000 },
    },
    dataStoreStatus: { state: "VALID", stateSince: now, database: "redis" },
  });
  const facts = Object.fromEntries(environmentFacts(whole, now));
  expect(facts).toMatchObject({
    "Last error": expect.stringMatching(/^NETWORK_ERROR, .* 3 s ago$/),
    "Data store": "valid, redis",
    "SDK key": "sdk-***42",
    "Expiring SDK key": "sdk-**1",
    "Mobile key": "mob-**7",
    "Environment ID": "env",
  });
});

test("tells what goes through the relay", () => {
  const board = { revision: 1, flags: [], traffic: { streams: 2, events: 5 } };
  expect(boardFacts(board, document)).toEqual([
    ["Data version", "2 (1 edit since the start)"],
    ["Open streams", "2"],
    ["Events taken", "5"],
    ["Version of the relay", "1.2.3"],
  ]);
});

const ages = [
  { ms: -50, words: "0 s ago" },
  { ms: 59_000, words: "59 s ago" },
  { ms: 61_000, words: "1 min ago" },
  { ms: 119 * 60_000, words: "119 min ago" },
  { ms: 3 * 3_600_000, words: "3 h ago" },
  { ms: 72 * 3_600_000, words: "3 days ago" },
];
for (const { ms, words } of ages) {
  test(`${ms} ms are ${words}`, () => expect(sinceText(now - ms, now)).toMatch(new RegExp(`, ${words}$`)));
}
