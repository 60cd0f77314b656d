import { isDeepStrictEqual } from "node:util";
import { deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { unpackPipeline } from "../index.js";
import { crc32 } from "./crc32.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const content = bytes("pipelineInfo: {name: hello}\nroot: {dag: {}}\n");

/** What came of an archive: the name of its file, or why there is none. */
async function outcome(archive: Uint8Array, maxBytes = 10_000): Promise<string | undefined> {
  const result = await unpackPipeline(archive, { maxBytes });
  if (result.ok) return Buffer.compare(result.bytes, content) === 0 ? result.name : "other bytes";
  return result.problems.map(({ message, ...rest }) => message.replace(told(rest), "")).join();
}

/** How every problem begins that has the usual members. */
const told = (rest: object): string =>
  isDeepStrictEqual(rest, { code: "archive", severity: "error", path: "" })
    ? "the archive cannot be read: "
    : JSON.stringify(rest);

/** A file in an archive, and what its directory says of it, when that is not so. */
interface Entry {
  readonly name: string;
  readonly method?: number;
  readonly flags?: number;
  readonly checksum?: number;
  readonly packed?: number;
  readonly size?: number;
  readonly start?: number;
  readonly extra?: number;
  readonly comment?: number;
  readonly localExtra?: number;
  readonly signature?: number;
  readonly localSignature?: number;
}

function zipOf(entries: readonly Entry[], comment = 0, count = entries.length): Uint8Array {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const one of entries) {
    const { name, method = 8, flags = 0, extra = 0, localExtra = 0 } = one;
    const data = method === 8 ? deflateRawSync(content) : Buffer.from(content);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(one.localSignature ?? 0x04034b50, 0);
    header.writeUInt16LE(name.length, 26);
    header.writeUInt16LE(localExtra, 28);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(one.signature ?? 0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(one.checksum ?? crc32(content), 16);
    entry.writeUInt32LE(one.packed ?? data.length, 20);
    entry.writeUInt32LE(one.size ?? content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt16LE(extra, 30);
    entry.writeUInt16LE(one.comment ?? 0, 32);
    entry.writeUInt32LE(one.start ?? at, 42);
    const parts = [header, Buffer.from(name), Buffer.alloc(localExtra, 1), data];
    local.push(...parts);
    directory.push(entry, Buffer.from(name), Buffer.alloc(extra + (one.comment ?? 0), 2));
    at += parts.reduce((sum, { length }) => sum + length, 0);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(Math.min(comment, 65_535), 20);
  return new Uint8Array(Buffer.concat([...local, ...directory, end, Buffer.alloc(comment, 3)]));
}

describe("out of a zip archive comes", () => {
  const rows: readonly (readonly [what: string, archive: Uint8Array, name: string])[] = [
    ["a file that is deflated", zipOf([{ name: "a" }]), "a"],
    ["a file that is stored", zipOf([{ name: "a", method: 0 }]), "a"],
    ["a file whose sizes stand behind it", zipOf([{ name: "a", flags: 8 }]), "a"],
    ["a file with more in its headers", zipOf([{ name: "a", extra: 5, comment: 7, localExtra: 9 }]), "a"],
    [
      "a file behind one with more in its headers",
      zipOf([
        { name: "a", extra: 5, comment: 7, localExtra: 9 },
        { name: "pipeline.yaml", localExtra: 3 },
      ]),
      "pipeline.yaml",
    ],
    ["a file behind a folder", zipOf([{ name: "folder/" }, { name: "folder/a" }]), "folder/a"],
    ["a file before a comment", zipOf([{ name: "a" }], 65_535), "a"],
    ["the first file", zipOf([{ name: "b" }, { name: "a" }]), "b"],
    ["as many files as it says", zipOf([{ name: "b" }, { name: "pipeline.yaml" }], 0, 1), "b"],
  ];
  test.each(rows)("%s", async (_what, archive, name) => expect(await outcome(archive)).toBe(name));
});

describe("a zip archive is refused with the reason:", () => {
  const a = { name: "a" };
  const missing = "its directory is missing";
  const damaged = "its directory is damaged";
  const elsewhere = "the file in it is not where the directory says";
  const other = "the file in it does not have the length and checksum of the directory";
  const good = zipOf([a]);
  const stored = zipOf([{ ...a, method: 0 }]);
  const rows: readonly (readonly [what: string, archive: Uint8Array, reason: string])[] = [
    ["only its first bytes", good.subarray(0, 4), missing],
    ["a byte less", good.subarray(0, -1), missing],
    ["a comment that is too long", zipOf([a], 65_536), missing],
    ["more files than there are", zipOf([a], 0, 2), damaged],
    ["another thing where its directory should be", zipOf([{ ...a, signature: 0x02014b51 }]), damaged],
    ["an encrypted file", zipOf([{ ...a, flags: 1 }]), "the file in it is encrypted"],
    ["an encrypted file with more flags", zipOf([{ ...a, flags: 9 }]), "the file in it is encrypted"],
    [
      "another thing where its file should be",
      zipOf([{ name: "b/" }, { ...a, localSignature: 0x04034b51 }]),
      elsewhere,
    ],
    ["a file behind its end", zipOf([{ ...a, start: 1_000_000 }]), elsewhere],
    ["a file at its end", zipOf([{ ...a, start: good.length - 29 }]), elsewhere],
    ["a file that is cut off", zipOf([{ ...a, packed: good.length }]), "the file in it is cut off"],
    ["a file that goes on to its end", zipOf([{ ...a, method: 0, packed: stored.length - 31 }]), other],
    [
      "a file that goes on behind it",
      zipOf([{ ...a, method: 0, packed: stored.length - 30 }]),
      "the file in it is cut off",
    ],
    ["a method that is not known", zipOf([{ ...a, method: 9 }]), "the file in it is packed by method 9"],
    ["another length", zipOf([{ ...a, size: content.length + 1 }]), other],
    ["another length of what is stored", zipOf([{ ...a, method: 0, size: content.length - 1 }]), other],
    ["another checksum", zipOf([{ ...a, checksum: 1 }]), other],
    ["data that are none", zipOf([{ ...a, method: 8, packed: 3 }]), "its compressed data are damaged"],
    ["no file", zipOf([]), "it holds no file"],
    ["folders alone", zipOf([{ name: "a/" }]), "it holds no file"],
    [
      "a file of other size than said",
      zipOf([{ ...a, size: 10_001 }]),
      "it unpacks to more than 10000 bytes",
    ],
  ];
  test.each(rows)("%s", async (_what, archive, reason) => expect(await outcome(archive)).toBe(reason));

  test("a file of more bytes than are allowed, however it is packed", async () => {
    for (const method of [0, 8]) {
      const archive = zipOf([{ name: "a", method }]);
      expect(await outcome(archive, content.length)).toBe("a");
      const most = content.length - 1;
      expect(await outcome(archive, most)).toBe(`it unpacks to more than ${most} bytes`);
      const lying = zipOf([{ name: "a", method, size: 5 }]);
      expect(await outcome(lying, 10)).toBe(method === 0 ? other : "it unpacks to more than 10 bytes");
    }
  });
});

describe("a name", () => {
  const refused = ["/a", "\\a", "C:a", "c:\\a", "a\0b", "..", "../a", "a/..", "a/../b", "a\\..\\b", "..\\a"];
  test.each(refused)("that leads out of the archive is refused: %j", async (name) => {
    const reason = `it holds a file whose name leads out of it: the text ${JSON.stringify(name)}`;
    expect(await outcome(zipOf([{ name }]))).toBe(reason);
    expect(await outcome(zipOf([{ name: "a" }, { name }, { name: "b" }]))).toBe(reason);
    // What comes behind pipeline.yaml is not looked at.
    expect(await outcome(zipOf([{ name: "pipeline.yaml" }, { name }]))).toBe("pipeline.yaml");
  });

  test.each(["..a", "a..", "a/..b", "...", "ab:c", "a/C:", "1:a", "a"])(
    "is one like any other: %j",
    async (name) => {
      expect(await outcome(zipOf([{ name }]))).toBe(name);
    },
  );

  test("of the pipeline may begin in the folder of the archive, and is whole", async () => {
    for (const name of ["pipeline.yaml", "./pipeline.yaml", "././pipeline.yaml"]) {
      expect(await outcome(zipOf([{ name: "a" }, { name }]))).toBe(name);
    }
    for (const name of [
      "x/pipeline.yaml",
      "pipeline.yaml2",
      "my.pipeline.yaml",
      "/./a",
      "x./pipeline.yaml",
    ]) {
      expect(await outcome(zipOf([{ name: "a" }, { name }]))).not.toBe(name);
    }
  });
});

interface TarFile {
  readonly name?: string;
  readonly prefix?: string;
  readonly magic?: string;
  readonly type?: string;
  readonly size?: string;
  readonly checksum?: string;
  readonly content?: Uint8Array;
}

function tarOf(files: readonly TarFile[], end = 1024): Uint8Array {
  const blocks = files.flatMap(({ name = "a", content: own = content, ...file }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(file.size ?? own.length.toString(8).padStart(11, "0"), 124);
    header.write(" ".repeat(8), 148);
    header.write(file.type ?? "0", 156);
    header.write(file.magic ?? "ustar", 257);
    header.write(file.prefix ?? "", 345);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(file.checksum ?? `${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, own, Buffer.alloc((512 - (own.length % 512)) % 512)];
  });
  return new Uint8Array(Buffer.concat([...blocks, Buffer.alloc(end)]));
}

describe("out of a tar archive comes", () => {
  const sized = (length: number) => ({ name: "b", content: new Uint8Array(length).fill(97), type: "1" });
  const rows: readonly (readonly [what: string, archive: Uint8Array, name: string])[] = [
    ["a file", tarOf([{}]), "a"],
    ["a file without an end behind it", tarOf([{}], 0), "a"],
    ["a file below a folder", tarOf([{ prefix: "some/folder" }]), "some/folder/a"],
    [
      "a file below a folder whose name takes all of its room",
      tarOf([{ prefix: "p".repeat(155) }]),
      `${"p".repeat(155)}/a`,
    ],
    ["a file whose header has only the name of its folder", tarOf([{ prefix: "some", name: "" }]), "some/"],
    [
      "a file with something else where newer archives have a folder",
      tarOf([
        { type: "5", size: "0", content: new Uint8Array() },
        { prefix: "other", magic: "" },
      ]),
      "a",
    ],
    ["a file with blanks around its size", tarOf([{ size: ` ${content.length.toString(8)} ` }]), "a"],
    [
      "a file whose size has eleven digits",
      tarOf([{ size: content.length.toString(8).padStart(11, "0") }]),
      "a",
    ],
    ["a file whose name takes all of its room", tarOf([{ name: "n".repeat(100) }]), "n".repeat(100)],
    ...[0, 1, 511, 512, 513, 1024].map(
      (length) => [`a file behind ${length} bytes`, tarOf([sized(length), {}]), "a"] as const,
    ),
  ];
  test.each(rows)("%s", async (_what, archive, name) => {
    expect(await outcome(archive)).toBe(name);
    expect(await outcome(new Uint8Array(gzipSync(archive)))).toBe(name);
  });
});

describe("a tar archive is refused with the reason:", () => {
  const damaged = "it is no tar archive, or a damaged one";
  const size = "a file in it has no size that can be read";
  const cut = "a file in it is cut off";
  const good = tarOf([{}], 0);
  const rows: readonly (readonly [what: string, archive: Uint8Array, reason: string])[] = [
    ["another checksum", tarOf([{ checksum: "000001\0 " }]), damaged],
    ["no checksum", tarOf([{ checksum: "        " }]), damaged],
    ["a size that is no number", tarOf([{ size: "x" }]), size],
    ["a size that is not octal", tarOf([{ size: "8" }]), size],
    ["no size", tarOf([{ size: "" }]), size],
    ["a size of twelve digits", tarOf([{ size: "0".repeat(12) }]), size],
    ["a file that is cut off", good.subarray(0, 512 + content.length - 1), cut],
    ["a header that is cut off", good.subarray(0, 511), "it holds no file"],
    ["a size beyond its end", tarOf([{ size: "77777777777" }]), cut],
    ["folders alone", tarOf([{ type: "5", content: new Uint8Array() }]), "it holds no file"],
    ["its end alone", new Uint8Array(512), "it holds no file"],
    [
      "its file behind its end",
      new Uint8Array(Buffer.concat([Buffer.alloc(512), tarOf([{}])])),
      "it holds no file",
    ],
    [
      "a pipeline behind its end",
      tarOf([
        { type: "5", content: new Uint8Array() },
        { size: "0", checksum: "", magic: "" },
      ]),
      damaged,
    ],
  ];
  test.each(rows)("%s", async (_what, archive, reason) => expect(await outcome(archive)).toBe(reason));

  test("but not where only what fills its last block is missing", async () => {
    expect(await outcome(good.subarray(0, 512 + content.length))).toBe("a");
  });
});

test("an empty file may be the end of a tar archive", async () => {
  const archive = tarOf([{ content: new Uint8Array() }], 0);
  expect(await unpackPipeline(archive)).toEqual({ ok: true, name: "a", bytes: new Uint8Array() });
});

test("zeros are an archive from one block on, and less are the file itself", async () => {
  const zeros = new Uint8Array(511);
  expect(await unpackPipeline(zeros)).toEqual({ ok: true, name: undefined, bytes: zeros });
  const almost = new Uint8Array(512);
  almost[511] = 1;
  expect(await unpackPipeline(almost)).toMatchObject({ ok: true, name: undefined });
});

test("a compressed file that is damaged says so, with the cause", async () => {
  const good = new Uint8Array(gzipSync(content));
  const damaged = "its compressed data are damaged";
  expect(await outcome(good.subarray(0, -4))).toBe(damaged);
  expect(await outcome(Uint8Array.of(0x1f, 0x8b))).toBe(damaged);
  expect(await outcome(Uint8Array.of(0x1f, 0x8b, 1, 2, 3))).toBe(damaged);
});

test("a compressed archive may have a mebibyte around its files", async () => {
  const padding = (length: number) => {
    const tar = tarOf([{}, { name: "b", type: "1", content: new Uint8Array(length) }], 0);
    return [new Uint8Array(gzipSync(tar)), tar.length] as const;
  };
  const [fits, length] = padding(1024 * 1024 - 512);
  const most = length - 1024 * 1024;
  expect(await outcome(fits, most)).toBe("a");
  expect(await outcome(fits, most - 1)).toBe(`it unpacks to more than ${most - 1} bytes`);
});

test("what is decompressed is let go of, also when it is too much or damaged", async () => {
  const cancel = vi.spyOn(ReadableStreamDefaultReader.prototype, "cancel");
  try {
    const good = new Uint8Array(gzipSync(content));
    for (const [archive, most] of [
      [good, 1000],
      [new Uint8Array(gzipSync(new Uint8Array(3_000_000))), 1000],
      [good.subarray(0, -4), 1000],
    ] as const) {
      cancel.mockClear();
      await unpackPipeline(archive, { maxBytes: most });
      expect(cancel).toHaveBeenCalledOnce();
    }
  } finally {
    cancel.mockRestore();
  }
});

test("the default is 32 MiB", async () => {
  const file = (length: number) => new Uint8Array(gzipSync(new Uint8Array(length).fill(97), { level: 1 }));
  expect(await unpackPipeline(file(32 * 1024 * 1024))).toMatchObject({ ok: true });
  expect(await unpackPipeline(file(32 * 1024 * 1024 + 1))).toMatchObject({
    problems: [{ message: "the archive cannot be read: it unpacks to more than 33554432 bytes" }],
  });
});

test("checksums are those of zip archives", () => {
  expect(crc32(bytes("123456789"))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array())).toBe(0);
  expect(crc32(Uint8Array.from({ length: 256 }, (_, byte) => byte))).toBe(0x29058c73);
});
