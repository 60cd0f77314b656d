import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../test/run-program.js";
import type { Host } from "../host.js";
import { readPipelineFile } from "./read-file.js";

const mebibyte = 2 ** 20;

test("the standard input may have 64 MiB, and is named so when it has more", async () => {
  const bounds: number[] = [];
  const hostWith = (input: Uint8Array | undefined) =>
    ({
      readInput: async (most: number) => {
        bounds.push(most);
        return input;
      },
    }) as Partial<Host> as Host;
  const bytes = Buffer.from("a: 1\n");
  expect(await readPipelineFile("-", hostWith(bytes))).toEqual({ name: "<stdin>", bytes });
  await expect(readPipelineFile("-", hostWith(undefined))).rejects.toThrow(
    "-: more than 64 MiB, which no pipeline has",
  );
  expect(bounds).toEqual([64 * mebibyte, 64 * mebibyte]);
});

test("a file may have 64 MiB, and is read from the folder of the host", async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "large.yaml"), "#");
  truncateSync(join(cwd, "large.yaml"), 64 * mebibyte);
  const host = { cwd } as Partial<Host> as Host;
  expect((await readPipelineFile("large.yaml", host)).bytes).toHaveLength(64 * mebibyte);
  truncateSync(join(cwd, "large.yaml"), 64 * mebibyte + 1);
  await expect(readPipelineFile("large.yaml", host)).rejects.toThrow(
    "large.yaml: more than 64 MiB, which no pipeline has",
  );
});
