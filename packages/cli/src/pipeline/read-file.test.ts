import fs, { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validatePipeline } from "@wye/pipeline-validator";
import { expect, test, vi } from "vitest";
import { everywhere } from "../../test/everywhere.js";
import { makeFolder } from "../../test/run-program.js";
import type { Host } from "../host.js";
import { printProblems, readPipelineFile } from "./read-file.js";

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

test.each([
  ["EACCES", "permission denied"],
  ["EISDIR", "it is a folder; name its files, as in folder/*.yaml"],
  ["ENOENT", "there is no such file"],
  ["EIO", "EIO: refused"],
])("that a file cannot be read because of %s is told as: %s", async (code, reason) => {
  everywhere(
    vi.spyOn(fs, "createReadStream").mockImplementation(() => {
      throw Object.assign(new Error(`${code}: refused`), { code });
    }),
  );
  const read = readPipelineFile("a\u0007.yaml", { cwd: "/" } as Partial<Host> as Host);
  await expect(read).rejects.toThrow(`cannot read a\\x07.yaml: ${reason}`);
});

test("an archive that cannot be unpacked is named without what moves the cursor", async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "a\u0007.gz"), Buffer.from([0x1f, 0x8b, 8, 0]));
  const read = readPipelineFile("a\u0007.gz", { cwd } as Partial<Host> as Host);
  await expect(read).rejects.toThrow(/^a\\x07\.gz: /);
});

test("problems are printed in the width and the colours of the error stream", () => {
  const bytes = Buffer.from(`{"pipelineInfo":{"nmae":"x"},"x":"${"y".repeat(200)}"}`);
  const report = validatePipeline(bytes);
  const printed = (out: object, err: object): string => {
    let text = "";
    const write = (part: string) => (text += part);
    printProblems(report, { name: "p", bytes }, {
      env: {},
      out,
      err: { ...err, write },
    } as Partial<Host> as Host);
    return text;
  };
  expect(printed({ isTTY: true, columns: 40 }, {})).toBe(printed({}, { columns: 100 }));
  expect(printed({}, { columns: 40 })).not.toBe(printed({}, {}));
  expect(printed({}, {})).not.toContain("\u001b");
  expect(printed({}, { isTTY: true })).toContain("\u001b");
});
