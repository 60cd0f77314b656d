import { writeFileSync } from "node:fs";
import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { artifactStamp } from "./artifact-stamp.js";

test("a folder of more than ten thousand files is looked at whole", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wye-stamp-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (let n = 0; n < 10_100; n++) writeFileSync(join(folder, `${n}`), "text");
  const before = await artifactStamp(folder);
  expect(await artifactStamp(folder)).toBe(before);
  await utimes(join(folder, "9999"), 1, 1);
  expect(await artifactStamp(folder)).not.toBe(before);
});
