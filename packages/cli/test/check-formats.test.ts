import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { SarifLog } from "@wye/pipeline-validator";
import { expect, test } from "vitest";
import { tarOf } from "../../../scripts/make-archive.js";
import { folderWith, shellPipeline, wye } from "./run-program.js";

const good = shellPipeline("true");
const bad = good.replace('"name":"shell"', '"nmae":"shell"');
const cyclic = good.replace(
  '"taskInfo":{"name":"only"}',
  '"taskInfo":{"name":"only"},"dependentTasks":["only"]',
);

/** The files that a log names, each once, in their order. */
function urisOf({ runs }: SarifLog): readonly (string | undefined)[] {
  const results = runs.flatMap((run) => run.results);
  return [...new Set(results.map(({ locations: [at] }) => at?.physicalLocation.artifactLocation.uri))];
}

test("prints SARIF with one run for all files, and annotations of GitHub", async () => {
  const host = folderWith({ "bad.json": bad, "cyclic.json": cyclic });
  const sarif = JSON.parse((await wye(["pipeline", "check", "*.json", "--format", "sarif"], host)).out);
  expect(sarif.runs).toHaveLength(1);
  const [{ tool, results }] = sarif.runs;
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
  expect(urisOf(sarif)).toEqual(["bad.json", "cyclic.json"]);
  const { out } = await wye(["pipeline", "check", "bad.json", "--format", "github"], host);
  expect(out).toMatch(/^::error file=bad\.json,line=1,/m);
});

test("SARIF is the same with files that could not be read, but for what is said of them", async () => {
  const host = folderWith({ "bad.json": bad });
  const check = async (...names: readonly string[]) =>
    JSON.parse((await wye(["pipeline", "check", ...names, "--format", "sarif"], host)).out);
  const whole = await check("bad.json");
  const [run] = whole.runs;
  const invocations = [expect.objectContaining({ executionSuccessful: false })];
  expect(await check("bad.json", "none.json")).toEqual({ ...whole, runs: [{ ...run, invocations }] });
});

test("prints JSON with all files, and whether all of them are right", async () => {
  const host = folderWith({ "bad.json": bad, "good.json": good, "fine.json": good });
  const check = async (...names: readonly string[]) =>
    JSON.parse((await wye(["pipeline", "check", ...names, "--json"], host)).out);
  const file = (name: string, ok: boolean) => expect.objectContaining({ file: name, ok });
  expect(await check("good.json", "fine.json")).toEqual({
    version: 1,
    ok: true,
    files: [file("good.json", true), file("fine.json", true)],
  });
  expect(await check("bad.json", "good.json")).toEqual({
    version: 1,
    ok: false,
    files: [file("bad.json", false), file("good.json", true)],
  });
});

test("names files in SARIF as code scanning looks for them: from the root of the repository, or by their whole address", async () => {
  const { cwd } = folderWith({ "in/deep/bad.json": bad, "in/above.json": bad, "out.json": bad });
  const deep = join(cwd, "in/deep");
  const names = ["bad.json", "../above.json", join(deep, "bad.json"), join(cwd, "out.json"), "-"];
  const check = async () => {
    const host = { cwd: deep, input: bad };
    return urisOf(JSON.parse((await wye(["pipeline", "check", ...names, "--format", "sarif"], host)).out));
  };
  const [above, out] = ["in/above.json", "out.json"].map((name) => pathToFileURL(join(cwd, name)).href);
  expect(await check()).toEqual(["bad.json", above, out, "%3Cstdin%3E"]);
  mkdirSync(join(cwd, "in/.git"));
  expect(await check()).toEqual(["deep/bad.json", "above.json", out, "%3Cstdin%3E"]);
});

test("a file in an archive is named with the archive, of the standard input too", async () => {
  const archive = tarOf([{ name: "in/bad.json", contents: bad }]);
  const host = folderWith({ "bad.tar.gz": gzipSync(archive) });
  for (const [name, shown] of [
    ["bad.tar.gz", "bad.tar.gz!in/bad.json"],
    ["-", "<stdin>!in/bad.json"],
  ] as const) {
    const readInput = async () => archive;
    const { code, out } = await wye(["pipeline", "check", "--json", name], { ...host, readInput });
    expect([code, JSON.parse(out).files[0].file]).toEqual([1, shown]);
  }
});
