import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { RuntimeArtifact } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import { placesOf, presenceOf } from "./places-of.js";

test("an artifact is read at its own path, or else where its URI says", () => {
  const of = (uri: string, customPath?: string) => RuntimeArtifact.create({ uri, customPath });
  const artifacts = { b: { artifacts: [of("gs://b/c", "/here"), of("/there")] }, a: { artifacts: [of("")] } };
  expect(placesOf(artifacts)).toEqual(["/here", "/there", ""]);
});

test("what is at a place is nothing, something empty or something filled", () => {
  const folder = makeFolder();
  const at = (name: string) => join(folder, name);
  for (const name of ["empty", "filled", "filled/in"]) mkdirSync(at(name));
  writeFileSync(at("file"), "x");
  writeFileSync(at("nothing in it"), "");
  const names = ["none", "empty", "filled", "nothing in it", "file"];
  expect(presenceOf(names.map(at))).toBe("01212");
  expect(presenceOf([pathToFileURL(at("file")).href, "gs://bucket/key", at("file/in")])).toBe("220");
  expect(presenceOf([])).toBe("");
});

// Only Linux tells which files are open.
test.runIf(process.platform === "linux")("a folder that was looked at is closed", () => {
  const folder = makeFolder();
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  presenceOf(Array.from({ length: 50 }, () => folder));
  expect(open()).toBeLessThan(before + 50);
});
