import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createManualClock } from "../testing/manual-clock.js";
import { watchFile } from "./watch-file.js";

/** A file that is looked at when the test says so; `sizes` are those of the contents that were taken. */
async function setUp(take: (size: number) => Promise<number> = async () => 0, intervalMs = 1000) {
  const outer = await mkdtemp(join(tmpdir(), "watch-file-"));
  const folder = join(outer, "folder");
  await mkdir(folder);
  const path = join(folder, "file");
  const clock = createManualClock();
  const waits: number[] = [];
  const sizes: number[] = [];
  const told: string[] = [];
  const write = (size: number) => writeFile(path, "x".repeat(size));
  await write(1);
  const looked = async () => {
    while (clock.pending === 0) await new Promise(setImmediate);
  };
  const close = watchFile({
    path,
    intervalMs,
    maxBytes: 1000,
    clock: {
      ...clock,
      schedule(ms, run) {
        waits.push(ms);
        return clock.schedule(ms, run);
      },
    },
    async onContents(bytes) {
      sizes.push(bytes.length);
      return take(bytes.length);
    },
    onRecovery: () => void told.push("recovery"),
    onProblem: (error) => void told.push(String((error as NodeJS.ErrnoException).code)),
  });
  onTestFinished(async () => {
    close();
    await rm(outer, { recursive: true });
  });
  await looked();
  const look = async () => {
    clock.advance(1000);
    await looked();
  };
  return { write, look, sizes, told, folder, clock, close, waits };
}

test("what has changed is taken when it was the same twice, however often it has changed before", async () => {
  const { write, look, sizes, told } = await setUp();
  const taken = [1];
  for (let size = 2; size < 30; size++) {
    await write(size);
    await look();
    expect(sizes).toEqual(taken);
    await look();
    taken.push(size);
    expect(sizes).toEqual(taken);
  }
  expect(told).toEqual([]);
});

test("what changes from each look to the next is taken with the eleventh", async () => {
  const { write, look, sizes } = await setUp();
  for (let size = 2; size <= 11; size++) {
    await write(size);
    await look();
    expect(sizes).toEqual([1]);
  }
  await write(12);
  await look();
  expect(sizes).toEqual([1, 12]);
  await write(13);
  await look();
  expect(sizes).toEqual([1, 12]);
});

test("a file that cannot be read for a while is told of once, and again when it is what it was", async () => {
  const { look, sizes, told, folder } = await setUp();
  const aside = `${folder}-aside`;
  for (const round of [1, 2]) {
    await rename(folder, aside);
    await look();
    await look();
    expect(told).toEqual([
      ...Array(round - 1)
        .fill(["ENOENT", "recovery"])
        .flat(),
      "ENOENT",
    ]);
    // With the folder the file comes back as it was, to all of its times.
    await rename(aside, folder);
    await look();
    await look();
    expect(told).toEqual(Array(round).fill(["ENOENT", "recovery"]).flat());
  }
  expect(sizes).toEqual([1]);
});

test("contents that are to be asked about again are, at that moment, and told of when the file is what it was", async () => {
  const { write, look, sizes, told } = await setUp(async (size) => (size === 2 ? 5000 : 0));
  await write(2);
  await look();
  await look();
  expect(sizes).toEqual([1, 2]);
  for (let looks = 0; looks < 4; looks++) await look();
  expect(sizes).toEqual([1, 2]);
  await look();
  expect([sizes, told]).toEqual([[1, 2, 2], []]);
  await write(1);
  await look();
  await look();
  expect([sizes, told]).toEqual([[1, 2, 2], ["recovery"]]);
  // The same once more is no recovery: nothing was in between.
  await write(1);
  await look();
  await look();
  expect([sizes, told]).toEqual([[1, 2, 2], ["recovery"]]);
});

test.each([
  ["are taken", async () => 0],
  ["are to be asked about again", async () => 5000],
  ["cannot be used", () => Promise.reject(new Error("wrong"))],
])("a file that is closed before its contents %s is not looked at again, nor told of", async (_, outcome) => {
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const { write, look, sizes, told, clock, close } = await setUp((size) =>
    size === 2 ? settled.then(outcome) : Promise.resolve(0),
  );
  await write(2);
  await look();
  clock.advance(1000);
  while (sizes.length < 2) await new Promise(setImmediate);
  close();
  settle();
  await new Promise(setImmediate);
  expect([sizes, told, clock.pending]).toEqual([[1, 2], [], 0]);
});

test.each([
  [1000, 100],
  [100, 100],
  [50, 50],
])(
  "a file that is looked at every %i ms, and has changed, is looked at again after %i ms",
  async (every, soon) => {
    const { write, look, folder, waits } = await setUp(async (size) => (size === 3 ? 5000 : 0), every);
    expect(waits.splice(0)).toEqual([every]);
    await write(2);
    await look();
    await look();
    expect(waits.splice(0)).toEqual([soon, every]);
    // What is not taken yet is looked at often, lest it is missed when it is another one.
    await write(3);
    for (let looks = 0; looks < 3; looks++) await look();
    expect(waits.splice(0)).toEqual([soon, soon, soon]);
    await rename(folder, `${folder}-gone`);
    await look();
    expect(waits).toEqual([every]);
  },
);

test("whenever it is closed, nothing is read for anybody afterwards", async () => {
  const folder = await mkdtemp(join(tmpdir(), "watch-file-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "file");
  await writeFile(path, "x");
  let taken = 0;
  for (let turns = 0; taken === 0; turns++) {
    let calls = 0;
    const close = watchFile({
      path,
      intervalMs: 1000,
      maxBytes: 1000,
      clock: createManualClock(),
      async onContents() {
        calls++;
        return 0;
      },
      onRecovery() {},
      onProblem() {},
    });
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    close();
    taken = calls;
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(calls).toBe(taken);
  }
});
