import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  type Archived,
  archiveEntries,
  archiveOf,
  checksumOf,
  tarOf,
} from "../../../scripts/make-archive.js";
import { systemClock } from "../src/clock.js";
import { checkOfflineFile } from "../src/offline/check-offline-file.js";
import { announced } from "./start-auto-configured.js";
import { makeFolder, startOffline } from "./start-offline.js";
import { flag } from "./start-relay.js";

const data = { flags: { a: flag("a", 1) }, segments: {} };
const one = (n: number, rest: object = {}): Archived => ({ env: announced(n, rest), data });

/** Archives with the environments of which a relay serves each, and what it says of the others. */
const rows: readonly (readonly [name: string, Archived[], served: string[], says: string[]])[] = [
  ["nothing wrong", [one(1), one(2)], ["env-1", "env-2"], []],
  ["nothing at all", [], [], []],
  [
    "a mobile key twice, and no SDK key",
    [one(1), one(2, { mobKey: "mob-1" }), one(3, { sdkKey: {} }), one(4)],
    ["env-1", "env-4"],
    ['"env-2" cannot be served as it should be: environment "env-1" has the same mobileKey', '"env-3"'],
  ],
  ["an SDK key twice", [one(1), one(2, { sdkKey: { value: "sdk-1" } })], ["env-1"], ["the same sdkKey"]],
  [
    "a key that is still accepted elsewhere",
    [one(1, { sdkKey: { value: "sdk-9", expiring: { value: "sdk-2", timestamp: 9e15 } } }), one(2)],
    ["env-1", "env-2"],
    ['"env-1": its expiring SDK key is one of the environment "env-2"'],
  ],
  [
    "a key that has expired elsewhere",
    [one(1, { sdkKey: { value: "sdk-9", expiring: { value: "sdk-2", timestamp: 16e11 } } }), one(2)],
    ["env-1", "env-2"],
    [],
  ],
  ["an SDK key that no header carries", [one(1, { sdkKey: { value: "a b" } })], [], ["have no blanks"]],
  [
    "an ID with a blank",
    [one(1, { envID: "a b" }), one(2)],
    ["env-2"],
    ["envId must not be empty, and have no"],
  ],
  ["metadata of the wrong shape", [one(1, { version: "x" }), one(2)], ["env-2"], ["not a whole number"]],
  [
    "metadata of the wrong shape beside an SDK key that no header carries",
    [one(1, { version: "x" }), one(2, { sdkKey: { value: "a b" } }), one(3)],
    ["env-3"],
    ["not a whole number", "have no blanks"],
  ],
  [
    "metadata of the wrong shape beside a mobile key twice",
    [one(1), one(2, { version: "x" }), one(3, { mobKey: "mob-1" })],
    ["env-1"],
    ["not a whole number", "the same mobileKey"],
  ],
  ["flags of the wrong shape", [{ env: announced(1), data: "[]" }, one(2)], ["env-2"], ["not an object"]],
];

for (const [name, environments, served, says] of rows) {
  test(`an archive with ${name}: the check says what a relay does`, async () => {
    const relay = await startOffline("a.tar.gz", archiveOf(...environments));
    const report = await checkOfflineFile(relay.path);
    const states = Object.entries(relay.relay.status().environments);
    const connected = states.filter(([, { status }]) => status === "connected").map(([id]) => id);
    const told = relay.errors.map(({ message }) => message.replace(`${relay.path}: `, ""));
    // In no order.
    const problems = [...report.problems].sort();
    expect({ ...report, problems }).toEqual({
      format: "archive",
      environments: connected,
      problems: told.sort(),
    });
    expect(connected).toEqual(served);
    expect(told).toEqual(says.map((sentence) => expect.stringContaining(sentence)));
  });
}

test("nothing of what is refused is tried again once the check is over", async () => {
  const path = join(await makeFolder(), "a.tar.gz");
  await writeFile(path, archiveOf(one(1), one(2, { mobKey: "mob-1" })));
  const waiting = new Set<number>();
  const schedule = vi.spyOn(systemClock, "schedule").mockImplementation((ms) => {
    waiting.add(ms);
    return () => waiting.delete(ms);
  });
  onTestFinished(() => schedule.mockRestore());
  expect((await checkOfflineFile(path)).problems).toHaveLength(1);
  expect([schedule.mock.calls.length > 0, [...waiting]]).toEqual([true, []]);
});

test("a file that is not there cannot be read", async () => {
  const path = "/nowhere/flags.yaml";
  await expect(checkOfflineFile(path)).rejects.toMatchObject({
    code: "malformed_data",
    message: expect.stringContaining(`${path} cannot be read: ENOENT`),
  });
});

test("of environments with the same ID in files of other names the first is served", async () => {
  const [metadata, flags] = archiveEntries([one(1)]);
  if (metadata === undefined || flags === undefined) throw new Error("there is nothing in the archive");
  const files = [metadata, flags, { ...metadata, name: "other.json" }, { ...flags, name: "other-data.json" }];
  const path = join(await makeFolder(), "a.tar");
  await writeFile(path, tarOf([...files, { name: "checksum.md5", contents: checksumOf(files) }]));
  const { environments, problems } = await checkOfflineFile(path);
  expect(environments).toEqual(["env-1"]);
  expect(problems).toEqual([expect.stringContaining('two environments have the ID "env-1"')]);
});
