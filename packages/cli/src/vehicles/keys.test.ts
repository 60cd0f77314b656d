import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyGroups } from "@wye/vehicle-catalogue";
import { expect, onTestFinished, test } from "vitest";
import { readKeys } from "./keys.js";

/** A file of keys that is read again after each writing. */
async function fileOfKeys() {
  const cwd = await mkdtemp(join(tmpdir(), "wye-keys-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const lastLine = { hasEnded: false };
  return async (text: string) => {
    await writeFile(join(cwd, "keys"), text);
    return readKeys("keys", { cwd, env: {} }, lastLine);
  };
}

const partner = { key: "partner", groups: ["ReadVehicles"] };
const all = (key: string) => ({ key, groups: keyGroups });
const halfWritten =
  "keys: its last line does not end, as it did before: it may be half-written; end it with a line break";

test("a file that is cut behind a key does not give that key all groups, nor the half of a key any", async () => {
  const finds = await fileOfKeys();
  expect(await finds("own\npartner ReadVehicles\n")).toEqual([all("own"), partner]);
  for (const cut of ["own\npartner", "own\npartner ReadVehicles", "own\npart", "o"])
    await expect(finds(cut)).rejects.toThrow(halfWritten);
  await expect(finds("")).rejects.toThrow("keys has no key in it");
  expect(await finds("own\r\npartner\r\n")).toEqual([all("own"), all("partner")]);
});

test.each([
  ["nothing", "", "keys has no key in it"],
  ["an empty line", "\n", "keys has no key in it"],
  ["comments", "# none\n", "keys has no key in it"],
  ["what is wrong", "own x\n", "groups are"],
])("a file that has %s for a while has ended all the same", async (_, meanwhile, message) => {
  const finds = await fileOfKeys();
  expect(await finds("own\npartner ReadVehicles\n")).toEqual([all("own"), partner]);
  for (let times = 0; times < 2; times++) {
    await expect(finds(meanwhile)).rejects.toThrow(message);
    for (const cut of ["own\npartner", "o"]) await expect(finds(cut)).rejects.toThrow(halfWritten);
  }
  expect(await finds("own\n")).toEqual([all("own")]);
});

test("an empty file has not ended yet", async () => {
  const finds = await fileOfKeys();
  for (let times = 0; times < 2; times++) {
    await expect(finds("")).rejects.toThrow("keys has no key in it");
    expect(await finds("own")).toEqual([all("own")]);
  }
});

test("a file whose last line has never ended is as good, and may come to end", async () => {
  const finds = await fileOfKeys();
  expect(await finds("own\npartner ReadVehicles")).toEqual([all("own"), partner]);
  expect(await finds("other")).toEqual([all("other")]);
  expect(await finds("other\n")).toEqual([all("other")]);
  await expect(finds("other")).rejects.toThrow(halfWritten);
});
