import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RuntimeArtifact } from "@wye/pipeline-spec";
import { expect, onTestFinished, test } from "vitest";
import { ArtifactAccess } from "./artifact-access.js";

const uri = "gs://bucket/a";
const artifact = { name: "a", uri } as RuntimeArtifact;

/** Access to a store that does this for each fetch, one after the other, the last one for ever. */
async function setUp(...fetches: ((path: string) => void | Promise<void>)[]) {
  const folder = await mkdtemp(join(tmpdir(), "wye-access-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  let asked = 0;
  const store = {
    fetch: async (_: string, path: string) => fetches[Math.min(asked++, fetches.length - 1)]?.(path),
  };
  const access = new ArtifactAccess(folder, { gs: store });
  const bring = (signal = new AbortController().signal) => access.bring(artifact, { signal, warn() {} });
  return { access, bring, folder, asked: () => asked };
}

const put = (path: string) => writeFileSync(path, "data");

test("what has been fetched is there, whole, and is not fetched again", async () => {
  const { access, bring, folder, asked } = await setUp(put);
  await Promise.all([bring(), bring()]);
  await bring();
  expect(asked()).toBe(1);
  expect(readFileSync(String(access.pathOf(artifact)), "utf8")).toBe("data");
  expect(readdirSync(folder)).toHaveLength(1);
  // Another run in this folder has it as well.
  await new ArtifactAccess(folder, { gs: { fetch: () => Promise.reject(new Error("asked")) } }).bring(
    artifact,
    {
      signal: new AbortController().signal,
      warn() {},
    },
  );
});

test("a fetch that fails leaves nothing behind, and is tried anew for whoever asks next", async () => {
  const { access, bring, folder, asked } = await setUp(
    (path) => {
      put(path);
      throw new Error("half of it");
    },
    () => {},
    put,
  );
  const refused = (reason: string) =>
    expect(bring()).rejects.toThrow(`the artifact ${uri} cannot be fetched: ${reason}`);
  await refused("half of it");
  expect(readdirSync(folder)).toEqual([]);
  await refused("the store has put nothing at the path that it was given");
  await bring();
  expect([asked(), existsSync(String(access.pathOf(artifact)))]).toEqual([3, true]);
});

test("what a fetch before has left half done is not taken, and goes", async () => {
  const { access, bring, folder } = await setUp(put);
  const path = String(access.pathOf(artifact));
  writeFileSync(`${path}.part-old`, "half");
  await bring();
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([path]);
});
