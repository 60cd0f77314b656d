import fs from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { everywhere } from "../../test/everywhere.js";
import { folderWith } from "../../test/run-program.js";
import { checkReportFile } from "./report-file.js";

test.each<[report: string, root: string, refused: RegExp | undefined]>([
  ["report.html", "runs", undefined],
  ["there.html", "runs", undefined],
  ["run", "runs", undefined],
  ["runs", "run", undefined],
  ["runs/report.html", "runs", /^it cannot be written: ENOENT/],
  ["folder/report.html", "folder", undefined],
  ["folder", "runs", /^it is a folder, name a file in it$/],
  ["runs", "runs", /^it is a folder, name a file in it$/],
  ["runs", "runs/deep", /^it is a folder, name a file in it$/],
  ["p.json", "runs", /^it is the file of the pipeline, name another one$/],
])("a report %s beside runs in %s", async (report, root, refused) => {
  const { cwd } = folderWith({ "p.json": "{}", "there.html": "old", "folder/x": "" });
  const path = join(cwd, report);
  const checked = checkReportFile(path, { pipeline: join(cwd, "p.json"), root: join(cwd, root) }).then(
    () => undefined,
    ({ name, message }: Error) => `${name} ${message}`,
  );
  expect((await checked)?.replace(`UsageError --report ${path}: `, "")).toEqual(
    refused && expect.stringMatching(refused),
  );
});

test("without a pipeline in a file, or where that is gone, nothing is written over", async () => {
  const { cwd } = folderWith({ "p.json": "{}" });
  for (const pipeline of [undefined, join(cwd, "gone.json")])
    await checkReportFile(join(cwd, "p.json"), { pipeline, root: join(cwd, "runs") });
});

test("another file is put in the place of a report, and into what is no file it is written", async () => {
  const access = everywhere(vi.spyOn(fs, "access").mockRejectedValue(new Error("read-only")));
  const { cwd } = folderWith({ "there.html": "old" });
  const around = { pipeline: undefined, root: join(cwd, "runs") };
  for (const [report, written] of [
    [join(cwd, "there.html"), cwd],
    [join(cwd, "new.html"), cwd],
    ["/dev/null", "/dev/null"],
  ] as const) {
    const refusal = `--report ${report}: it cannot be written: read-only`;
    await expect(checkReportFile(report, around)).rejects.toThrow(refusal);
    expect(access).toHaveBeenLastCalledWith(written, fs.constants.W_OK);
  }
});
