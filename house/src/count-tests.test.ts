import { expect, test } from "vitest";
import { countTests, expectedReports } from "../../scripts/count-tests.mjs";
import { packages, root } from "./workspace.js";

const passed = { status: "passed" };
const failed = { status: "failed", fullName: "adds", failureMessages: ["expected 1\n\n  at line 2"] };

const cases = [
  {
    name: "adds up the tests of all files of all reports",
    reports: [
      ["a", [{ name: "a1", status: "passed", assertionResults: [passed, passed] }]],
      ["b", [{ name: "b1", status: "failed", assertionResults: [passed, failed, failed] }]],
    ],
    total: {
      passed: 3,
      failed: 2,
      skipped: 0,
      problems: Array(2).fill("b1: adds failed\n    expected 1\n      at line 2"),
    },
  },
  {
    name: "counts a file that crashed before its tests as one failure",
    reports: [["a", [{ name: "a1", status: "failed", message: "no such module", assertionResults: [] }]]],
    total: { passed: 0, failed: 1, skipped: 0, problems: ["a1 failed\n    no such module"] },
  },
  {
    name: "counts a file whose hooks failed after its tests passed",
    reports: [["a", [{ name: "a1", status: "failed", assertionResults: [passed] }]]],
    total: { passed: 1, failed: 1, skipped: 0, problems: ["a1 failed"] },
  },
  {
    name: "counts a report that was not written as one failure",
    reports: [["a", undefined]],
    total: {
      passed: 0,
      failed: 1,
      skipped: 0,
      problems: ["a was not written: the run ended before its report"],
    },
  },
  {
    name: "counts a report without any test as one failure",
    reports: [["a", []]],
    total: { passed: 0, failed: 1, skipped: 0, problems: ["a has no test file in it"] },
  },
  {
    name: "tells what was skipped",
    reports: [
      [
        "a",
        [
          {
            name: "a1",
            status: "passed",
            assertionResults: [passed, { status: "skipped" }, { status: "todo" }],
          },
        ],
      ],
    ],
    total: { passed: 1, failed: 0, skipped: 2, problems: [] },
  },
] as const;
for (const { name, reports, total } of cases) {
  test(name, () => expect(countTests(reports as unknown as Parameters<typeof countTests>[0])).toEqual(total));
}

test("expects a report of every package and of the house itself", () => {
  const reports = expectedReports(root);
  expect(reports).toContain("house/.reports/test.json");
  expect(reports).toEqual(
    expect.arrayContaining(packages.map(({ id }) => `packages/${id}/.reports/test.json`)),
  );
});
