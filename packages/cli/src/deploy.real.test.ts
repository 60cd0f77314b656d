import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

// What the image runs, without an engine: its own command as process 1 of a namespace of processes, as another user,
// in a folder that it may not write to.
const dockerfile = readFileSync(new URL("../deploy/Dockerfile", import.meta.url), "utf8");
const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test("the command of the image starts as process 1 and not as root, is healthy, and ends with 0 at SIGTERM", async () => {
  const [port, upstream] = [await freePort(), await freePort()];
  writeFileSync(join(folder, "ld-relay.conf"), `[Main]\nstreamUri = http://127.0.0.1:${upstream}\n`);
  chmodSync(folder, 0o555);
  const env = { PATH: process.env.PATH, PORT: `${port}`, LD_ENV_production: "sdk-0123456789" };
  const asProcessOne = ["--user", "--map-user=1000", "--pid", "--fork", "--kill-child", "--"];
  const started = spawn("unshare", [...asProcessOne, ...commandOf("ENTRYPOINT")], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child = started;
  const ended = once(started, "exit");
  let printed = "";
  const collect = (chunk: Buffer) => {
    printed += chunk.toString();
  };
  started.stdout.on("data", collect);
  started.stderr.on("data", collect);
  const health = async () => {
    const [command = "", ...args] = commandOf("CMD");
    const [code] = await once(spawn(command, args, { cwd: folder, env, stdio: "ignore" }), "exit");
    return code;
  };
  while ((await health()) !== 0) {
    if (started.exitCode !== null) throw new Error(`ended with ${started.exitCode}:\n${printed}`);
  }
  // unshare itself takes no signals: they go to what it has forked.
  const [processOne] = readFileSync(`/proc/${started.pid}/task/${started.pid}/children`, "utf8").split(" ");
  process.kill(Number(processOne), "SIGTERM");
  expect([(await ended)[0], printed]).toEqual([0, expect.stringContaining("INFO: ended")]);
  expect(await health()).toBe(1);
});
