import type { LoadReport } from "@wye/vehicle-catalogue/server";
import { expect, test } from "vitest";
import { reportText } from "./check.js";

const problem = { index: 3, field: "model", message: "is no text" };
const repair = { ...problem, id: "a", from: 1, to: "1" };
const stale = { id: "a", field: "model", message: "is no longer 1" };
const none = { problems: 0, repairs: 0, staleCorrections: 0 };

const report = (given: Partial<LoadReport>): LoadReport => ({
  loaded: 0,
  problems: [],
  repairs: [],
  omitted: none,
  ...given,
});

test.each<[what: string, given: Partial<LoadReport>, lines: readonly string[]]>([
  ["nothing", {}, ["0 vehicles, 0 problems, 0 repairs"]],
  [
    "one of each",
    { loaded: 1, problems: [problem], repairs: [repair], staleCorrections: [stale] },
    [
      "wrong: record 3: model is no text",
      "mended: record 3 (id a): model is no text",
      "stale: a model is no longer 1",
      "1 vehicle, 1 problem, 1 repair, 1 stale correction",
    ],
  ],
  [
    "more than are listed",
    {
      loaded: 2,
      problems: [problem],
      repairs: [repair],
      staleCorrections: [stale],
      omitted: { problems: 2, repairs: 30, staleCorrections: 400 },
    },
    [
      "wrong: record 3: model is no text",
      "wrong: and 2 more",
      "mended: record 3 (id a): model is no text",
      "mended: and 30 more",
      "stale: a model is no longer 1",
      "stale: and 400 more",
      "2 vehicles, 3 problems, 31 repairs, 401 stale corrections",
    ],
  ],
  [
    "one more than are listed",
    { omitted: { problems: 1, repairs: 1, staleCorrections: 1 }, staleCorrections: [] },
    [
      "wrong: and 1 more",
      "mended: and 1 more",
      "stale: and 1 more",
      "0 vehicles, 1 problem, 1 repair, 1 stale correction",
    ],
  ],
  [
    "corrections that all apply",
    { staleCorrections: [] },
    ["0 vehicles, 0 problems, 0 repairs, 0 stale corrections"],
  ],
  [
    "a correction of a vehicle as a whole",
    { staleCorrections: [{ id: "gone", field: "", message: "is no vehicle" }] },
    ["stale: gone is no vehicle", "0 vehicles, 0 problems, 0 repairs, 1 stale correction"],
  ],
  [
    "what would draw on a terminal",
    { problems: [{ ...problem, message: "is \u001b[31m" }] },
    ["wrong: record 3: model is \\x1b[31m", "0 vehicles, 1 problem, 0 repairs"],
  ],
])("a report of %s", (_, given, lines) => {
  expect(reportText(report(given))).toBe(lines.map((line) => `${line}\n`).join(""));
});
