import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { built } from "../../../scripts/built.js";
import { freePort } from "../../../scripts/databases/free-port.js";

// What the image runs, without an engine: its own command as process 1 of a namespace of processes, as another user,
// in a folder that it may not write to.
const dockerfile = readFileSync(new URL("../deploy/Dockerfile", import.meta.url), "utf8");
const program = built(new URL("..", import.meta.url), "main.js");
let folder: string;
let child: ChildProcess | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wye-image-"));
});
afterAll(() => {
  if (child?.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** The command after a word of the Dockerfile, with the places of the image replaced by those of this machine. */
function commandOf(word: string): readonly string[] {
  const [, list = "[]"] = new RegExp(`${word} (\\[.*\\])`).exec(dockerfile) ?? [];
  const words: readonly string[] = JSON.parse(list);
  return words.map((one) => {
    if (one === "/nodejs/bin/node") return process.execPath;
    if (one.endsWith("/dist/main.js")) return program;
    return one === "/ldr/ld-relay.conf" ? join(folder, "ld-relay.conf") : one;
  });
}

/** The image's command as it runs. */
interface Started {
  readonly pid: number | undefined;
  /** How the image would be found: 0 when it is healthy. */
  health(): Promise<number>;
  /** Resolves with its code, when everything that it has printed is there. */
  readonly ended: Promise<number>;
  readonly printed: () => string;
}

function startOn(port: number): Started {
  const env = { PATH: process.env.PATH, PORT: `${port}`, LD_ENV_production: "sdk-0123456789" };
  const asProcessOne = ["--user", "--map-user=1000", "--pid", "--fork", "--kill-child", "--"];
  const started = spawn("unshare", [...asProcessOne, ...commandOf("ENTRYPOINT")], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child = started;
  let printed = "";
  for (const stream of [started.stdout, started.stderr])
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  return {
    pid: started.pid,
    async health() {
      const [command = "", ...args] = commandOf("CMD");
      const [code] = await once(spawn(command, args, { cwd: folder, env, stdio: "ignore" }), "exit");
      return code;
    },
    ended: once(started, "close").then(([code]) => code),
    printed: () => printed,
  };
}

/** Starts it on a port that is free. Somebody else may take that before: then on another. */
async function startHealthy(): Promise<Started> {
  for (;;) {
    const started = startOn(await freePort());
    if (await becomesHealthy(started)) return started;
    const printed = started.printed();
    if (!printed.includes("EADDRINUSE")) throw new Error(`ended with ${await started.ended}:\n${printed}`);
  }
}

/** Whether it listens and is healthy before it ends. Who else has its port may be healthy, too. */
async function becomesHealthy({ health, ended, printed }: Started): Promise<boolean> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver) if ((await health()) === 0 && printed().includes("listening on port")) return true;
  return false;
}

test("the command of the image starts as process 1 and not as root, is healthy, and ends with 0 at SIGTERM", async () => {
  const upstream = await freePort();
  writeFileSync(join(folder, "ld-relay.conf"), `[Main]\nstreamUri = http://127.0.0.1:${upstream}\n`);
  chmodSync(folder, 0o555);
  const { pid, health, ended, printed } = await startHealthy();
  // unshare itself takes no signals: they go to what it has forked.
  const [processOne] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  process.kill(Number(processOne), "SIGTERM");
  expect([await ended, printed()]).toEqual([0, expect.stringContaining("INFO: ended")]);
  expect(await health()).toBe(1);
});
