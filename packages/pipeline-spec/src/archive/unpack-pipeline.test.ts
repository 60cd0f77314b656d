import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePipeline, unpackPipeline } from "../index.js";

const file = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../testdata/archives/${name}`, import.meta.url)));
const spec = "pipelineInfo: {name: hello}\nroot: {dag: {tasks: {}}}\n";
const bytes = (text: string) => new TextEncoder().encode(text);
const limit = { maxBytes: 1_000_000 };

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
