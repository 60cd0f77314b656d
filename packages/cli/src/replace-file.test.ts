import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeFolder } from "../test/run-program.js";
import { replaceFile } from "./replace-file.js";

describe("a file that is replaced", () => {
  it("is there with the new text, and nothing is left beside it", async () => {
    const path = join(makeFolder(), "a.json");
    await replaceFile(path, "1");
    await replaceFile(path, "22");
    expect(readFileSync(path, "utf8")).toBe("22");
    expect(readdirSync(join(path, ".."))).toEqual(["a.json"]);
  });

  it("is another one: whoever has it open goes on reading the old text", async () => {
    const path = join(makeFolder(), "a.json");
    writeFileSync(path, "old");
    const before = statSync(path).ino;
    await replaceFile(path, "new");
    expect(statSync(path).ino).not.toBe(before);
  });

  it("keeps its mode, and the link through which it is named", async () => {
    const folder = makeFolder();
    const [path, link] = [join(folder, "real.json"), join(folder, "link.json")];
    writeFileSync(path, "old");
    chmodSync(path, 0o640);
    symlinkSync("real.json", link);
    await replaceFile(link, "new");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["new", 0o640]);
  });

  it.each([0o2664, 0o1600, 0o600, 0o400])("keeps every bit of its mode: %i", async (mode) => {
    const path = join(makeFolder(), "a.json");
    writeFileSync(path, "old");
    chmodSync(path, mode);
    const before = statSync(path).ino;
    await replaceFile(path, "new");
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o7777]).toEqual(["new", mode]);
    expect(statSync(path).ino).not.toBe(before);
  });

  it("stays when it cannot be written, without anything beside it", async () => {
    const folder = makeFolder();
    const path = join(folder, "a.json");
    writeFileSync(path, "old");
    // Stands for a full disk: it is refused when the file beside has been opened.
    await expect(replaceFile(path, Symbol("no text") as unknown as string)).rejects.toThrow(TypeError);
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a.json"]);
  });

  it("is not made where there is no folder, and a folder stays one", async () => {
    const folder = makeFolder();
    await expect(replaceFile(join(folder, "no", "a.json"), "1")).rejects.toThrow("ENOENT");
    mkdirSync(join(folder, "sub"));
    await expect(replaceFile(join(folder, "sub"), "1")).rejects.toThrow("EISDIR");
    expect(existsSync(join(folder, "sub"))).toBe(true);
  });

  // Windows has no such pipes.
  it.runIf(process.platform !== "win32")(
    "may be no file, such as a pipe, which is written into",
    async () => {
      const path = join(makeFolder(), "pipe");
      execFileSync("mkfifo", [path]);
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      onTestFinished(() => closeSync(reader));
      await replaceFile(path, "1");
      expect(readFileSync(reader, "utf8")).toBe("1");
      expect([lstatSync(path).isFIFO(), readdirSync(join(path, ".."))]).toEqual([true, ["pipe"]]);
    },
  );
});
