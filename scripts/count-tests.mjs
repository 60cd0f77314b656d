// `node scripts/count-tests.mjs` reads the JSON report of every vitest run and prints the true totals as its last line,
// `N passed, N failed`. A suite that was to run and left no report, or crashed before its tests, counts as a failure.
// `--reset` removes old reports, so that none of an earlier run is counted.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {{ status: string, fullName?: string, failureMessages?: string[] }} TestResult */
/** What is read of a vitest report. @typedef {{ name: string, status: string, message?: string, assertionResults: TestResult[] }} SuiteResult */

/** A failure message goes on with a stack, which the output of the run itself has. */
const mostMessageLines = 12;

/** Which script of a workspace writes which report. */
const reportOf = { test: "test.json", "test:real": "real.json" };

/** @param {string} root  the repository */
export function expectedReports(root) {
  const folders = ["packages", "examples"].flatMap((group) =>
    existsSync(join(root, group)) ? readdirSync(join(root, group)).map((name) => join(group, name)) : [],
  );
  return [...folders, "house", "docs"].flatMap((folder) => {
    const manifest = join(root, folder, "package.json");
    if (!existsSync(manifest)) return [];
    const { scripts = {} } = JSON.parse(readFileSync(manifest, "utf8"));
    return Object.entries(reportOf).flatMap(([script, file]) =>
      scripts[script] ? [join(folder, ".reports", file)] : [],
    );
  });
}

/**
 * Adds up reports; `undefined` stands for a report that was not written.
 *
 * @param {readonly (readonly [path: string, results: readonly SuiteResult[] | undefined])[]} reports
 */
export function countTests(reports) {
  /** @type {{ passed: number, failed: number, skipped: number, problems: string[] }} */
  const total = { passed: 0, failed: 0, skipped: 0, problems: [] };
  for (const [path, results] of reports) {
    if (!results) {
      total.failed += 1;
      total.problems.push(`${path} was not written: the run ended before its report`);
      continue;
    }
    for (const { name, status, message, assertionResults } of results) {
      const failed = assertionResults.filter((test) => test.status === "failed");
      const failures = failed.length;
      total.passed += assertionResults.filter((test) => test.status === "passed").length;
      total.skipped +=
        assertionResults.length -
        failures -
        assertionResults.filter((test) => test.status === "passed").length;
      // A file that cannot be loaded, or whose hooks fail, is failed without a failed test.
      total.failed += failures > 0 || status !== "failed" ? failures : 1;
      if (status === "failed" && failures === 0) total.problems.push(tell(name, message));
      for (const { fullName = "", failureMessages = [] } of failed) {
        total.problems.push(tell(`${name}: ${fullName}`, failureMessages.join("\n")));
      }
    }
    if (results.length === 0) {
      total.failed += 1;
      total.problems.push(`${path} has no test file in it`);
    }
  }
  return total;
}

/** @param {string} what @param {string | undefined} message */
function tell(what, message) {
  const lines = (message ?? "").split("\n").filter((line) => line.trim() !== "");
  return [`${what} failed`, ...lines.slice(0, mostMessageLines)].join("\n    ");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const paths = expectedReports(root);
  if (process.argv.includes("--reset")) {
    for (const path of paths) rmSync(join(root, path), { force: true });
  } else {
    const { passed, failed, skipped, problems } = countTests(
      paths.map((path) => {
        const file = join(root, path);
        return [path, existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).testResults : undefined];
      }),
    );
    for (const problem of problems) console.log(`  ${problem.replaceAll(root, "")}`);
    if (skipped > 0) console.log(`${skipped} skipped`);
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed > 0 ? 1 : 0;
  }
}
