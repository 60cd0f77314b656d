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

const [one = "", two = ""] = keyGroups;

/** The keys of a file, or of the variable, or why they are none. */
async function keysOf(file: string | undefined, variable?: string) {
  const cwd = await mkdtemp(join(tmpdir(), "wye-keys-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  if (file !== undefined) await writeFile(join(cwd, "keys"), file);
  const env = variable === undefined ? {} : { WYE_VEHICLE_KEYS: variable };
  return readKeys(file === undefined ? undefined : "keys", { cwd, env }, { hasEnded: false });
}

test.each([
  ["a # b\n#c\n  # d\nb#c\n", undefined, [all("a"), all("b#c")]],
  [
    `a ${one}\nb ${one},${two}\n`,
    " ",
    ["a", "b"].map((key, i) => ({ key, groups: [one, two].slice(0, i + 1) })),
  ],
  [`a ${one},${two}\na ${two},${one}\nb\nb\n`, undefined, [{ key: "a", groups: [one, two] }, all("b")]],
  [undefined, "a, b ,,c", [all("a"), all("b"), all("c")]],
  [undefined, `a ${one},b`, [{ key: "a", groups: [one] }, all("b")]],
])("keys of %j and %j are those that are written", async (file, variable, keys) => {
  expect(await keysOf(file, variable)).toEqual(keys);
});

const otherGroups = "with other groups: give it all of its groups once";
const remedy = "set WYE_VEHICLE_KEYS, or name a file with --keys";

test.each([
  ["a\nb c d\n", undefined, "keys:2: write KEY, or KEY GROUP,GROUP"],
  ["\nä\n", undefined, "keys:2: a key is printable ASCII without blanks and commas"],
  ["a,b\n", undefined, "keys:1: a key is printable ASCII without blanks and commas"],
  ["a nobody\n", undefined, `keys:1: groups are ${keyGroups.join(", ")}`],
  [`a ${one}\n\na ${one}\na ${two}\n`, undefined, `keys:4: the same key as in keys:1, ${otherGroups}`],
  [undefined, `a ${one},a ${two}`, `WYE_VEHICLE_KEYS: the same key as before, ${otherGroups}`],
  [undefined, undefined, `nobody could use the API: ${remedy}`],
  [undefined, " , ", `nobody could use the API: ${remedy}`],
  [
    "a\n",
    "b",
    "keys come from keys (--keys) or from WYE_VEHICLE_KEYS, and both are given: unset WYE_VEHICLE_KEYS, or leave --keys out",
  ],
])("keys of %j and %j are refused, and no key is repeated", async (file, variable, message) => {
  await expect(keysOf(file, variable)).rejects.toMatchObject({ name: "UsageError", message });
});
