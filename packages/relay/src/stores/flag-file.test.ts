import { parseItem, tombstone } from "@wye/flag-evaluator";
import { describe, expect, test } from "vitest";
import { digestOf, itemFromLine, printFlagFile, printItem, readFlagFile } from "./flag-file.js";

const items = [parseItem("flags", "a", '{"version":1,"é":"\\u2028"}'), tombstone("segments", "gone", 7)];
const whole = { items, complete: true, envId: "id-1", keys: ["digest-1", "digest-2"] };

async function textOf(file: Parameters<typeof printFlagFile>[0]): Promise<string> {
  return Buffer.concat((await printFlagFile(file)).pieces).toString();
}

test.each([
  whole,
  { ...whole, complete: false, envId: undefined, keys: undefined },
  { ...whole, items: [], keys: [] },
])("what was printed is read, and known by the same digest: %j", async (file) => {
  const { digest } = await printFlagFile(file);
  expect(await readFlagFile(await textOf(file))).toEqual({ ...file, digest });
});

test("files with the same items are known apart by whose they are, and whether they are whole", async () => {
  const files = [whole, { ...whole, envId: "id-2" }, { ...whole, keys: [] }, { ...whole, complete: false }];
  const digests = await Promise.all(files.map(async (file) => (await printFlagFile(file)).digest));
  expect(new Set(digests).size).toBe(files.length);
});

/** How many turns of the event loop something takes. */
async function turnsOf(run: Promise<unknown>): Promise<number> {
  let isOver = false;
  void run.then(() => {
    isOver = true;
  });
  let turns = 0;
  for (; !isOver; turns++) await new Promise(setImmediate);
  return turns;
}

test("a large file is printed and read piece by piece, in a turn of its own each", async () => {
  const text = "x".repeat(32 * 1024);
  const many = Array.from({ length: 40 }, (_, index) =>
    parseItem("flags", `f${index}`, JSON.stringify({ version: 1, text })),
  );
  const printing = printFlagFile({ ...whole, items: many });
  expect(await turnsOf(printing)).toBeGreaterThanOrEqual(5);
  const { pieces } = await printing;
  // Eight items take more than 256 KiB.
  expect(pieces.slice(1).map((piece) => piece.toString().split("\n").length - 1)).toEqual([8, 8, 8, 8, 8, 0]);
  const reading = readFlagFile(Buffer.concat(pieces).toString());
  const turns = await turnsOf(reading);
  expect(await reading).toMatchObject({ items: many });
  expect([turns >= 5, turns < 20]).toEqual([true, true]);
});

describe("a first line that is not what it should be", () => {
  const damaged = "it is damaged: its first line is not what it should be";
  const begins = "it does not begin as a file of flags does";
  test.each([
    [{ complete: "true" }, damaged],
    [{ complete: undefined }, damaged],
    [{ envId: 5 }, damaged],
    [{ envId: null }, damaged],
    [{ keys: "digest-1" }, damaged],
    [{ keys: {} }, damaged],
    [{ keys: ["digest-1", 5] }, damaged],
    [{ keys: null }, damaged],
    [{ sha256: 5 }, damaged],
    [{ sha256: undefined }, damaged],
    [{ envID: "id-1" }, damaged],
    [{ layout: 2 }, "its layout is 2, not 1"],
    [{ layout: "1" }, 'its layout is "1", not 1'],
    [{ layout: undefined }, begins],
    [{ sha256: digestOf("") }, "it is damaged: its contents do not have the digest that they should have"],
  ])("with %j", async (change, problem) => {
    const [head = "", ...lines] = (await textOf(whole)).split("\n");
    const text = [JSON.stringify({ ...JSON.parse(head), ...change }), ...lines].join("\n");
    expect(await readFlagFile(text)).toBe(problem);
  });

  test.each(["", "{}", '{"layout":1}x', "\n", "5\n", "null\n", "{\n", '["layout"]\n'])("%j", async (text) => {
    expect(await readFlagFile(text)).toBe(begins);
  });
});

test.each([
  ['["flags","a"]', '["flags","a"]'],
  ["x".repeat(101), "x".repeat(100)],
])("an item that cannot be read is told by its beginning: %s", async (line, told) => {
  const body = `${printItem(items[0] ?? tombstone("flags", "a", 1))}${line}\n`;
  const head = { layout: 1, complete: true, sha256: digestOf(body) };
  expect(await readFlagFile(`${JSON.stringify(head)}\n${body}`)).toBe(
    `its item ${JSON.stringify(told)} cannot be read`,
  );
});

test("a last line without an end is no item", async () => {
  const body = printItem(tombstone("flags", "a", 1)).slice(0, -1);
  const head = { layout: 1, complete: true, sha256: digestOf(body) };
  expect(await readFlagFile(`${JSON.stringify(head)}\n${body}`)).toMatch(/^its item .* cannot be read$/);
});

test.each([
  "",
  "{}",
  '["flags","a"]',
  '["flags","a","{\\"version\\":1}","more"]',
  '["goals","a","{\\"version\\":1}"]',
  '["flags",5,"{\\"version\\":1}"]',
  '["flags","a",{"version":1}]',
  '["flags","a","5"]',
])("%j is the line of no item", (line) => {
  expect(itemFromLine(line)).toBeUndefined();
});
