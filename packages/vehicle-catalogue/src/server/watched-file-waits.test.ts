import { mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { catalogueTestVehicles } from "../testing/catalogue-test-vehicles.js";
import { type WatchCatalogueOptions, watchCatalogueFile } from "./index.js";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "catalogue-"));
  path = join(folder, "vehicles.json");
});
afterEach(() => rm(folder, { recursive: true }));

const vehicles = catalogueTestVehicles();
/** Moved there at once: half a file would be one more change. */
async function write(text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}
const put = (count: number): Promise<void> => write(JSON.stringify(vehicles.slice(0, count)));

/** Watches, with timers that are over when they are told to be. */
async function watching(options: WatchCatalogueOptions = {}) {
  const timers: { readonly ms: number | undefined; readonly run: () => void; holds: boolean }[] = [];
  const real = setTimeout;
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms?: number) => {
    // The test runner has timers as well.
    if (!new Error().stack?.includes("watch-catalogue-file.ts")) return real(run, ms);
    const timer = { ms, run, holds: true };
    timers.push(timer);
    return {
      unref() {
        timer.holds = false;
      },
    };
  }) as typeof setTimeout);
  onTestFinished(() => void spy.mockRestore());
  const seen: string[] = [];
  const lines: string[] = [];
  const log = (level: string) => (line: string) => void lines.push(`${level} ${line}`);
  const watched = await watchCatalogueFile(path, {
    logger: { info: log("info"), warn: log("warn"), error: log("error") },
    ...options,
    onReload: ({ loaded }) => void seen.push(`loaded ${loaded}`),
    onError: ({ code }) => void seen.push(code),
  });
  onTestFinished(watched.close);
  /** Lets the last timer be over, and tells what the next one waits for. */
  const next = async (): Promise<number | undefined> => {
    const { length } = timers;
    timers.at(-1)?.run();
    await vi.waitFor(() => expect(timers.length).toBe(length + 1), { timeout: 30_000, interval: 1 });
    return timers.at(-1)?.ms;
  };
  return { ...watched, timers, seen, lines, next };
}

test.each([
  [{}, 500, 100],
  [{ intervalMs: 70, settleMs: 7 }, 70, 7],
])(
  "with the options %j a file is looked at every %d ms, and read %d ms after a change",
  async (options, often, settled) => {
    await put(3);
    const { timers, seen, next, catalogue } = await watching(options);
    expect(timers.map(({ ms }) => ms)).toEqual([0]);
    expect([await next(), await next()]).toEqual([often, often]);
    await put(5);
    expect(await next()).toBe(settled);
    expect(catalogue.vehicles()).toHaveLength(3);
    await put(4);
    expect(await next()).toBe(settled);
    expect(catalogue.vehicles()).toHaveLength(3);
    expect(await next()).toBe(often);
    expect(catalogue.vehicles()).toHaveLength(4);
    await vi.waitFor(() => expect(seen).toEqual(["loaded 4"]));
  },
);

test.each([
  [{}, 3, 2, 1],
  [{}, 4, 2, 1],
  [{ leastShare: 0.9 }, 11, 10, 9],
  [{ leastShare: 1 }, 4, 4, 3],
])(
  "with the options %j, of %d vehicles %d are enough, and %d are not",
  async (options, before, enough, tooFew) => {
    for (const [count, outcome] of [
      [enough, before === enough ? [] : [`loaded ${enough}`]],
      [tooFew, ["shrunk"]],
    ] as const) {
      await put(before);
      const { seen, next } = await watching(options);
      await next();
      await put(count);
      await next();
      await next();
      await new Promise(setImmediate);
      expect(seen).toEqual(outcome);
    }
  },
);

test("no file is too small where any share is enough", async () => {
  await put(10);
  const { seen, next } = await watching({ leastShare: 0 });
  await next();
  await put(1);
  await next();
  await next();
  await vi.waitFor(() => expect(seen).toEqual(["loaded 1"]));
});

test("what is found out after the watching has ended is told to nobody", async () => {
  await put(3);
  const { close, timers, seen, next } = await watching();
  await next();
  await rm(path);
  await next();
  timers.at(-1)?.run();
  close();
  // As long as it takes to look, and longer.
  for (let look = 0; look < 20; look++) {
    await stat(path).catch(() => {});
    await new Promise(setImmediate);
  }
  expect([seen, timers.length]).toEqual([[], 3]);
});

test("no wait keeps a program from ending", async () => {
  await put(3);
  const { timers, next } = await watching();
  await next();
  await next();
  expect(timers.map(({ holds }) => holds)).toEqual([false, false, false]);
});

test("what was loaded last is nothing new when it comes again, and what was there before is", async () => {
  await put(3);
  const { seen, next } = await watching();
  await next();
  for (const [count, told] of [
    [5, ["loaded 5"]],
    [5, ["loaded 5"]],
    [3, ["loaded 5", "loaded 3"]],
  ] as const) {
    await put(count);
    await next();
    await next();
    await new Promise(setImmediate);
    expect(seen).toEqual(told);
  }
});

test("a file that is read as a whole, for the mark in front, is another one when it says something else", async () => {
  await write(`\uFEFF${JSON.stringify(vehicles.slice(0, 3))}`);
  const { seen, next } = await watching();
  await next();
  for (const count of [5, 4]) {
    await write(`\uFEFF${JSON.stringify(vehicles.slice(0, count))}`);
    await next();
    await next();
  }
  await vi.waitFor(() => expect(seen).toEqual(["loaded 5", "loaded 4"]));
});

test("a file that cannot be read for once is read at the next look, although nothing of it has changed", async () => {
  await put(3);
  const { seen, next } = await watching();
  await next();
  await put(5);
  await next();
  const open = vi.spyOn(process.getBuiltinModule("node:fs/promises"), "open");
  onTestFinished(() => void open.mockRestore());
  open.mockRejectedValueOnce(new Error("busy"));
  await next();
  await vi.waitFor(() => expect(seen).toEqual(["unreadable"]));
  await next();
  await vi.waitFor(() => expect(seen).toEqual(["unreadable", "loaded 5"]));
});

test("the log tells how many problems there are, listed or not, and of the least share only where there are too few", async () => {
  await put(10);
  const { lines, next } = await watching();
  await next();
  for (const text of [
    JSON.stringify([...vehicles.slice(0, 9), ...Array(1500).fill({})]),
    JSON.stringify(vehicles.slice(0, 4)),
    "[",
  ]) {
    await write(text);
    await next();
    await next();
  }
  expect(lines).toEqual([
    expect.stringMatching(/^info .*vehicles\.json: reloaded, 9 vehicles, \d+ problems$/),
    expect.stringMatching(/^error .* \(leastShare: 0\.5\); the present data stay$/),
    expect.stringMatching(/^error .* is no JSON: [^()]*; the present data stay$/),
  ]);
  expect(Number(lines[0]?.match(/(\d+) problems/)?.[1])).toBeGreaterThanOrEqual(1500);
});

test("what the host changes is of its own moment, also before the file has changed", async () => {
  let time = 1000;
  await put(3);
  const { catalogue } = await watching({ now: () => time });
  expect(catalogue.snapshot().updatedAt).toBe(1000);
  time = 2000;
  await catalogue.remove(vehicles.slice(0, 1).map(({ id }) => id));
  expect(catalogue.snapshot().updatedAt).toBe(2000);
});
