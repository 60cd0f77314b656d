import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { catalogueTestVehicles } from "../testing/catalogue-test-vehicles.js";
import { readCatalogueFile, type WatchCatalogueOptions, watchCatalogueFile } from "./index.js";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "catalogue-"));
  path = join(folder, "vehicles.json");
});
afterEach(() => rm(folder, { recursive: true }));

const vehicles = catalogueTestVehicles();
const write = (count: number): Promise<void> =>
  writeFile(path, JSON.stringify({ vehicles: vehicles.slice(0, count) }));

describe("watchCatalogueFile", () => {
  /** Watches with everything recorded. */
  async function watching(options: WatchCatalogueOptions = {}) {
    const seen: string[] = [];
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const watched = await watchCatalogueFile(path, {
      intervalMs: 5,
      settleMs: 20,
      logger: { info: log, warn: log, error: log },
      onReload: ({ loaded }) => void seen.push(`loaded ${loaded}`),
      onError: ({ code }) => void seen.push(code),
      ...options,
    });
    onTestFinished(watched.close);
    return { ...watched, seen, lines };
  }
  const until = (condition: () => void): Promise<void> =>
    vi.waitFor(condition, { timeout: 30_000, interval: 10 });

  test("follows changes in place, and files that are moved in its place", async () => {
    await write(3);
    const { catalogue, close, seen, lines } = await watching();
    const before = catalogue.snapshot().version;
    await write(5);
    await until(() => expect(catalogue.vehicles()).toHaveLength(5));
    expect(catalogue.snapshot().version).not.toBe(before);
    await writeFile(join(folder, "new.json"), JSON.stringify(vehicles.slice(0, 7)));
    await rename(join(folder, "new.json"), path);
    await until(() => expect(catalogue.vehicles()).toHaveLength(7));
    await until(() => expect(seen).toEqual(["loaded 5", "loaded 7"]));
    expect(lines).toEqual([
      expect.stringContaining("reloaded, 5 vehicles, 0 problems"),
      expect.stringContaining("reloaded, 7 vehicles, 0 problems"),
    ]);
    close();
  });

  test("dates a change to when the file was looked at, however long it takes to load", async () => {
    let time = 1000;
    // Looked at with each loading, when the file has been read.
    const slow = {
      id: "none",
      get set() {
        time += 1000;
        return { model: "Slow" };
      },
    };
    await write(3);
    const { catalogue, seen, close } = await watching({ now: () => time, corrections: [slow] });
    expect(catalogue.snapshot().updatedAt).toBe(1000);
    const before = time;
    expect(before).toBeGreaterThan(1000);
    await write(5);
    await until(() => expect(seen).toEqual(["loaded 5"]));
    expect(catalogue.snapshot().updatedAt).toBe(before);
    expect(time).toBeGreaterThan(before);
    // What the host itself changes is of its own moment.
    time = 50_000;
    await catalogue.remove([vehicles[0]!.id]);
    expect(catalogue.snapshot().updatedAt).toBe(50_000);
    close();
    const other = await readCatalogueFile(path, { now: () => time, corrections: [slow] });
    expect(other.snapshot().updatedAt).toBe(50_000);
  });

  test("keeps the data through broken files and a missing one, and recovers", async () => {
    await write(3);
    const { catalogue, close, seen, lines } = await watching();
    const steps = [
      { text: '{"vehicles": [', outcome: "unreadable" },
      { text: '{"name": "x"}', outcome: "invalid_data" },
      { text: "[{}]", outcome: "invalid_data" },
    ];
    for (const [at, { text, outcome }] of steps.entries()) {
      // Moved there, because half a file would be one more that is broken.
      await writeFile(`${path}.new`, text);
      await rename(`${path}.new`, path);
      await until(() => expect(seen[at]).toBe(outcome));
      expect(catalogue.vehicles()).toHaveLength(3);
    }
    await rm(path);
    await until(() => expect(seen[3]).toBe("unreadable"));
    await write(4);
    await until(() => expect(catalogue.vehicles()).toHaveLength(4));
    expect(lines[0]).toMatch(/vehicles\.json is no JSON: .*; the present data stay$/);
    close();
  });

  test("keeps the rule of strictness over reloads", async () => {
    await write(3);
    const { catalogue, close, seen } = await watching({ strict: true });
    await writeFile(path, JSON.stringify([...vehicles, {}]));
    await until(() => expect(seen).toEqual(["invalid_data"]));
    expect(catalogue.vehicles()).toHaveLength(3);
    close();
  });

  test.each<[string, string, string]>([
    ["refused", JSON.stringify(vehicles.slice(0, 1)), "shrunk"],
    ["broken", '[{"id": 5}]', "invalid_data"],
  ])("what was %s is so when it comes again, and the former file is nothing new", async (_, text, code) => {
    await write(10);
    const { catalogue, close, seen, lines } = await watching();
    for (const times of [1, 2]) {
      // Moved there at once, with times of its own.
      await writeFile(`${path}.new`, text);
      await utimes(`${path}.new`, times, times);
      await rename(`${path}.new`, path);
      await until(() => expect(seen).toEqual(Array(times).fill(code)));
    }
    await write(10);
    await until(() => expect(lines.at(-1)).toMatch(/vehicles\.json: can be used again, and is as it was$/));
    expect(seen.slice(0, 2)).toEqual([code, code]);
    expect(seen.filter((one) => one.startsWith("loaded"))).toEqual([]);
    expect(catalogue.vehicles()).toHaveLength(10);
    close();
  });

  test("stops when it is told to", async () => {
    await write(3);
    const { catalogue, close, seen } = await watching();
    close();
    await write(5);
    // Another watcher sees the change, so there has been one to be seen.
    const witness = await watching();
    await write(6);
    await until(() => expect(witness.catalogue.vehicles()).toHaveLength(6));
    expect([catalogue.vehicles().length, seen]).toEqual([3, []]);
    witness.close();
  });

  test("tells nobody of what it had begun to load when it was told to stop", async () => {
    await write(3);
    let loads = 0;
    const corrections = [
      {
        id: "none",
        get set() {
          if (loads > 0) watched.close();
          return { model: "Slow" };
        },
      },
    ];
    const watched = await watching({ corrections });
    loads = 1;
    await write(5);
    await until(() => expect(watched.catalogue.vehicles()).toHaveLength(5));
    await new Promise(setImmediate);
    expect([watched.seen, watched.lines]).toEqual([[], []]);
  });

  test("leaves no timer behind when it is told to stop", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await write(3);
    const { close } = await watching();
    expect(vi.getTimerCount()).toBe(1);
    close();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("does not begin with a broken file", async () => {
    await writeFile(path, "x");
    await expect(watchCatalogueFile(path)).rejects.toMatchObject({ code: "unreadable" });
  });

  test("reads a new catalogue although others write in the folder all the time", async () => {
    await write(3);
    const { catalogue } = await watching({ settleMs: 50 });
    const noise = setInterval(() => appendFileSync(join(folder, "log.txt"), "line\n"), 5);
    try {
      await writeFile(join(folder, "new.json"), JSON.stringify(vehicles.slice(0, 5)));
      await rename(join(folder, "new.json"), path);
      await until(() => expect(catalogue.report.loaded).toBe(5));
    } finally {
      // Before the folder goes: nothing may be on its way into it.
      clearInterval(noise);
    }
  });

  test("waits until a file is written to its end", async () => {
    await write(3);
    const { catalogue, seen } = await watching({ intervalMs: 1, settleMs: 200 });
    const text = JSON.stringify(vehicles);
    await writeFile(path, "");
    for (let from = 0; from < text.length; from += 1000)
      await appendFile(path, text.slice(from, from + 1000));
    await until(() => expect(catalogue.report.loaded).toBe(vehicles.length));
    expect(seen).toEqual([`loaded ${vehicles.length}`]);
  });

  describe("notices what no event in the file's own folder tells:", () => {
    const listOf = (count: number): string => JSON.stringify(vehicles.slice(0, count));
    const at = (...names: string[]): string => join(folder, ...names);
    const swaps = [
      {
        name: "the file behind a link is rewritten",
        async begin() {
          await mkdir(at("data"));
          await writeFile(at("data", "v.json"), listOf(3));
          await symlink(at("data", "v.json"), path);
        },
        change: () => writeFile(at("data", "v.json"), listOf(5)),
      },
      {
        name: "a link to a file is swapped",
        async begin() {
          await writeFile(at("one.json"), listOf(3));
          await symlink(at("one.json"), path);
        },
        async change() {
          await writeFile(at("two.json"), listOf(5));
          await symlink(at("two.json"), at("link"));
          await rename(at("link"), path);
        },
      },
      {
        name: "a link to its folder is swapped, as Kubernetes does",
        async begin() {
          await mkdir(at("2026-01"));
          await writeFile(at("2026-01", "vehicles.json"), listOf(3));
          await symlink("2026-01", at("..data"));
          path = at("..data", "vehicles.json");
        },
        async change() {
          await mkdir(at("2026-02"));
          await writeFile(at("2026-02", "vehicles.json"), listOf(5));
          await symlink("2026-02", at("..tmp"));
          await rename(at("..tmp"), at("..data"));
        },
      },
      {
        name: "its folder is deleted and made again",
        async begin() {
          await mkdir(at("data"));
          path = at("data", "vehicles.json");
          await writeFile(path, listOf(3));
        },
        async change() {
          await rm(at("data"), { recursive: true });
          await mkdir(at("data"));
          await writeFile(path, listOf(5));
        },
      },
      {
        name: "another file of the same size and time takes its place",
        async begin() {
          await writeFile(path, listOf(3));
          await utimes(path, 1_700_000_000, 1_700_000_000);
        },
        async change() {
          const { size } = await stat(path);
          await writeFile(path, `[${vehicles.slice(0, 2).map((one) => JSON.stringify(one))}]`.padEnd(size));
          await utimes(path, 1_700_000_000, 1_700_000_000);
        },
        count: 2,
      },
    ];
    for (const { name, begin, change, count = 5 } of swaps) {
      test(name, async () => {
        await begin();
        const { catalogue } = await watching();
        await change();
        await until(() => expect(catalogue.report.loaded).toBe(count));
      });
    }
  });

  describe("a host that throws", () => {
    const fail = async () => boom();
    const later = { info: fail, warn: fail, error: fail };
    const boom = (): never => {
      throw new Error("the host's own");
    };
    const told = [
      expect.stringContaining("reloaded, 5 vehicles"),
      "onReload threw: the host's own",
      expect.stringContaining("is no JSON"),
      "onError threw: the host's own",
    ];
    const hosts: { name: string; options: WatchCatalogueOptions; expected: unknown[] }[] = [
      { name: "in onReload and onError", options: { onReload: boom, onError: boom }, expected: told },
      {
        name: "later, in both",
        options: { onReload: async () => boom(), onError: async () => boom() },
        expected: told,
      },
      { name: "in its logger", options: { logger: { info: boom, warn: boom, error: boom } }, expected: [] },
      { name: "later in its logger", options: { logger: later }, expected: [] },
    ];
    for (const { name, options, expected } of hosts) {
      test(`${name} does not end the watching`, async () => {
        await write(3);
        const { catalogue, lines } = await watching(options);
        await write(5);
        await until(() => expect(catalogue.report.loaded).toBe(5));
        await writeFile(path, "x");
        await until(() => expect(lines).toEqual(expected));
        await write(6);
        await until(() => expect(catalogue.report.loaded).toBe(6));
      });
    }
  });

  test("a broken file is quoted on one line of the log", async () => {
    await write(3);
    const { lines, seen } = await watching();
    await writeFile(path, "forged\n2026-01-01 all is well\r\nforged");
    await until(() => expect(seen).toEqual(["unreadable"]));
    expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([]);
    expect(lines).toHaveLength(1);
  });

  describe("a file with much less than before", () => {
    const files = [
      { name: "an empty list", text: "[]" },
      { name: "one right record of ten", text: JSON.stringify([vehicles[0], ...Array(9).fill({})]) },
      { name: "fewer than half", text: JSON.stringify(vehicles.slice(0, 4)) },
    ];
    for (const { name, text } of files) {
      test(`${name} is refused, and is taken with leastShare: 0`, async () => {
        await write(10);
        const { catalogue, seen, lines } = await watching();
        const careless = await watching({ leastShare: 0 });
        await writeFile(path, text);
        await until(() => expect(seen).toEqual(["shrunk"]));
        expect(catalogue.report.loaded).toBe(10);
        expect(lines).toEqual([
          expect.stringMatching(/vehicles\.json: only \d vehicles .*leastShare.*present data stay/),
        ]);
        await until(() => expect(careless.catalogue.report.loaded).toBeLessThan(10));
      });
    }

    test("is compared with what is there, whatever a program has made of it", async () => {
      await write(4);
      const { catalogue, seen } = await watching();
      await catalogue.upsert(vehicles.slice(0, 10));
      await write(3);
      await until(() => expect(seen).toEqual(["shrunk"]));
      await catalogue.remove(vehicles.slice(3).map(({ id }) => id));
      await write(2);
      await until(() => expect(seen).toEqual(["shrunk", "loaded 2"]));
    });

    test("is taken from the share on that was asked for", async () => {
      await write(10);
      const { catalogue, seen } = await watching({ leastShare: 0.9 });
      await write(9);
      await until(() => expect(catalogue.report.loaded).toBe(9));
      await write(8);
      await until(() => expect(seen).toEqual(["loaded 9", "shrunk"]));
    });

    test("a pipe in the place of the file is no file, and keeps nobody waiting", async () => {
      await write(3);
      const { catalogue, lines, seen } = await watching();
      await rm(path);
      execFileSync("mkfifo", [path]);
      await until(() =>
        expect(lines).toEqual([expect.stringMatching(/it is no regular file.*present data stay/)]),
      );
      expect(seen).toEqual(["unreadable"]);
      await expect(readCatalogueFile(path)).rejects.toThrow(/it is no regular file/);
      await rm(path);
      await write(4);
      await until(() => expect(catalogue.vehicles()).toHaveLength(4));
    });

    for (const wrong of [
      { intervalMs: 0 },
      { intervalMs: Number.POSITIVE_INFINITY },
      { settleMs: Number.NaN },
      { settleMs: 2 ** 31 },
    ]) {
      test(`${JSON.stringify(Object.keys(wrong))} of ${Object.values(wrong)} is a mistake`, async () => {
        await write(1);
        await expect(watchCatalogueFile(path, wrong)).rejects.toThrow(/Ms must be a number of milliseconds/);
      });
    }

    test("a least share may be nothing or all", async () => {
      await write(3);
      for (const leastShare of [0, 1])
        expect((await watching({ leastShare })).catalogue.report.loaded).toBe(3);
    });

    for (const leastShare of [-0.1, 1.1, Number.NaN]) {
      test(`a least share of ${leastShare} is a mistake`, async () => {
        await write(3);
        await expect(watchCatalogueFile(path, { leastShare })).rejects.toThrow(/leastShare/);
      });
    }
  });

  // Only Linux has files that are there and that nobody can read, whoever reads.
  test.runIf(process.platform === "linux")(
    "a file that cannot be read is reported once, however often it is tried",
    async () => {
      await write(3);
      const { seen, lines, catalogue } = await watching({ intervalMs: 1, settleMs: 1 });
      await symlink("/proc/self/mem", join(folder, "link"));
      await rename(join(folder, "link"), path);
      await until(() => expect(seen).toEqual(["unreadable"]));
      for (let line = 0; line < 100; line++) await appendFile(join(folder, "log.txt"), "line\n");
      await writeFile(join(folder, "good.json"), JSON.stringify(vehicles.slice(0, 4)));
      await rename(join(folder, "good.json"), path);
      await until(() => expect(catalogue.report.loaded).toBe(4));
      expect(lines).toEqual([
        expect.stringMatching(/cannot be read: .*the present data stay$/),
        expect.stringMatching(/reloaded, 4 vehicles/),
      ]);
    },
  );

  test("a file that is written anew as it was is nothing to tell of", async () => {
    await write(3);
    let reads = 0;
    const now = (): number => ++reads;
    const { seen, lines, catalogue } = await watching({ intervalMs: 1, settleMs: 1, now });
    const { version } = catalogue.snapshot();
    for (const second of [1, 2]) {
      const before = reads;
      const { atime, mtimeMs } = await stat(path);
      // Whatever the file system counts, its time is another one.
      await utimes(path, atime, new Date(mtimeMs + second * 1000));
      await until(() => expect(reads).toBeGreaterThan(before));
    }
    expect([catalogue.snapshot().version, seen]).toEqual([version, []]);
    await write(5);
    await until(() => expect(lines).toHaveLength(1));
    expect(lines).toEqual([expect.stringMatching(/: reloaded, 5 vehicles, 0 problems$/)]);
  });

  test("a missing file is reported once, however much happens beside it, and so is its return", async () => {
    await write(3);
    const { seen, lines, catalogue } = await watching({ intervalMs: 1, settleMs: 1 });
    const away = join(folder, "away.json");
    await rename(path, away);
    await until(() => expect(seen).toEqual(["unreadable"]));
    for (let line = 0; line < 100; line++) await appendFile(join(folder, "log.txt"), "line\n");
    await rename(away, path);
    await until(() => expect(lines).toHaveLength(2));
    await write(5);
    await until(() => expect(catalogue.report.loaded).toBe(5));
    expect(lines).toEqual([
      expect.stringMatching(/cannot be read: ENOENT.*the present data stay$/),
      expect.stringMatching(/can be used again, and is as it was$/),
      expect.stringMatching(/reloaded, 5 vehicles/),
    ]);
  });
});
