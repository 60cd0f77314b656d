import { expect, test } from "vitest";
import { silentLogger } from "../logger.js";
import { createManualClock } from "../testing/manual-clock.js";
import { createPublisherLog } from "./publisher-log.js";

test("each kind of thing is told of once a minute, what is lost as an error", () => {
  const clock = createManualClock();
  const told: string[] = [];
  const warn = (message: string) => void told.push(`warn ${message}`);
  const error = (message: string) => void told.push(`error ${message}`);
  const log = createPublisherLog(clock, { ...silentLogger, warn, error });
  const tellAll = () => {
    for (const [kind, tell] of Object.entries(log)) tell(kind);
  };
  for (let times = 0; times < 1000; times++) tellAll();
  expect(told).toEqual(["warn full", "warn again", "warn kept", "warn split", "error dropped"]);
  clock.advance(60_000);
  tellAll();
  expect(told.slice(5)).toEqual(told.slice(0, 5).map((line) => `${line} (999 more before)`));
});
