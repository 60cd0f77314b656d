import files, { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import { LogFile } from "./log-file.js";

const mebibyte = 2 ** 20;
const head = 64;

/** A log with what its listener hears. */
function logAt(path: string) {
  const problems: string[] = [];
  let heard = 0;
  const log = new LogFile(path, {
    onChunk: (chunk) => {
      heard += chunk.length;
    },
    onProblem: (message) => problems.push(message),
  });
  return { log, problems, heard: () => heard };
}

/** A text in which letters that stand many times are counted. */
const inShort = (bytes: Buffer) =>
  bytes.toString().replace(/(.)\1{99,}/g, ({ length }, letter: string) => `<${length} ${letter}>`);

/** A log that an attempt has filled so far that only its end is kept from now on. */
function fullLog() {
  const path = join(makeFolder(), "log.txt");
  const made = logAt(path);
  const block = Buffer.alloc(mebibyte, "h");
  for (let count = 0; count < head; count++) made.log.write(block);
  const end = () => {
    made.log.close();
    return inShort(readFileSync(path).subarray(head * mebibyte));
  };
  return { ...made, end };
}

describe("a log of the usual length", () => {
  test("is there from the beginning, and has all that was written until it is closed", () => {
    const path = join(makeFolder(), "log.txt");
    const { log, problems, heard } = logAt(path);
    expect(statSync(path).size).toBe(0);
    log.write("größer ");
    log.write(Buffer.from("und kleiner"));
    expect(readFileSync(path, "utf8")).toBe("größer und kleiner");
    log.close();
    log.write("too late");
    expect([readFileSync(path, "utf8"), heard(), problems]).toEqual(["größer und kleiner", 20, []]);
  });

  test("takes the place of what is there, and nothing is written through a link", () => {
    const [folder, other] = [makeFolder(), join(makeFolder(), "other")];
    writeFileSync(other, "other");
    writeFileSync(join(folder, "file"), "old");
    symlinkSync(other, join(folder, "link"));
    for (const name of ["file", "link"]) {
      const { log } = logAt(join(folder, name));
      log.write("new");
      log.close();
      expect(readFileSync(join(folder, name), "utf8")).toBe("new");
    }
    expect(readFileSync(other, "utf8")).toBe("other");
  });

  test("is one open file, which is closed once", () => {
    const { closeSync } = files;
    const answer = (call: typeof closeSync) => {
      files.closeSync = call;
      syncBuiltinESMExports();
    };
    onTestFinished(() => answer(closeSync));
    const { log } = logAt(join(makeFolder(), "log.txt"));
    const closed: number[] = [];
    answer((file) => {
      closed.push(file);
      closeSync(file);
    });
    for (let times = 0; times < 2; times++) log.close();
    expect(closed).toEqual([expect.any(Number)]);
  });

  test("that cannot be written is told of once, and heard all the same", () => {
    const path = join(makeFolder(), "none", "log.txt");
    const { log, problems, heard } = logAt(path);
    log.write("one");
    log.write("two");
    log.close();
    expect([heard(), problems]).toEqual([
      6,
      [expect.stringMatching(/^the log .*log\.txt is not complete: ENOENT/)],
    ]);
  });
});

describe("of a log that is too long", () => {
  test("nothing is left out as long as the beginning and the end touch", () => {
    const { log, end } = fullLog();
    log.write("more");
    log.write(Buffer.alloc(mebibyte / 2, "a"));
    log.write(Buffer.alloc(mebibyte / 2 - 1, "b"));
    expect(end()).toBe(`more<${mebibyte / 2} a><${mebibyte / 2 - 1} b>`);
  });

  test("pieces are left out that the end does not need, and it is said how much that is", () => {
    const { log, end, heard } = fullLog();
    log.write("lost");
    log.write("also");
    log.write(Buffer.alloc(mebibyte - 1, "e"));
    log.write("!");
    expect(end()).toBe(`\n[8 bytes are left out here]\n<${mebibyte - 1} e>!`);
    expect(heard()).toBe((head + 1) * mebibyte + 8);
  });

  test("no more is left out for the pieces that come after those", () => {
    const { log, end } = fullLog();
    for (const letter of "abc") log.write(Buffer.alloc(mebibyte, letter));
    for (const word of ["one ", "two ", "three"]) log.write(word);
    expect(end()).toBe(`\n[${2 * mebibyte} bytes are left out here]\n<${mebibyte} c>one two three`);
  });

  test("a piece is divided between the beginning and the end", () => {
    const path = join(makeFolder(), "log.txt");
    const { log } = logAt(path);
    log.write(Buffer.alloc(head * mebibyte - 1, "h"));
    log.write("xy");
    log.write(Buffer.alloc(mebibyte, "e"));
    log.close();
    const rest = readFileSync(path).subarray(head * mebibyte - 1);
    expect(inShort(rest)).toBe(`x\n[1 bytes are left out here]\n<${mebibyte} e>`);
  });

  test("what is written from the same memory again stays what it was", () => {
    const { log, end } = fullLog();
    const memory = Buffer.from("one ");
    log.write(memory);
    memory.write("two ");
    log.write(memory);
    expect(end()).toBe("one two ");
  });
});
