import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { built } from "../../../scripts/built.js";
import { shellPipeline } from "../test/run-program.js";

// The program as it is installed: a process with pipes, signals and a terminal.
const program = built(new URL("..", import.meta.url), "main.js");
let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "wye-main-"));
  writeFileSync(join(cwd, "good.json"), shellPipeline(`printf done > "$1"`));
  writeFileSync(join(cwd, "long.json"), shellPipeline("echo begun; sleep 1000"));
  writeFileSync(join(cwd, "bad.json"), `{"pipelineInfo": {"nmae": "x"}}`);
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Resolves when the file is there. */
async function appears(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("the program", () => {
  test("reads the standard input, and ends with its code", () => {
    const input = `{"pipelineInfo": {"nmae": "x"}}`;
    const ended = spawnSync(process.execPath, [program, "pipeline", "check", "-"], {
      input,
      cwd,
      encoding: "utf8",
    });
    expect([ended.status, ended.stderr]).toEqual([1, ""]);
    expect(ended.stdout).toContain("<stdin>:1:");
    expect(ended.stdout).not.toContain("\u001b");
  });

  test("prints nothing but the report, whatever a configuration logs", () => {
    const folder = join(cwd, "logging");
    mkdirSync(folder);
    const lines = 'console.log("hi"); console.table([1]); export default { rules: {} };';
    writeFileSync(join(folder, "wye.config.mjs"), lines);
    copyFileSync(join(cwd, "bad.json"), join(folder, "bad.json"));
    const ended = spawnSync(process.execPath, [program, "pipeline", "check", "bad.json", "--json"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect([JSON.parse(ended.stdout).ok, ended.stderr]).toEqual([false, expect.stringMatching(/^hi\n/)]);
  });

  test("ends quietly when its reader has seen enough", () => {
    const line = `${process.execPath} ${program} pipeline explain --json | head -c 10`;
    expect(
      execFileSync("bash", ["-o", "pipefail", "-c", line], { encoding: "utf8", stdio: "pipe" }),
    ).toHaveLength(10);
  });

  test("has colours in a terminal", () => {
    const script = `import pty,sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)`;
    const args = ["-c", script, process.execPath, program, "pipeline", "check", "bad.json"];
    const ended = spawnSync("python3", args, { cwd, encoding: "utf8" });
    expect([ended.status, ended.stdout.includes("\u001b[")]).toEqual([1, true]);
  });

  test("stops what it runs when its terminal is closed, with a report and without a lock", async () => {
    const [up, told] = [join(cwd, "up"), join(cwd, "told")];
    const line = `trap 'echo > ${told}; exit 1' TERM; echo > ${up}; while :; do sleep 0.1; done`;
    writeFileSync(join(cwd, "told.json"), shellPipeline(line));
    const args = [program, "pipeline", "run", "told.json", "--root", "hung-up", "--report", "hung-up.html"];
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
    });
    child.stdout.resume();
    await appears(up);
    child.kill("SIGHUP");
    const [code] = await once(child, "close");
    const [run = ""] = readdirSync(join(cwd, "hung-up"));
    const isLocked = existsSync(join(cwd, "hung-up", run, "run.lock"));
    expect([code, existsSync(told), isLocked]).toEqual([130, true, false]);
    expect(err).toContain("cancelled");
    expect(existsSync(join(cwd, "hung-up.html"))).toBe(true);
  });

  test.each([
    ["nohup", "nohup"],
    ["a script that ignores it", "trap '' HUP;"],
  ])("goes on when its terminal is closed and %s has started it", async (name, start) => {
    const [up, on, pid] = [join(cwd, `${name} up`), join(cwd, `${name} on`), join(cwd, `${name} pid`)];
    const wait = `echo > '${up}'; for i in $(seq 600); do [ -e '${on}' ] && break; sleep 0.1; done; printf done > "$1"`;
    writeFileSync(join(cwd, "short.json"), shellPipeline(wait));
    const line = `${start} ${process.execPath} ${program} pipeline run short.json & echo $! > '${pid}'; wait $!`;
    const child = spawn("bash", ["-c", line], { cwd, stdio: ["ignore", "pipe", "ignore"] });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    await appears(up);
    process.kill(Number(readFileSync(pid, "utf8")), "SIGHUP");
    writeFileSync(on, "");
    const [code] = await once(child, "close");
    expect([code, out]).toEqual([0, expect.stringContaining('out = "done"')]);
  });

  test("stops what it runs when it is interrupted, and ends with 130", async () => {
    const child = spawn(process.execPath, [program, "pipeline", "run", "long.json"], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    child.stderr.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      if (out.includes("only") && !child.killed) child.kill("SIGINT");
    });
    const [code] = await once(child, "exit");
    expect(code).toBe(130);
  });

  describe.each(["SIGTERM", "SIGINT"] as const)(
    "what only reads and checks ends at the first %s",
    (signal) => {
      const start = (file: string) =>
        spawn(process.execPath, [program, "pipeline", "check", file], {
          cwd,
          stdio: ["pipe", "pipe", "pipe"],
        });

      test("while it reads its input", async () => {
        const child = start("-");
        const ended = once(child, "exit");
        // More than the pipe holds: it has been taken when the program reads.
        await new Promise((resolve) => child.stdin.write("# a line\n".repeat(1_000_000), resolve));
        child.kill(signal);
        expect(await ended).toEqual([null, signal]);
      });

      test("while it waits for a file", async () => {
        const pipe = `pipe-${signal}.yaml`;
        execFileSync("mkfifo", [pipe], { cwd });
        const child = start(pipe);
        const ended = once(child, "exit");
        // Opens when there is a reader.
        const writer = await open(join(cwd, pipe), "w");
        child.kill(signal);
        expect(await ended).toEqual([null, signal]);
        await writer.close();
      });
    },
  );

  test("completes in bash what it says", () => {
    const script = execFileSync(process.execPath, [program, "completion", "bash"], { encoding: "utf8" });
    const complete = (...words: string[]) => {
      const line = `${script}\nCOMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _wye; echo "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", line], { encoding: "utf8" });
    };
    expect(complete("wye", "pipeline", "ch")).toBe("check\n");
    expect(complete("wye", "pipeline", "check", "--fo")).toBe("--format\n");
    expect(complete("wye", "pipe")).toBe("pipeline\n");
  });
});
