import { expect, test } from "vitest";
import { benchTable } from "../../scripts/bench-table.mjs";

test("prints times, ratios and figures as one aligned table with its notes", () => {
  const text = benchTable([
    {
      title: "parse",
      name: "wye",
      cpu: { best: 0.5, median: 1.5 },
      wall: { best: 1, median: 2500 },
      ratio: { median: 3, low: 2.5, high: 3.25 },
      baseline: false,
      note: "warm",
    },
    {
      title: "parse",
      name: "JSON",
      cpu: { best: 0.0002, median: 0.00000025 },
      wall: { best: 1, median: 0.25 },
      ratio: { median: 1, low: 1, high: 1 },
      baseline: true,
      note: "warm",
    },
    { title: "memory", name: "wye", value: 12345.6, unit: "KiB", baseline: false },
  ]);
  expect(text.split("\n")).toEqual([
    "| measurement | contender |   cpu best | cpu median | wall median | ratio (quartiles) |",
    "|-------------|-----------|-----------:|-----------:|------------:|------------------:|",
    "| parse       | wye       |     500 µs |    1.50 ms |      2.50 s |  3.00 (2.50–3.25) |",
    "|             | JSON      |     200 ns |   0.250 ns |      250 µs |                 1 |",
    "| memory      | wye       | 12,346 KiB |            |             |                   |",
    "  parse: warm",
  ]);
});
