import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RuntimeArtifact } from "@wye/pipeline-spec";
import { describe, expect, onTestFinished, test } from "vitest";
import { copyToWorkspace } from "./workspace-copy.js";

const mebibyte = 2 ** 20;

describe("a copy has what is in a file, and its mode, and can be written", () => {
  test.each(
    [0, 5, mebibyte, mebibyte + 1, 3 * mebibyte].flatMap((size) =>
      [0o644, 0o755, 0o444, 0o555].map((mode) => ({ size, mode: mode.toString(8) })),
    ),
  )("%j", async ({ size, mode }) => {
    const folder = await mkdtemp(join(tmpdir(), "wye-copy-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [source, workspace] = [join(folder, "data"), join(folder, "workspace")];
    mkdirSync(workspace);
    writeFileSync(source, Buffer.alloc(size, "ab"));
    chmodSync(source, Number.parseInt(mode, 8));
    const artifact = { name: "a", uri: source } as RuntimeArtifact;
    const signal = new AbortController().signal;
    const { uri, customPath = "" } = await copyToWorkspace(artifact, source, {
      task: "t",
      workspace,
      signal,
    });
    expect(uri).toBe(source);
    expect(customPath.startsWith(workspace)).toBe(true);
    expect(readFileSync(customPath).equals(readFileSync(source))).toBe(true);
    expect((statSync(customPath).mode & 0o777).toString(8)).toBe(
      (Number.parseInt(mode, 8) | 0o600).toString(8),
    );
  });
});

test.each(["file", "folder"])("a copy of a %s that nobody wants any more is not made", async (what) => {
  const folder = await mkdtemp(join(tmpdir(), "wye-copy-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [source, workspace] = [join(folder, "data"), join(folder, "workspace")];
  mkdirSync(workspace);
  if (what === "file") writeFileSync(source, "data");
  else mkdirSync(source);
  const signal = AbortSignal.abort(new Error("enough"));
  const artifact = { name: "a", uri: source } as RuntimeArtifact;
  await expect(copyToWorkspace(artifact, source, { task: "t", workspace, signal })).rejects.toThrow("enough");
  expect(readdirSync(join(workspace, ".artifacts/importer"))).toEqual([]);
});

test.each([
  ["gs://bucket/key/model v1.bin", "model%20v1.bin"],
  ["gs://bucket/key/", "key"],
  ["gs://bucket/..", "%2e%2e"],
  ["file://host/other", "other"],
  ["/elsewhere/other", "data"],
  ["file:///elsewhere/other", "data"],
  ["other", "data"],
  ["", "data"],
])("what is %j elsewhere, and the file data here, is copied as %s, alone and anew", async (uri, name) => {
  const folder = await mkdtemp(join(tmpdir(), "wye-copy-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [source, workspace] = [join(folder, "data"), join(folder, "workspace")];
  const copies = join(workspace, ".artifacts/importer/a%2fb");
  mkdirSync(copies, { recursive: true });
  writeFileSync(join(copies, "before"), "a part");
  writeFileSync(source, "text");
  const artifact = { name: "a", uri } as RuntimeArtifact;
  const context = { task: "a/b", workspace, signal: new AbortController().signal };
  const copied = await copyToWorkspace(artifact, source, context);
  expect(copied).toEqual({ ...artifact, customPath: join(copies, name) });
  expect(readdirSync(copies)).toEqual([name]);
  expect(await copyToWorkspace(copied, join(copies, name), context)).toBe(copied);
  expect(readFileSync(join(copies, name), "utf8")).toBe("text");
});
