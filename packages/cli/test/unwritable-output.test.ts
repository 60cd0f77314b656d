import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { built } from "../../../scripts/built.js";
import { freePort } from "../../../scripts/databases/free-port.js";
import { eventually } from "./relay-and-upstream.js";
import { makeFolder } from "./run-program.js";

// Outputs that fail can only be had of the program as it is installed.
const program = built(new URL("..", import.meta.url), "main.js");

/** A relay whose output is a pipe that nobody reads, or a file. */
function startRelay(cwd: string, port: number, out: "pipe" | number) {
  const args = [program, "relay", "--dev", "flags.json", "--port", String(port)];
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ["ignore", out, "pipe"],
    env: { PATH: process.env.PATH },
  });
  child.stdout?.destroy();
  let told = "";
  child.stderr?.on("data", (chunk) => {
    told += chunk;
  });
  const ended = once(child, "close").then(([code]) => code);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, ended, told: () => told };
}

const outputs: Readonly<Record<string, () => "pipe" | number>> = {
  "a pipe whose reader has gone": () => "pipe",
  ...(existsSync("/dev/full") ? { "a disk that is full": () => openSync("/dev/full", "w") } : {}),
};

describe("a relay whose log cannot be written serves until it is asked to end", () => {
  for (const [name, open] of Object.entries(outputs))
    test(name, { timeout: 300_000 }, async () => {
      const cwd = makeFolder();
      writeFileSync(join(cwd, "flags.json"), '{"flagValues":{"a":true}}');
      const port = await freePort();
      const out = open();
      const { child, ended, told } = startRelay(cwd, port, out);
      if (typeof out === "number") closeSync(out);
      const poll = () =>
        fetch(`http://127.0.0.1:${port}/sdk/flags`, { headers: { authorization: "sdk-dev" } }).then(
          ({ status }) => status,
          String,
        );
      await eventually(poll, (status) => status === 200);
      expect(await poll()).toBe(200);
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
      expect(told()).toMatch(/^wye: lines are lost: .*(?:EPIPE|ENOSPC).*\n$/);
    });
});

/** What a pipe has now, if that is anything. */
function taken(reader: number, most = 64 * 1024): string {
  const buffer = Buffer.alloc(most);
  try {
    return buffer.toString("utf8", 0, readSync(reader, buffer));
  } catch {
    return "";
  }
}

/** A relay that has far more to say than a pipe has room for, and what reads from that pipe. */
async function startTalkative() {
  const cwd = makeFolder();
  const port = await freePort();
  const write = (more: string) =>
    writeFileSync(
      join(cwd, "relay.conf"),
      `[Main]\nstreamUri = http://127.0.0.1:1\n[Environment "p"]\nsdkKey = sdk-p\n[Wye]\ndrainTimeout = 1s\n${more}`,
    );
  write("");
  const pipe = join(cwd, "log");
  execFileSync("mkfifo", [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, "w");
  const args = [program, "relay", "--config", "relay.conf", "--port", String(port)];
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", writer, writer], env: {} });
  closeSync(writer);
  const ended = once(child, "exit").then(([code]) => code);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    closeSync(reader);
  });
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/status`).then(
      ({ status }) => status,
      () => undefined,
    );
  await eventually(ask, (status) => status === 200);
  write(Array.from({ length: 5000 }, (_, index) => `unknownSetting${index} = 1\n`).join(""));
  child.kill("SIGHUP");
  await eventually(
    async () => taken(reader),
    (text) => text.includes("unknownSetting"),
  );
  return { child, ended, reader, ask };
}

test("a relay whose log nobody takes serves, and ends when it is asked to", {
  timeout: 300_000,
}, async () => {
  const { child, ended, reader, ask } = await startTalkative();
  expect(await ask()).toBe(200);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  const last = taken(reader);
  expect(last).toContain("unknownSetting");
  expect(last).not.toContain("asked to end");
});

test("a relay whose log is taken bit by bit ends when all of it is taken", { timeout: 300_000 }, async () => {
  const { child, ended, reader } = await startTalkative();
  child.kill("SIGTERM");
  let text = "";
  for (let code: unknown; code === undefined; ) {
    text += taken(reader, 16 * 1024);
    const pause = new Promise<undefined>((resolve) => setTimeout(resolve, 20));
    code = await Promise.race([ended, pause]);
  }
  for (let more = taken(reader); more !== ""; more = taken(reader)) text += more;
  expect(text).toContain("unknownSetting4999");
  expect(text).toContain("INFO: ended\n");
});
