import { describe, expect, test } from "vitest";
import { beginsAsTar, readTar } from "./read-tar.js";

interface Entry {
  readonly name: string;
  readonly contents?: string;
  readonly type?: string;
  /** What stands in place of the size. */
  readonly size?: string;
  readonly prefix?: string;
  readonly magic?: string;
  /** What stands in place of the sum. */
  readonly sum?: string;
}

function entry({ name, contents = "", type = "0", size, prefix = "", magic = "ustar", sum }: Entry): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0, 100);
  head.write(size ?? `${Buffer.byteLength(contents).toString(8).padStart(11, "0")}\0`, 124, 12, "latin1");
  head.write(" ".repeat(8), 148);
  head.write(type, 156);
  head.write(magic, 257);
  head.write(prefix, 345, 155);
  const total = head.reduce((all, byte) => all + byte, 0);
  head.write(sum ?? `${total.toString(8).padStart(6, "0")}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(contents) / 512) * 512);
  body.write(contents);
  return Buffer.concat([head, body]);
}

const archive = (...entries: readonly Entry[]) => Buffer.concat([...entries.map(entry), Buffer.alloc(1024)]);

/** The bytes in pieces of a length; some of them are empty. */
async function* piecesOf(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) {
    yield bytes.subarray(at, at + length);
    yield Buffer.alloc(0);
  }
}

async function read(
  bytes: Buffer,
  { maxEntryBytes = 10_000, pieces = bytes.length, skipped = "skipped" } = {},
) {
  const isWanted = (name: string) => name !== skipped;
  const files = await readTar(piecesOf(bytes, pieces), { isWanted, maxEntryBytes });
  return Object.fromEntries([...files].map(([name, contents]) => [name, contents.toString()]));
}

const long = `${"d".repeat(120)}/file`;
const pax = (line: string) => `${line.length + 4} ${line}\n`;

describe("the files of an archive", () => {
  const rows: Readonly<
    Record<string, readonly [entries: readonly Entry[], files: Readonly<Record<string, string>>]>
  > = {
    "none at all": [[], {}],
    "one without a name, which ends nothing": [
      [
        { name: "", contents: "1" },
        { name: "a", contents: "2" },
      ],
      { "": "1", a: "2" },
    ],
    "as long as a block, and one more": [
      [
        { name: "a", contents: "x".repeat(512) },
        { name: "b", contents: "y".repeat(513) },
        { name: "c", contents: "" },
      ],
      { a: "x".repeat(512), b: "y".repeat(513), c: "" },
    ],
    "of each type that is a file": [
      [
        { name: "a", type: "0", contents: "1" },
        { name: "b", type: "\0", contents: "2" },
        { name: "c", type: "7", contents: "3" },
        ...["1", "2", "5", "g", "K"].map((type) => ({ name: `no-${type}`, type, contents: "4" })),
      ],
      { a: "1", b: "2", c: "3" },
    ],
    "but for those that are passed over": [
      [
        { name: "skipped", contents: "x".repeat(20_000) },
        { name: "skipped", contents: "x".repeat(1024) },
        { name: "a", contents: "1" },
      ],
      { a: "1" },
    ],
    "with names that are tidied": [
      [
        { name: "./a", contents: "1" },
        { name: "b//./c", contents: "2" },
        { name: "d\\e", contents: "3" },
        { name: "f..g/...", contents: "4" },
        { name: "h/i:j", contents: "5" },
      ],
      { a: "1", "b/c": "2", "d/e": "3", "f..g/...": "4", "h/i:j": "5" },
    ],
    "with a name of a hundred bytes, and one that goes on before it": [
      [
        { name: "n".repeat(100), contents: "1" },
        { name: "a", prefix: "p/q", contents: "2" },
        { name: "b", prefix: "p", magic: "other", contents: "3" },
        { name: "c", prefix: "p".repeat(155), contents: "4" },
      ],
      { ["n".repeat(100)]: "1", "p/q/a": "2", b: "3", [`${"p".repeat(155)}/c`]: "4" },
    ],
    "with long names, each for the next one alone": [
      [
        { name: "x", type: "L", contents: `${long}\0\0` },
        { name: "short", contents: "1" },
        { name: "x", type: "x", contents: pax(`path=${long}2`) },
        { name: "short", contents: "2" },
        { name: "short", contents: "3" },
      ],
      { [long]: "1", [`${long}2`]: "2", short: "3" },
    ],
    "with extended heads that say more, or nothing of the name": [
      [
        {
          name: "x",
          type: "x",
          contents: `${pax("comment=5 path=no")}${pax(`path=${long}`)}${pax("mtime=1")}`,
        },
        { name: "short", contents: "1" },
        { name: "x", type: "L", contents: "kept\0" },
        { name: "x", type: "x", contents: pax("mtime=1") },
        { name: "short", contents: "2" },
        { name: "x", type: "g", contents: pax("path=of-all") },
        { name: "short", contents: "3" },
      ],
      { [long]: "1", kept: "2", short: "3" },
    ],
    "with long names of entries that are passed over, which are not those of the next": [
      [
        { name: "x", type: "L", contents: "skipped\0" },
        { name: "short", contents: "1" },
        { name: "a", contents: "2" },
        { name: "x", type: "x", contents: pax("path=skipped") },
        { name: "short", contents: "3" },
        { name: "b", contents: "4" },
        { name: "x", type: "L", contents: `${long}\0` },
        { name: "folder", type: "5" },
        { name: "c", contents: "5" },
        { name: "x", type: "x", contents: pax(`path=${long}`) },
        { name: "link", type: "2" },
        { name: "skipped", contents: "6" },
        { name: "d", contents: "7" },
      ],
      { a: "2", b: "4", c: "5", d: "7" },
    ],
    "with sizes in other forms": [
      [
        { name: "a", contents: "1", size: "1" },
        { name: "b", contents: "12345678", size: "      10 \0" },
        { name: "c", size: "" },
      ],
      { a: "1", b: "12345678", c: "" },
    ],
  };
  test.each(Object.entries(rows))("%s", async (_, [entries, files]) => {
    for (const pieces of [100_000, 512, 513, 7])
      expect(await read(archive(...entries), { pieces })).toEqual(files);
  });

  test("are read as far as there are any, also without an end, and nothing behind the end", async () => {
    expect(await read(entry({ name: "a", contents: "1" }))).toEqual({ a: "1" });
    expect(await read(Buffer.concat([archive({ name: "a", contents: "1" }), Buffer.alloc(9, 1)]))).toEqual({
      a: "1",
    });
    expect(await read(Buffer.alloc(0), { pieces: 1 })).toEqual({});
  });
});

describe("an archive is refused", () => {
  const outside = (name: string) =>
    `it has the file ${JSON.stringify(name)}, which would be outside of the archive`;
  const one = { name: "a", contents: "x".repeat(600) };
  test.each<[string, Buffer, string]>([
    ...["../a", "a/../b", "a\\..\\b", "..", "/a", "c:a", "C:\\a"].map((name): [string, Buffer, string] => [
      name,
      archive({ name }),
      outside(name),
    ]),
    ["a long name outside", archive({ name: "x", type: "L", contents: "../b" }, one), outside("../b")],
    ["a name twice", archive(one, { name: "./a" }), 'it has the file "a" twice'],
    ["a size in words", archive({ name: "a", size: "many" }), "it has a file whose size cannot be read"],
    [
      "a size beyond octal",
      archive({ name: "a", size: "\x80\0\0\0\0\0\0\x01" }),
      "it has a file whose size cannot be read",
    ],
    ["a size with an eight", archive({ name: "a", size: "18" }), "it has a file whose size cannot be read"],
    ["a wrong sum", archive({ name: "a", sum: "000001\0 " }), "it is not a tar archive, or is damaged"],
    ["no sum", archive({ name: "a", sum: "        " }), "it is not a tar archive, or is damaged"],
    ["cut in a head", archive(one).subarray(0, 511), "it is cut off"],
    ["cut behind a head", archive(one).subarray(0, 512), "it is cut off"],
    ["cut in a file", archive(one).subarray(0, 1100), "it is cut off"],
    ["cut in the padding", archive(one).subarray(0, 1535), "it is cut off"],
    ["cut in what is passed over", archive({ ...one, name: "skipped" }).subarray(0, 1100), "it is cut off"],
    [
      "a name of more than a mebibyte",
      archive({ name: "x", type: "L", size: (1024 * 1024 + 1).toString(8) }),
      "it has a name of more than a mebibyte",
    ],
  ])("%s", async (_, bytes, says) => {
    await expect(read(bytes)).rejects.toThrow(new Error(says));
  });

  test("for a file that is as large as the limit, unless that is passed over", async () => {
    const file = (bytes: number) => archive({ name: "a", contents: "x".repeat(bytes) });
    expect(await read(file(599), { maxEntryBytes: 600 })).toEqual({ a: "x".repeat(599) });
    await expect(read(file(600), { maxEntryBytes: 600 })).rejects.toThrow(
      new Error('it has a file "a" with 600 bytes; the limit is 600'),
    );
    await expect(read(file(601), { maxEntryBytes: 600 })).rejects.toThrow("with 601 bytes; the limit is 600");
    expect(await read(file(600), { maxEntryBytes: 600, skipped: "a" })).toEqual({});
  });

  test("a name may have a mebibyte", async () => {
    const name = "n".repeat(1024 * 1024);
    expect(
      await read(archive({ name: "x", type: "L", contents: name }, { name: "a", contents: "1" })),
    ).toEqual({
      [name]: "1",
    });
  });
});

test("bytes begin as a tar does with a head that is whole, and whose sum is right", () => {
  const bytes = entry({ name: "a" });
  expect(beginsAsTar(bytes)).toBe(true);
  expect(beginsAsTar(Buffer.concat([bytes, Buffer.from("more")]))).toBe(true);
  expect(beginsAsTar(bytes.subarray(0, 511))).toBe(false);
  expect(beginsAsTar(Buffer.alloc(0))).toBe(false);
  // What stands behind the digits of the sum is no part of it.
  for (const end of ["\0 ", " \0", "\0\0"]) {
    const ended = Buffer.from(bytes);
    ended.write(end, 154);
    expect(beginsAsTar(ended), end).toBe(true);
  }
  for (const at of [0, 147, 156, 511]) {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(((damaged[at] ?? 0) + 1) % 256, at);
    expect(beginsAsTar(damaged), `${at}`).toBe(false);
  }
});
