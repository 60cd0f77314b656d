import { expect, test } from "vitest";
import { createOutageLog } from "./outage-log.js";

test("an outage is told of again after a minute, with the number of those in between, each kind by itself", () => {
  const lines: string[] = [];
  let now = 1_000_000;
  const logger = { info() {}, warn: (line: string) => void lines.push(line), error() {} };
  const tell = createOutageLog(logger, () => now);
  const away = { kind: "unavailable", line: "away" };
  for (let time = 0; time < 5; time++) tell(away);
  tell({ kind: "late", line: "late" });
  expect(lines).toEqual(["away", "late"]);
  now += 59_999;
  tell(away);
  now += 1;
  tell(away);
  tell({ kind: "late", line: "late" });
  expect(lines.slice(2)).toEqual(["away (and 5 more since the last such line)", "late"]);
  now -= 3_600_000;
  tell(away);
  expect(lines.slice(4)).toEqual(["away"]);
  tell(away);
  now += 60_000;
  tell(away);
  expect(lines.slice(5)).toEqual(["away (and 1 more since the last such line)"]);
});
