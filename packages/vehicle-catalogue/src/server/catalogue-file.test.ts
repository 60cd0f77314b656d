import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { catalogueTestVehicles } from "../testing/catalogue-test-vehicles.js";
import { asCatalogueError } from "./catalogue-file.js";
import { CatalogueError, readCatalogueFile } from "./index.js";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "catalogue-"));
  path = join(folder, "vehicles.json");
});
afterEach(() => rm(folder, { recursive: true }));

const vehicles = catalogueTestVehicles();

describe("readCatalogueFile", () => {
  test("reads a list, also with a byte order mark", async () => {
    await writeFile(path, `\uFEFF${JSON.stringify(vehicles)}`);
    expect((await readCatalogueFile(path)).vehicles()).toHaveLength(vehicles.length);
  });

  test("reads an Open EV Data file", async () => {
    const file = new URL("../../testdata/ev-data.json", import.meta.url).pathname;
    expect((await readCatalogueFile(file)).vehicles()).toHaveLength(293);
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

  test.each([
    ["in Latin-1", Buffer.from(JSON.stringify([{ ...vehicles[0], model: "Citroën" }], null, 1), "latin1"), 6],
    ["in UTF-16", Buffer.from(`\uFEFF${JSON.stringify(vehicles)}`, "utf16le"), 1],
    [
      "with half a letter",
      Buffer.concat([Buffer.from('[\n"\ufffdä'), Buffer.from([0xc3]), Buffer.from('"]')]),
      2,
    ],
    ["with a mark in front", Buffer.concat([Buffer.from("\uFEFF\ufffd\n\ufffd"), Buffer.from([0xff])]), 2],
    ["behind others", Buffer.concat([Buffer.from("\ufffd\n\ufffd\n\ufffd\n"), Buffer.from([0xff])]), 4],
    ["right behind another", Buffer.concat([Buffer.from("\ufffd"), Buffer.from([0xff, 10, 0xff])]), 1],
    ["with a wrong name", Buffer.concat([Buffer.from('{"'), Buffer.from([0xe4]), Buffer.from('":[]}')]), 1],
  ])("refuses a text that is no UTF-8 and tells the line: %s", async (_, bytes, line) => {
    await writeFile(path, bytes);
    await expect(readCatalogueFile(path)).rejects.toMatchObject({
      code: "unreadable",
      message: `${path}: the text in line ${line} is no UTF-8: save it as UTF-8`,
    });
  });

  test("takes a letter that stands for no letter where it is there as such", async () => {
    await writeFile(path, JSON.stringify([{ ...vehicles[0], model: "a\ufffdb" }]));
    expect((await readCatalogueFile(path)).vehicles()[0]?.model).toBe("a\ufffdb");
  });

  test("makes a catalogue whose later changes have times of their own", async () => {
    await writeFile(path, JSON.stringify(vehicles));
    let time = 1000;
    const catalogue = await readCatalogueFile(path, { now: () => time });
    expect(catalogue.snapshot().updatedAt).toBe(1000);
    time = 500_000;
    await catalogue.upsert([{ ...vehicles[0]!, model: "Zephyr" }]);
    expect(catalogue.snapshot().updatedAt).toBe(500_000);
  });

  test.each([131_071, 131_072, 131_073, 262_144, 300_000])("reads all of %d bytes", async (length) => {
    const [start, end] = [`${JSON.stringify(vehicles).slice(0, -1)}, {"id":"`, '"}]'];
    const id = "x".repeat(length - start.length - end.length);
    await writeFile(path, `${start}${id}${end}`);
    const { report } = await readCatalogueFile(path);
    expect([report.loaded, report.problems[0]]).toMatchObject([
      vehicles.length,
      { index: vehicles.length, message: expect.stringContaining(`got ${id.length}`) },
    ]);
  });

  test.runIf(existsSync("/proc/self/fd"))("keeps no file open, whatever is in it", async () => {
    const isOpen = () =>
      readdirSync("/proc/self/fd").some((name) => {
        const link = `/proc/self/fd/${name}`;
        return existsSync(link) && readlinkSync(link) === path;
      });
    for (const text of [JSON.stringify(vehicles), "[", "\xff"]) {
      await writeFile(path, text, "latin1");
      await readCatalogueFile(path).catch(() => {});
      expect(isOpen()).toBe(false);
    }
  });

  test("reads no folder, and leaves a wrong call what it is", async () => {
    await expect(readCatalogueFile(folder)).rejects.toMatchObject({
      code: "unreadable",
      message: `${folder} cannot be read: it is no regular file`,
      cause: new Error("it is no regular file"),
    });
    await writeFile(path, JSON.stringify(vehicles));
    const corrections = [{ id: "a", set: { colour: "red" } }];
    await expect(readCatalogueFile(path, { corrections })).rejects.toBeInstanceOf(TypeError);
  });

  test("is strict when it is told to be", async () => {
    await writeFile(path, JSON.stringify([...vehicles, {}]));
    expect((await readCatalogueFile(path)).report.loaded).toBe(vehicles.length);
    await expect(readCatalogueFile(path, { strict: true })).rejects.toMatchObject({ code: "invalid_data" });
  });
});

const problem = { index: 0, field: "id", message: "must be a text" };
const refused = new CatalogueError("invalid_data", "nothing in it", { problems: [problem], cause: "why" });

test.each([
  [new SyntaxError("no end"), "unreadable", "f.json is no JSON: no end"],
  ["no error", "unreadable", "f.json: no error"],
  [new Error("odd"), "unreadable", "f.json: odd"],
  [refused, "invalid_data", "f.json: nothing in it"],
  [new CatalogueError("unreadable", "f.json cannot be read"), "unreadable", "f.json cannot be read"],
] as const)("an error names its file once, and loses nothing: %s", (error, code, message) => {
  const named = asCatalogueError(error, "f.json");
  expect(named).toMatchObject({ code, message });
  const { cause, problems } = error instanceof CatalogueError ? error : { cause: error, problems: [] };
  expect([named.cause, named.problems]).toEqual([cause, problems]);
});
