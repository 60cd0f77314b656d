import { expect, test } from "vitest";
import { guardedLogger } from "./guarded-logger.js";
import { LeftOutReport } from "./left-out-report.js";

test.each(["info", "warn", "error"] as const)("a %s is one line of that kind", (level) => {
  const told: string[] = [];
  const note = (kind: string) => (line: string) => told.push(`${kind} ${line}`);
  const logger = guardedLogger({ info: note("info"), warn: note("warn"), error: note("error") });
  logger[level]("a\r\n\u2028\u2029\nb\nc d");
  expect(told).toEqual([`${level} a b c d`]);
});

test("a logger that fails harms nobody, and neither does one that is not there", () => {
  const thrown = () => {
    throw new Error("full");
  };
  const rejected = () => Promise.reject(new Error("full"));
  for (const log of [thrown, rejected]) {
    const logger = guardedLogger({ info: log, warn: log, error: log });
    expect([logger.info("a"), logger.warn("a"), logger.error("a")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  }
  expect(guardedLogger(undefined).warn("a")).toBeUndefined();
});

/** What is told of repairs. */
function toldOf(...repairs: readonly { readonly field: string; readonly to?: unknown }[]) {
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const report = new LeftOutReport({ info: log, warn: log, error: log }, "fleet");
  const all = repairs.map(({ field, to }, index) => ({
    index,
    id: `v${index}`,
    field,
    message: "m",
    from: 1,
    to,
  }));
  report.tell({ repairs: all });
  report.tell({ repairs: all });
  return lines;
}

test("what is left out of rows is told once for each attribute, and what was mended is not", () => {
  const line = (field: string, id: string) =>
    `fleet: rows have ${field}, which is left out (id ${id}, and maybe others): extension names what there is beyond the API`;
  expect(
    toldOf(
      { field: "colour" },
      { field: "model", to: "x" },
      { field: "variant", to: null },
      { field: "colour" },
      { field: "dc_charging_curve[0].x" },
      { field: "dc_charging_curve[17].x" },
      { field: "a[0].b[1]" },
      { field: "a[3].b[4]" },
    ),
  ).toEqual([line("colour", "v0"), line("dc_charging_curve[].x", "v4"), line("a[].b[]", "v6")]);
});

test.each([
  [999, 999],
  [1000, 1000],
  [1001, 1000],
])("of %d attributes %d are told", (attributes, told) => {
  expect(toldOf(...Array.from({ length: attributes }, (_, at) => ({ field: `x${at}` })))).toHaveLength(told);
});
