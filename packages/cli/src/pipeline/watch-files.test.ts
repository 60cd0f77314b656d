import { rmSync, unwatchFile, watchFile, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeFolder } from "../../test/run-program.js";
import { watchFiles } from "./watch-files.js";

/** How many files this process looks at. */
const watched = () => process.getActiveResourcesInfo().filter((what) => what === "StatWatcher").length;

/** Looks at a file that is not there, as often as what is tested; done when Node knows that it is not. */
const looksAt = (file: string) =>
  new Promise<void>((resolve) => {
    const onLook = () => resolve();
    watchFile(file, { interval: 200 }, onLook);
    onTestFinished(() => unwatchFile(file, onLook));
  });

/** Watches files whose list, and how long the work takes, are in the hands of the test. */
function watching(...names: readonly string[]) {
  const cwd = makeFolder();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const seen = { lists: 0, works: 0, isOver: false, events: [] as string[] };
  const state = { names, work: async () => {} };
  const ended = watchFiles({
    list: async () => {
      seen.lists++;
      return state.names.map((name) => join(cwd, name));
    },
    work: () => {
      seen.works++;
      seen.events.push("work");
      return state.work();
    },
    begun: () => void seen.events.push("begun"),
    interrupted: stop.signal,
  }).then(() => {
    seen.isOver = true;
  });
  return { cwd, state, seen, ended, end: () => stop.abort() };
}

test("files are looked at until it is over, and those that are no longer meant are not", async () => {
  const before = watched();
  const { state, seen, ended, end } = watching("a", "b", "c");
  await expect.poll(() => watched() - before).toBe(3);
  state.names = ["b"];
  await expect.poll(() => watched() - before).toBe(1);
  await expect.poll(() => seen.works).toBe(2);
  end();
  await ended;
  expect([watched() - before, seen.works]).toEqual([0, 2]);
});

test("it is over only when the work is done that was begun", async () => {
  const { state, seen, ended, end } = watching();
  let done = () => {};
  state.work = () =>
    new Promise<void>((resolve) => {
      done = resolve;
    });
  await expect.poll(() => seen.works).toBe(1);
  await expect.poll(() => seen.lists).toBeGreaterThan(1);
  end();
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  expect([seen.events, seen.isOver]).toEqual([["begun", "work"], false]);
  done();
  await ended;
  expect(seen.works).toBe(1);
});

test("a list that has the same files in another order, or twice, is no other list, and one of as many others is", async () => {
  const { state, seen, ended, end } = watching("a", "b");
  await expect.poll(() => seen.works).toBe(1);
  state.names = ["b", "a", "b"];
  const before = seen.lists;
  await expect.poll(() => seen.lists).toBeGreaterThan(before + 1);
  expect(seen.works).toBe(1);
  state.names = ["a", "c"];
  await expect.poll(() => seen.works).toBe(2);
  end();
  await ended;
});

test("work is done again when a file is made, and when it is removed", async () => {
  const { cwd, seen, ended, end } = watching("a");
  await looksAt(join(cwd, "a"));
  await expect.poll(() => seen.works).toBe(1);
  writeFileSync(join(cwd, "a"), "");
  await expect.poll(() => seen.works).toBe(2);
  rmSync(join(cwd, "a"));
  await expect.poll(() => seen.works).toBe(3);
  end();
  await ended;
});

test.each(["another list", "a change"])(
  "it is over only when the work is done that %s began",
  async (what) => {
    const { cwd, state, seen, ended, end } = watching("a");
    await looksAt(join(cwd, "a"));
    await expect.poll(() => seen.works).toBe(1);
    let done = () => {};
    state.work = () =>
      new Promise<void>((resolve) => {
        done = resolve;
      });
    if (what === "a change") writeFileSync(join(cwd, "a"), "");
    else state.names = ["b"];
    await expect.poll(() => seen.works).toBe(2);
    end();
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(seen.isOver).toBe(false);
    done();
    await ended;
  },
);

test("whoever else looks at a file still does when it is over", async () => {
  const before = watched();
  const { cwd, seen, ended, end } = watching("a");
  await looksAt(join(cwd, "a"));
  await expect.poll(() => seen.works).toBe(1);
  end();
  await ended;
  expect(watched() - before).toBe(1);
});

test("a pause after a long search for files ends when it is over", async () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 60_000));
  onTestFinished(() => clock.mockRestore());
  const { seen, ended, end } = watching();
  while (seen.lists < 2) await new Promise(setImmediate);
  end();
  await ended;
  expect(seen.works).toBe(1);
});
