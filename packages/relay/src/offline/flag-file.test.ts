import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { malformedData } from "../error.js";
import { createManualClock } from "../testing/manual-clock.js";
import { type FlagFileOptions, flagFile } from "./flag-file.js";

/** A file of flags that is looked at when the test says so; `said` is what is delivered, reported and logged of it. */
async function setUp(text: string, options: Partial<FlagFileOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "flag-file-"));
  const path = join(folder, "flags.yaml");
  await writeFile(path, text);
  const manual = createManualClock();
  const waits: number[] = [];
  const clock = {
    ...manual,
    schedule(ms: number, run: () => void) {
      waits.push(ms);
      return manual.schedule(ms, run);
    },
  };
  const said: unknown[] = [];
  let refusal: Error | undefined;
  const source = flagFile({ path, ...options })({
    clock,
    sink: {
      async apply({ items }: { items: readonly { key: string; version: number }[] }) {
        await new Promise(setImmediate);
        if (refusal !== undefined) throw refusal;
        said.push(Object.fromEntries(items.map(({ key, version }) => [key, version])));
      },
      interrupted: (kind: string, message: string) => said.push([kind, message]),
    },
    logger: {
      info: (line: string) => said.push(`info ${line}`),
      error: (line: string) => said.push(`error ${line}`),
    },
    // No more of these is used.
  } as unknown as Parameters<ReturnType<typeof flagFile>>[0]);
  onTestFinished(async () => {
    source.close();
    await rm(folder, { recursive: true });
  });
  const looked = async () => {
    while (manual.pending === 0) await new Promise(setImmediate);
  };
  await looked();
  return {
    path,
    said,
    waits,
    source,
    pending: () => manual.pending,
    refuse(error: Error | undefined) {
      refusal = error;
    },
    /** Puts something into the file, and looks until it is taken. */
    async put(next: string) {
      await writeFile(path, next);
      for (let looks = 0; looks < 3; looks++) {
        manual.advance(waits.at(-1) ?? 0);
        await looked();
      }
    },
    async look() {
      manual.advance(waits.at(-1) ?? 0);
      await looked();
    },
  };
}

test.each([
  [{}, 1000],
  [{ checkInterval: "100ms" }, 100],
  [{ checkInterval: 100 }, 100],
  [{ checkInterval: "1m" }, 60_000],
])("with %j a file is looked at every %i ms until it is closed", async (options, ms) => {
  const { waits, look, source, pending } = await setUp("a: 1", options);
  await look();
  expect(waits).toEqual([ms, ms]);
  source.close();
  expect(pending()).toBe(0);
});

test("what changes without another version gets one, from one reading to the next", async () => {
  const { put, said } = await setUp("a: 1\nb: 1");
  await put("a: 2\nb: 1");
  await put("a: 3\nb: 1");
  expect(said).toEqual([
    { a: 1, b: 1 },
    { a: 2, b: 1 },
    { a: 3, b: 1 },
  ]);
});

test("flags of an environment are those of the file and its own", async () => {
  const text = "flags: { a: 1 }\nenvironments: { x: { flags: { b: 2 } }, y: { flags: { c: 2 } } }";
  const { said } = await setUp(text, { environment: "y" });
  expect(said).toEqual([{ a: 1, c: 1 }]);
});

test("what cannot be used is reported and logged, and that it can again is logged", async () => {
  const { put, said, path, refuse } = await setUp("a: 1");
  await put("a: [");
  const told = said[1];
  expect(said).toEqual([
    { a: 1 },
    expect.stringContaining(`error ${path}:`),
    ["INVALID_DATA", expect.anything()],
  ]);
  expect(told).toBe(`error ${(said[2] as string[])[1]}`);
  await put("a: 1");
  expect(said.slice(3)).toEqual([`info ${path}: can be used again, and is as it was`]);
  refuse(malformedData("too much"));
  await put("a: 2");
  expect(said.slice(4)).toEqual(["error too much", ["INVALID_DATA", "too much"]]);
});

test("a file that cannot be read is told of with its path: one that is gone, and one that is too large", async () => {
  const { put, said, path, look } = await setUp(`a: ${"x".repeat(100_000)}`);
  expect(said).toEqual([{ a: 1 }]);
  await truncate(path, 64 * 1024 * 1024 + 1);
  await look();
  await look();
  const large = `${path} cannot be read: it has 67108865 bytes, and maxBytes is 67108864`;
  expect(said.slice(1)).toEqual([`error ${large}`, ["UNKNOWN", large]]);
  await rm(path);
  await look();
  const gone = `${path} cannot be read: ENOENT: no such file or directory, stat '${path}'`;
  expect(said.slice(3)).toEqual([`error ${gone}`, ["UNKNOWN", gone]]);
  await put("b: 1");
  expect(said.slice(5)).toEqual([{ b: 1 }]);
});

test.each([
  [{ path: "a\0b" }, "path must be a file"],
  [{ path: "a", checkInterval: 99 }, "checkInterval must be a time span"],
  [{ path: "a", checkInterval: "soon" }, "checkInterval must be a time span"],
  [{ path: "a", checkInterval: null }, "checkInterval must be a time span"],
  [{ path: "a", checkInterval: 0 }, "checkInterval must be a time span"],
  [{ path: "a", checkInterval: "" }, "checkInterval must be a time span"],
  [{ path: "a", environment: null }, "environment must be the name"],
])("options such as %j are refused", (options, says) => {
  // What a program without types may pass.
  expect(() => flagFile(options as { path: string })).toThrow(says);
});
