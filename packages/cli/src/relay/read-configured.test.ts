import { execFileSync } from "node:child_process";
import { open, readdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { makeFolder } from "../../test/run-program.js";
import { messageOf } from "../message-of.js";
import { readConfigured, readConfiguredText } from "./read-configured.js";

const limit = 4 * 1024 * 1024;

test("a file is read as it is, up to its limit", async () => {
  const folder = makeFolder();
  const file = (name: string, contents: string | Uint8Array) => {
    writeFileSync(join(folder, name), contents);
    return join(folder, name);
  };
  expect(await readConfiguredText(file("text", "é🚗\n"))).toBe("é🚗\n");
  expect(await readConfiguredText(file("empty", ""))).toBe("");
  expect([...(await readConfigured(file("bytes", Uint8Array.of(0, 255))))]).toEqual([0, 255]);
  expect((await readConfigured(file("large", new Uint8Array(limit)))).length).toBe(limit);
  await expect(readConfigured(file("larger", new Uint8Array(limit + 1)))).rejects.toThrow(
    "larger than 4 MiB",
  );
  await expect(readConfigured(join(folder, "none"))).rejects.toThrow("ENOENT");
  await expect(readConfigured(folder)).rejects.toThrow("EISDIR");
});

/** Fakes timers until `end`, and counts those that wait as long as a pipe is waited for: other things of the process may set some, too. */
function fakeTimers(): { readonly waiting: number; end(): void } {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const waits = new Set<unknown>();
  vi.stubGlobal("setTimeout", (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
    const fire = () => {
      waits.delete(timer);
      run(...given);
    };
    const timer = set(fire, ms);
    if (ms === 5000) waits.add(timer);
    return timer;
  });
  vi.stubGlobal("clearTimeout", (timer?: NodeJS.Timeout) => {
    waits.delete(timer);
    clear(timer);
  });
  const end = () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
  onTestFinished(end);
  return {
    get waiting() {
      return waits.size;
    },
    end,
  };
}

// Windows has no such pipes, nor a list of what a process has open.
describe.runIf(process.platform === "linux")("a pipe", () => {
  const makePipe = () => {
    const path = join(makeFolder(), "pipe");
    execFileSync("mkfifo", [path]);
    return path;
  };

  test("is read to its end, whenever that is written, and nobody waits any more", async () => {
    const timers = fakeTimers();
    for (const text of ["", "some", "x".repeat(limit)]) {
      const path = makePipe();
      const reading = readConfiguredText(path);
      while (timers.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
      await writeFile(path, text);
      expect(await reading).toBe(text);
      expect(timers.waiting).toBe(0);
    }
  });

  test("is read up to the limit of files", async () => {
    const path = makePipe();
    const refused = expect(readConfigured(path)).rejects.toThrow("larger than 4 MiB");
    // Whoever writes on is told that nobody reads any more.
    await expect(writeFile(path, new Uint8Array(2 * limit))).rejects.toThrow("EPIPE");
    await refused;
  });

  test("into which nobody writes to the end is waited for only so long, and nothing stays open", async () => {
    const timers = fakeTimers();
    const before = readdirSync("/proc/self/fd").length;
    const [unwritten, unended] = [makePipe(), makePipe()];
    let writer = 0;
    const said = [unwritten, unended].map((path) => readConfigured(path).catch(messageOf));
    while (timers.waiting < 2) await new Promise((resolve) => setImmediate(resolve));
    await new Promise<void>((resolve) => {
      open(unended, "w", (_, fd) => {
        writer = fd;
        resolve();
      });
    });
    writeFileSync(writer, "begun");
    vi.advanceTimersByTime(4999);
    expect(timers.waiting).toBe(2);
    vi.advanceTimersByTime(1);
    const late = "it is a pipe, and nobody has written to its end within 5 s";
    expect(await Promise.all(said)).toEqual([late, late]);
    expect(timers.waiting).toBe(0);
    timers.end();
    // That of who writes is left.
    await expect.poll(() => readdirSync("/proc/self/fd").length).toBe(before + 1);
  });
});
