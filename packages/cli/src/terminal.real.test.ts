import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shellPipeline } from "../test/run-program.js";

// Every command as people meet it: in a narrow terminal, in a pipe that is closed, and interrupted from the keyboard.
const program = built(new URL("..", import.meta.url), "main.js");
const catalogue = fileURLToPath(new URL("../../vehicle-catalogue/testdata/ev-data.json", import.meta.url));
const server = ["--host", "http://127.0.0.1:1"];

/** Runs a program in a terminal of 40 columns, and types Ctrl-C when it has printed what the first argument says. */
const terminal = `
import fcntl, os, pty, select, struct, sys, termios
mark = sys.argv[1].encode()
pid, screen = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 12, 40, 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
printed = b""
while True:
    try:
        some = os.read(screen, 65536)
    except OSError:
        break
    printed += some
    if mark and mark in printed:
        os.write(screen, b"\\x03")
        mark = b""
sys.stdout.buffer.write(printed)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

import { built } from "../../../scripts/built.js";

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "wye-terminal-"));
  writeFileSync(join(cwd, "good.json"), shellPipeline(`printf done > "$1"`));
  writeFileSync(join(cwd, "failing.json"), shellPipeline("echo oh; exit 3"));
  writeFileSync(join(cwd, "long.json"), shellPipeline("echo begun; sleep 1000"));
  writeFileSync(join(cwd, "bad.json"), `{"pipelineInfo": {"nmae": "x"}}`);
  writeFileSync(join(cwd, "flags.yaml"), "my-flag: true\n");
  copyFileSync(catalogue, join(cwd, "ev-data.json"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

function inTerminal(args: readonly string[], env: Readonly<Record<string, string>>, mark = "") {
  const command = ["-c", terminal, mark, process.execPath, program, ...args];
  const { NO_COLOR: _, FORCE_COLOR: __, ...others } = process.env;
  return spawnSync("python3", command, {
    cwd,
    encoding: "utf8",
    env: { ...others, TERM: "xterm", ...env },
    timeout: 500_000,
  });
}

/** Each command, and how it ends. */
const commands: readonly { readonly code: number; readonly args: readonly string[] }[] = [
  { code: 0, args: ["--help"] },
  { code: 2, args: [] },
  { code: 0, args: ["--version"] },
  { code: 0, args: ["help", "pipeline", "run"] },
  { code: 2, args: ["pipeline", "chekc"] },
  { code: 0, args: ["pipeline", "check", "good.json"] },
  { code: 1, args: ["pipeline", "check", "bad.json"] },
  { code: 0, args: ["pipeline", "print", "good.json"] },
  { code: 0, args: ["pipeline", "graph", "good.json"] },
  { code: 0, args: ["pipeline", "explain"] },
  { code: 0, args: ["pipeline", "explain", "task-cycle"] },
  { code: 0, args: ["pipeline", "run", "good.json"] },
  { code: 1, args: ["pipeline", "run", "failing.json"] },
  { code: 0, args: ["pipeline", "export", "good.json", "--to", "argo"] },
  { code: 2, args: ["pipeline", "submit", "good.json", ...server] },
  { code: 2, args: ["pipeline", "runs", ...server] },
  { code: 2, args: ["pipeline", "wait", "x", ...server] },
  { code: 2, args: ["pipeline", "logs", "x", ...server] },
  { code: 2, args: ["pipeline", "cancel", "x", ...server] },
  { code: 0, args: ["relay", "--version"] },
  { code: 0, args: ["relay", "--dev", "flags.yaml", "--check"] },
  { code: 1, args: ["relay", "--config", "none.conf"] },
  { code: 0, args: ["vehicles", "check", "ev-data.json"] },
  { code: 0, args: ["vehicles", "search", "ev-data.json", "ID3"] },
  { code: 0, args: ["vehicles", "import", "ev-data.json", "--to", "-"] },
  { code: 2, args: ["vehicles", "serve", "ev-data.json"] },
  { code: 0, args: ["completion", "bash"] },
];

describe.each(commands)("wye $args, which ends with $code,", ({ code, args }) => {
  test("in a narrow terminal, coloured or not", () => {
    for (const env of [{}, { NO_COLOR: "1" }]) {
      const { status, stdout } = inTerminal(args, env);
      expect([status, stdout]).toEqual([code, expect.not.stringMatching(/should not have happened|\n +at /)]);
      expect(stdout.includes("\u001b[") && "NO_COLOR" in env).toBe(false);
    }
  });

  test("when its reader has seen enough, and nothing can be read", () => {
    const line = `exec 0<&-; "$@" 2> errors | head -c 1 > /dev/null; echo "\${PIPESTATUS[0]}"; cat errors`;
    const command = ["-c", line, "bash", process.execPath, program, ...args];
    const [ended = "", ...errors] = execFileSync("bash", command, { cwd, encoding: "utf8" }).split("\n");
    expect(Number(ended)).toBe(code);
    expect(errors.join("\n")).not.toMatch(/EPIPE|should not have happened|\n +at /);
  });
});

test.each([
  ["a run", 130, ["pipeline", "run", "long.json"], "begun", "cancelled"],
  ["a watch", 0, ["pipeline", "check", "good.json", "--watch"], "watching", "watching"],
  ["a relay", 0, ["relay", "--dev", "flags.yaml", "--port", "0"], "the SDK key is", "ended"],
  [
    "workers",
    0,
    ["relay", "--dev", "flags.yaml", "--port", "0", "--workers", "2"],
    "the SDK key is",
    "ended",
  ],
  ["a catalogue", 0, ["vehicles", "serve", "ev-data.json", "--port", "0"], "described", "described"],
] as const)("Ctrl-C ends %s gently", (_, code, args, mark, last) => {
  const { status, stdout } = inTerminal(args, { WYE_VEHICLE_KEYS: "k" }, mark);
  expect([status, stdout]).toEqual([code, expect.stringContaining(last)]);
});
