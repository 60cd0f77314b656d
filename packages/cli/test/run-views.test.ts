import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { run } from "../src/index.js";
import { folderWith, shellPipeline, wye } from "./run-program.js";

test("in a terminal what a task prints is seen while it runs", async () => {
  const wait = `for i in $(seq 100); do [ -e "$GO" ] && break; sleep 0.1; done`;
  const { cwd } = folderWith({});
  const go = join(cwd, "go");
  writeFileSync(
    join(cwd, "loud.json"),
    shellPipeline(`echo I am loud; GO='${go}'; ${wait}; printf done > "$1"`),
  );
  let [shown, out, wasSeen] = ["", "", false];
  const code = await run(["pipeline", "run", "loud.json"], {
    cwd,
    env: {},
    readInput: async () => new Uint8Array(),
    interrupted: new AbortController().signal,
    out: { write: (text) => (out += text) },
    err: {
      isTTY: true,
      columns: 100,
      rows: 20,
      write(text: string, done?: () => void) {
        shown += text;
        done?.();
        if (wasSeen || !shown.includes("I am loud")) return;
        wasSeen = true;
        writeFileSync(go, "");
      },
    },
  });
  expect([code, out, wasSeen]).toEqual([0, 'out = "done"\n', true]);
});

test("in a terminal nothing is drawn any more when what the pipeline has made cannot be printed", async () => {
  const timers = { set: vi.spyOn(globalThis, "setInterval"), clear: vi.spyOn(globalThis, "clearInterval") };
  onTestFinished(() => {
    for (const one of Object.values(timers)) one.mockRestore();
  });
  const { cwd } = folderWith({ "good.json": shellPipeline(`printf done > "$1"`) });
  let shown = "";
  const code = await run(["pipeline", "run", "good.json"], {
    cwd,
    env: {},
    readInput: async () => new Uint8Array(),
    interrupted: new AbortController().signal,
    out: {
      write() {
        throw new Error("it is closed");
      },
    },
    err: { isTTY: true, columns: 100, rows: 20, write: (text) => (shown += text) },
  });
  expect([code, shown]).toEqual([2, expect.stringContaining("it is closed")]);
  const frames = timers.set.mock.results.filter((_, index) => timers.set.mock.calls[index]?.[1] === 100);
  expect(frames).toHaveLength(1);
  expect(timers.clear).toHaveBeenCalledWith(frames[0]?.value);
});

test.each([
  [{}, false],
  [{ FORCE_COLOR: "1" }, false],
  [{ NO_COLOR: "1" }, true],
])("with %j, and %s for a terminal, a line is printed for each change", async (env, isTTY) => {
  const { cwd } = folderWith({ "good.json": shellPipeline(`printf done > "$1"`) });
  let shown = "";
  const code = await run(["pipeline", "run", "good.json"], {
    cwd,
    env,
    readInput: async () => new Uint8Array(),
    interrupted: new AbortController().signal,
    out: { write: () => undefined },
    err: { isTTY, columns: 100, rows: 20, write: (text) => (shown += text) },
  });
  expect(code).toBe(0);
  expect(shown).not.toContain("\u001b");
  expect(shown).toMatch(/^ +\d+\.\d s {2}> only: started\n/);
});

test("with --json nothing is printed but lines of JSON", async () => {
  const host = folderWith({ "loud.json": shellPipeline(`echo "I am loud"; printf done > "$1"`) });
  const { code, out, err } = await wye(["pipeline", "run", "loud.json", "--json"], host);
  expect([code, err]).toEqual([0, ""]);
  const lines = out.trim().split("\n");
  expect(lines.length).toBeGreaterThan(2);
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
    state: "SUCCEEDED",
    outputs: { parameters: { out: "done" } },
  });
});

test.each([[[]], [["--json"]]])("why there is no run is told in a line, with %j, too", async (more) => {
  const host = folderWith({ "good.json": shellPipeline(`printf done > "$1"`) });
  const ended = await wye(["pipeline", "run", "good.json", "--resume", "x", ...more], host);
  expect([ended.code, ended.out]).toEqual([2, ""]);
  expect(ended.err).toMatch(/^wye: there is no run to resume: there is no folder [^\n]*\n$/);
});
