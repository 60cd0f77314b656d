import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { catalogueTestVehicles } from "./catalogue-test-vehicles.js";
import { CatalogueError, readCatalogueFile, watchCatalogueFile } from "./index.js";

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

describe("readCatalogueFile", () => {
  test("reads a list, also with a byte order mark", async () => {
    await writeFile(path, `\uFEFF${JSON.stringify(vehicles)}`);
    expect((await readCatalogueFile(path)).vehicles).toHaveLength(vehicles.length);
  });

  test("reads an Open EV Data file", async () => {
    const file = new URL("../../testdata/ev-data.json", import.meta.url).pathname;
    expect((await readCatalogueFile(file)).vehicles).toHaveLength(293);
  });

  const broken = [
    {
      name: "a file that is not there",
      text: undefined,
      code: "unreadable",
      message: /cannot be read: ENOENT/,
    },
    { name: "half a file", text: '{"vehicles": [', code: "unreadable", message: /is no JSON/ },
    { name: "an empty file", text: "", code: "unreadable", message: /is no JSON/ },
    { name: "another kind of file", text: '{"name": "x"}', code: "invalid_data", message: /not a catalogue/ },
  ];
  for (const { name, text, code, message } of broken) {
    test(`${name} is an error that names the file`, async () => {
      if (text !== undefined) await writeFile(path, text);
      const error: unknown = await readCatalogueFile(path).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(CatalogueError);
      expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
      expect(error).toMatchObject({ message: expect.stringContaining(path) });
    });
  }

  test("is strict when it is told to be", async () => {
    await writeFile(path, JSON.stringify([...vehicles, {}]));
    expect((await readCatalogueFile(path)).report.loaded).toBe(vehicles.length);
    await expect(readCatalogueFile(path, { strict: true })).rejects.toMatchObject({ code: "invalid_data" });
  });
});

describe("watchCatalogueFile", () => {
  /** Watches with everything recorded. */
  async function watching(options: { strict?: boolean } = {}) {
    const seen: string[] = [];
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const watched = await watchCatalogueFile(path, {
      ...options,
      settleMs: 20,
      logger: { info: log, warn: log, error: log },
      onReload: ({ loaded }) => seen.push(`loaded ${loaded}`),
      onError: ({ code }) => seen.push(code),
    });
    return { ...watched, seen, lines };
  }
  const until = (condition: () => void): Promise<void> =>
    vi.waitFor(condition, { timeout: 30_000, interval: 10 });

  test("follows changes in place, and files that are moved in its place", async () => {
    await write(3);
    const { catalogue, close, seen, lines } = await watching();
    const before = catalogue.version();
    await write(5);
    await until(() => expect(catalogue.vehicles).toHaveLength(5));
    expect(catalogue.version()).not.toBe(before);
    await writeFile(join(folder, "new.json"), JSON.stringify(vehicles.slice(0, 7)));
    await rename(join(folder, "new.json"), path);
    await until(() => expect(catalogue.vehicles).toHaveLength(7));
    await until(() => expect(seen).toEqual(["loaded 5", "loaded 7"]));
    expect(lines).toEqual([
      expect.stringContaining("reloaded, 5 vehicles, 0 problems"),
      expect.stringContaining("reloaded, 7 vehicles, 0 problems"),
    ]);
    close();
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
      await writeFile(path, text);
      await until(() => expect(seen[at]).toBe(outcome));
      expect(catalogue.vehicles).toHaveLength(3);
    }
    await rm(path);
    await until(() => expect(seen[3]).toBe("unreadable"));
    await write(4);
    await until(() => expect(catalogue.vehicles).toHaveLength(4));
    expect(lines[0]).toMatch(/vehicles\.json is no JSON: .*; the present data stay$/);
    close();
  });

  test("keeps the rule of strictness over reloads", async () => {
    await write(3);
    const { catalogue, close, seen } = await watching({ strict: true });
    await writeFile(path, JSON.stringify([...vehicles, {}]));
    await until(() => expect(seen).toEqual(["invalid_data"]));
    expect(catalogue.vehicles).toHaveLength(3);
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
    await until(() => expect(witness.catalogue.vehicles).toHaveLength(6));
    expect([catalogue.vehicles.length, seen]).toEqual([3, []]);
    witness.close();
  });

  test("does not begin with a broken file", async () => {
    await writeFile(path, "x");
    await expect(watchCatalogueFile(path)).rejects.toMatchObject({ code: "unreadable" });
  });
});
