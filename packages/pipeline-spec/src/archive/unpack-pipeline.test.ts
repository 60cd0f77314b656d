import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePipeline, unpackPipeline } from "../index.js";

const file = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../testdata/archives/${name}`, import.meta.url)));
const spec = "pipelineInfo: {name: hello}\nroot: {dag: {tasks: {}}}\n";
const bytes = (text: string) => new TextEncoder().encode(text);
const gzip = (content: Uint8Array) => new Uint8Array(gzipSync(content));
const limit = { maxBytes: 1_000_000 };

/** A tar archive of files: names, contents and types. */
function tarOf(files: readonly (readonly [name: string, content: Uint8Array, type?: string])[]): Uint8Array {
  const blocks = files.flatMap(([name, content, type = "0"]) => {
    const header = Buffer.alloc(512);
    const size = content.length.toString(8).padStart(11, "0");
    for (const [at, text] of [
      [0, name],
      [124, size],
      [148, " ".repeat(8)],
      [156, type],
      [257, "ustar"],
    ] as const)
      header.write(text, at);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0`, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return new Uint8Array(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

describe("an archive", () => {
  const long = `${"a-folder-with-a-name/".repeat(8)}hello.yaml`;
  const rows: readonly [archive: string, name: string][] = [
    ["deflated.zip", "pipeline.yaml"],
    ["stored.zip", "hello.yaml"],
    ["gnu.tar.gz", long],
    ["pax.tar.gz", long],
    ["ustar.tar", "./pipeline.yaml"],
  ];
  for (const [archive, name] of rows) {
    test(`${archive} gives pipeline.yaml, or else its first file`, async () => {
      const result = await unpackPipeline(file(archive));
      expect(result).toEqual({ ok: true, name, bytes: bytes(spec) });
      expect(result.ok && parsePipeline(result.bytes).ok).toBe(true);
    });
  }

  const refused: readonly [archive: string, because: string][] = [
    ["leads-out.zip", "leads out"],
    ["leads-out.tar.gz", "leads out"],
    ["bomb.zip", "more than 1000000 bytes"],
    ["bomb.tar.gz", "unpacks to more than"],
    ["empty.zip", "no file"],
    ["empty.tar.gz", "no file"],
  ];
  for (const [archive, because] of refused) {
    test(`${archive} is refused with the reason`, async () => {
      const message = expect.stringContaining(because);
      expect(await unpackPipeline(file(archive), limit)).toMatchObject({
        ok: false,
        problems: [{ code: "archive", message }],
      });
    });
  }
});

test("what is no archive comes back as it is, and a compressed file unpacked", async () => {
  expect(await unpackPipeline(bytes(spec))).toEqual({ ok: true, name: undefined, bytes: bytes(spec) });
  expect(await unpackPipeline(new Uint8Array(gzipSync(spec)))).toEqual({
    ok: true,
    name: undefined,
    bytes: bytes(spec),
  });
  expect(await unpackPipeline(new Uint8Array())).toEqual({
    ok: true,
    name: undefined,
    bytes: new Uint8Array(),
  });
});

describe("no more than maxBytes come", () => {
  const most = { maxBytes: 2000 };
  const rows: readonly (readonly [string, (content: Uint8Array) => Uint8Array])[] = [
    ["out of a tar archive", (content) => tarOf([["p.yaml", content]])],
    ["out of a compressed tar archive", (content) => gzip(tarOf([["p.yaml", content]]))],
    ["out of a compressed file", gzip],
  ];
  test.each(rows)("%s", async (_, pack) => {
    expect(await unpackPipeline(pack(new Uint8Array(2000).fill(97)), most)).toMatchObject({ ok: true });
    expect(await unpackPipeline(pack(new Uint8Array(2001).fill(97)), most)).toMatchObject({
      problems: [{ message: "the archive cannot be read: it unpacks to more than 2000 bytes" }],
    });
  });
});

test.each([
  ["a compressed file", gzip(bytes(spec))],
  ["a zip archive", file("stored.zip")],
  ["an empty zip archive", file("empty.zip")],
  ["a tar archive", file("ustar.tar")],
])("%s in an archive is not taken for a pipeline", async (_, inner) => {
  const tar = tarOf([["pipeline.yaml", inner]]);
  // A tar archive that is compressed is one archive.
  for (const archive of [gzip(gzip(inner)), gzip(tar), tar]) {
    expect(await unpackPipeline(archive)).toMatchObject({
      problems: [{ message: expect.stringContaining("an archive as well") }],
    });
  }
});

test("a text that begins like an archive is a text", async () => {
  for (const text of ["PK: 1", "PK", "P", "ustar"]) {
    expect(await unpackPipeline(bytes(text))).toEqual({ ok: true, name: undefined, bytes: bytes(text) });
  }
});

test("a long name is not repeated to whoever gave it", async () => {
  const result = await unpackPipeline(tarOf([["././@LongLink", bytes(`../${"a".repeat(1_000_000)}`), "L"]]));
  expect(JSON.stringify(result).length).toBeLessThan(300);
});

test("a bomb of bombs is stopped on its way", async () => {
  const bomb = new Uint8Array(gzipSync(new Uint8Array(50_000_000)));
  expect(bomb.length).toBeLessThan(100_000);
  expect(await unpackPipeline(bomb, limit)).toMatchObject({ ok: false });
});

for (const archive of ["deflated.zip", "stored.zip", "gnu.tar.gz", "ustar.tar"]) {
  test(`${archive}, damaged anywhere, is refused or gives a file, and never throws`, async () => {
    const good = file(archive);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(good.length - 1),
        fc.nat(255),
        fc.nat(good.length),
        async (at, byte, length) => {
          const bad = good.slice();
          bad[at] = byte;
          for (const one of [bad, good.slice(0, length)]) {
            const result = await unpackPipeline(one, limit);
            expect(result.ok ? result.bytes.length : result.problems.length).toBeLessThanOrEqual(
              limit.maxBytes,
            );
          }
        },
      ),
      { seed: 13, numRuns: 200 },
    );
  });
}

test("1,000 files in an archive are enough", async () => {
  const files = (count: number) =>
    tarOf(Array.from({ length: count }, (_, i) => [`f${i}`, bytes(`${i}`)] as const));
  expect(await unpackPipeline(files(1000))).toMatchObject({ ok: true, name: "f0" });
  expect(await unpackPipeline(files(1001))).toMatchObject({
    problems: [{ message: "the archive cannot be read: it holds more than 1000 files" }],
  });
});

const content = ["a.yaml", bytes(spec)] as const;

test("a long name is that of one file", async () => {
  const archive = tarOf([
    ["././@LongLink", bytes(`${"long/".repeat(40)}a.yaml\0`), "L"],
    ["a.yaml", bytes("a")],
    ["pipeline.yaml", bytes(spec)],
  ]);
  expect(await unpackPipeline(archive)).toEqual({ ok: true, name: "pipeline.yaml", bytes: bytes(spec) });
});

test("a name may have more than a thousand letters", async () => {
  const name = `${"long/".repeat(400)}a.yaml`;
  const archive = tarOf([["PaxHeaders/a", bytes(`${name.length + 11} path=${name}\n`), "x"], content]);
  expect(await unpackPipeline(archive)).toMatchObject({ ok: true, name });
});

const pax = (...records: readonly string[]) => {
  // The length of a record counts itself.
  const lines = records.map((record) => `${record.length + 4} ${record}\n`);
  return ["PaxHeaders/a", bytes(lines.join("")), "x"] as const;
};
const longLink = ["././@LongLink", bytes("long/a.yaml\0"), "L"] as const;
const folder = ["folder", new Uint8Array(), "5"] as const;
const named: readonly (readonly [
  name: string,
  ...files: readonly (readonly [name: string, content: Uint8Array, type?: string])[],
])[] = [
  ["a.yaml", content],
  ["a.yaml", ["a.yaml", bytes(spec), "\0"]],
  ["long/a.yaml", longLink, content],
  ["pax/aaaaa.yaml", pax("path=pax/aaaaa.yaml"), content],
  ["pax/aaaaa.yaml", pax("mtime=1700000000", "path=pax/aaaaa.yaml"), content],
  ["pax/aaaaa.yaml", longLink, pax("path=pax/aaaaa.yaml"), content],
  ["long/a.yaml", longLink, pax("mtime=1700000000"), content],
  ["a.yaml", pax("mtime=1700000000"), content],
  ["pax/aaaaa.yaml", pax("comment=5 path=b", "path=pax/aaaaa.yaml"), content],
  ["a.yaml", pax("linkpath=pax/aaaaa.yaml", "comment=5 path=b"), content],
  // What a name is for is gone with it, also where that is no file.
  ["a.yaml", longLink, folder, content],
  ["a.yaml", pax("path=pax/aaaaa.yaml"), folder, content],
];
for (const [name, ...files] of named) {
  test(`of ${files.map(([one, , type = "0"]) => `${one} (${type.replace("\0", "none")})`).join(", ")} the file is called ${name}`, async () => {
    expect(await unpackPipeline(tarOf(files))).toMatchObject({ ok: true, name });
  });
}

test("what came out stays what it is when the archive is used for something else", async () => {
  const archive = tarOf([content]);
  const result = await unpackPipeline(archive);
  archive.fill(0);
  expect(result).toMatchObject({ ok: true, bytes: bytes(spec) });
});
