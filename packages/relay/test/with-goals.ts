import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { RelayOptions } from "../src/options/options.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";
import { type Running, startRelay } from "./start-relay.js";

/** Such a relay, with what has come so far. */
export interface WithGoals {
  readonly relay: Running;
  readonly clock: ManualClock;
  /** The questions to that server. */
  asked(): number;
  /** The requests to the relay. */
  arrived(): number;
}

/** A relay whose goals come from a server that answers as it is told, and counts how often it is asked. */
export async function withGoals(
  answer: RequestListener,
  clock: ManualClock = createManualClock(),
  requestTimeout = "1h",
  more: Omit<RelayOptions, "upstream" | "environments"> = {},
): Promise<WithGoals> {
  let asked = 0;
  let arrived = 0;
  const app = createServer((req, res) => {
    asked++;
    answer(req, res);
  });
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    app.closeAllConnections();
    app.close();
  });
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  const relay = await startRelay({
    options: { clock, ...more },
    reach: ({ roles }) => ({ ...roles, app: url, requestTimeout }),
    mount: (one) => (req, res) => {
      arrived++;
      one.handler(req, res);
    },
  });
  return { relay, clock, asked: () => asked, arrived: () => arrived };
}
