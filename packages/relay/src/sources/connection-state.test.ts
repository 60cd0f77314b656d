import { expect, test } from "vitest";
import { createManualClock } from "../testing/manual-clock.js";
import { type ConnectionState, createConnectionState } from "./connection-state.js";

const succeed = (connection: ConnectionState) => connection.succeeded();
const interrupt = (connection: ConnectionState) => connection.interrupted("NETWORK_ERROR");
const failBeside = (connection: ConnectionState) => connection.failedBeside("UNKNOWN");
const refuse = (connection: ConnectionState) => connection.refused("ERROR_RESPONSE");
const ask = (connection: ConnectionState) => connection.asking();
const close = (connection: ConnectionState) => connection.close();

const start = 1_700_000_000_000;
// Each step happens a second after the one before it; `since` is the second of the last change, `error` of the last error.
const cases = [
  { name: "the start", steps: [], state: "INITIALIZING", since: 0 },
  { name: "the first data", steps: [succeed], state: "VALID", since: 1 },
  { name: "an error before any data", steps: [interrupt], state: "INITIALIZING", since: 0, error: 1 },
  { name: "an error after data", steps: [succeed, interrupt], state: "INTERRUPTED", since: 2, error: 2 },
  {
    name: "one error after the other",
    steps: [succeed, interrupt, interrupt],
    state: "INTERRUPTED",
    since: 2,
    error: 3,
  },
  {
    name: "recovery keeps the error",
    steps: [succeed, interrupt, succeed],
    state: "VALID",
    since: 3,
    error: 2,
  },
  {
    name: "an error beside flags that arrive",
    steps: [succeed, failBeside],
    state: "VALID",
    since: 1,
    error: 2,
  },
  {
    name: "an error beside a refusal",
    steps: [succeed, refuse, failBeside],
    state: "OFF",
    since: 2,
    error: 3,
  },
  { name: "a refused key at the start", steps: [refuse], state: "OFF", since: 1, error: 1 },
  { name: "a refused key while running", steps: [succeed, refuse], state: "OFF", since: 2, error: 2 },
  { name: "data after a refusal", steps: [refuse, succeed], state: "VALID", since: 2, error: 1 },
  { name: "an error after a refusal", steps: [refuse, interrupt], state: "INITIALIZING", since: 2, error: 2 },
  { name: "one refusal after the other", steps: [refuse, refuse], state: "OFF", since: 1, error: 2 },
  {
    name: "an error after data and a refusal",
    steps: [succeed, refuse, interrupt],
    state: "INTERRUPTED",
    since: 3,
    error: 3,
  },
  { name: "another key after a refusal", steps: [refuse, ask], state: "INITIALIZING", since: 2, error: 1 },
  {
    name: "another key after data and a refusal",
    steps: [succeed, refuse, ask],
    state: "INTERRUPTED",
    since: 3,
    error: 2,
  },
  { name: "another key while flags arrive", steps: [succeed, ask], state: "VALID", since: 1 },
  {
    name: "nothing after the end",
    steps: [succeed, close, succeed, interrupt, refuse, ask],
    state: "OFF",
    since: 2,
  },
  { name: "closing keeps the error", steps: [succeed, interrupt, close], state: "OFF", since: 3, error: 2 },
];
for (const { name, steps, state, since, error } of cases) {
  test(name, () => {
    const clock = createManualClock(start);
    const connection = createConnectionState(clock);
    for (const step of steps) {
      clock.advance(1000);
      step(connection);
    }
    expect(connection.status).toMatchObject({ state, stateSince: start + since * 1000 });
    expect(connection.status.lastError?.time).toBe(error === undefined ? undefined : start + error * 1000);
  });
}

// Each step happens a second after the one before it; `lost` is the second since which there is no connection.
const losses = [
  { name: "a connection that begins", steps: [], lost: 0 },
  {
    name: "one that has failed, and is refused, before there was any",
    steps: [interrupt, refuse, ask],
    lost: 0,
  },
  { name: "data", steps: [interrupt, succeed], lost: undefined },
  { name: "an error after data", steps: [succeed, interrupt, interrupt], lost: 2 },
  { name: "errors and refusals in turns", steps: [succeed, interrupt, refuse, interrupt, refuse], lost: 2 },
  { name: "another key after a refusal", steps: [succeed, refuse, ask, interrupt], lost: 2 },
  { name: "a second loss", steps: [succeed, interrupt, succeed, refuse], lost: 4 },
];
for (const { name, steps, lost } of losses) {
  test(`how long a connection is lost: ${name}`, () => {
    const clock = createManualClock(start);
    const connection = createConnectionState(clock);
    for (const step of steps) {
      clock.advance(1000);
      step(connection);
    }
    clock.jump(-3_600_000);
    clock.advance(500);
    expect(connection.lostMs).toBe(lost === undefined ? 0 : (steps.length - lost) * 1000 + 500);
  });
}
