import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { messageOf } from "@wye/relay";
import { afterAll, beforeAll } from "vitest";
import { freePort } from "../../../scripts/databases/free-port.js";
import { until } from "../../../scripts/databases/until.js";
import { connectTo, type DirectClient } from "./fixtures.js";

/** A Redis of the test's own on loopback. */
export interface RedisServer {
  readonly port: number;
  /** Ends it the hard way. What it was told to keep is there again after `start`, its flags and memberships are not. */
  crash(): Promise<void>;
  /** Starts it again after `crash`, at the same port. */
  start(): Promise<void>;
  /** Ends it for good, and leaves nothing behind. */
  stop(): Promise<void>;
  /** Halts or continues the process: connections stay open and nobody answers. */
  signal(name: "SIGSTOP" | "SIGCONT"): void;
}

/** Starts `redis-server` with these lines of configuration and waits until it accepts connections. */
export async function startRedis(lines: readonly string[] = []): Promise<RedisServer> {
  return await run([], ['save ""', "appendonly no", ...lines], /Ready to accept connections/);
}

/** A Redis for all tests of a file, and a client beside the stores. */
export interface SharedRedis {
  readonly port: number;
  readonly direct: DirectClient;
}

/** Starts it before the tests and ends it after them. */
export function shareRedis(): SharedRedis {
  let server: RedisServer;
  let direct: DirectClient;
  beforeAll(async () => {
    server = await startRedis();
    direct = await connectTo(server.port);
  });
  afterAll(async () => {
    direct.destroy();
    await server.stop();
  });
  return {
    get port() {
      return server.port;
    },
    get direct() {
      return direct;
    },
  };
}

/** Starts a sentinel that watches a leader under the name `leader`. */
export async function startSentinel(
  leaderPort: number,
  quorum: number,
  password: string,
): Promise<RedisServer> {
  const lines = [
    `sentinel monitor leader 127.0.0.1 ${leaderPort} ${quorum}`,
    `sentinel auth-pass leader ${password}`,
    "sentinel down-after-milliseconds leader 1000",
    "sentinel failover-timeout leader 5000",
  ];
  return await run(["--sentinel"], lines, /Sentinel ID is/);
}

/** Somebody else may have taken the port since it was free: then another one is tried. */
async function run(flags: readonly string[], lines: readonly string[], ready: RegExp): Promise<RedisServer> {
  for (let left = 10; ; left--) {
    try {
      return await runAt(await freePort(), flags, lines, ready);
    } catch (error) {
      if (left === 0 || !messageOf(error).includes("Address already in use")) throw error;
    }
  }
}

async function runAt(
  port: number,
  flags: readonly string[],
  lines: readonly string[],
  ready: RegExp,
): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "wye-redis-"));
  const configuration = join(folder, "redis.conf");
  writeFileSync(configuration, [`port ${port}`, "bind 127.0.0.1", `dir ${folder}`, ...lines, ""].join("\n"));
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn("redis-server", [configuration, ...flags]);
    child = started;
    const output: string[] = [];
    createInterface({ input: started.stdout }).on("line", (line) => void output.push(line));
    let end: string | undefined;
    started.once("error", (error) => {
      end = messageOf(error);
    });
    started.once("close", (code) => {
      end = `ended with ${code}`;
    });
    await until(
      async () => {
        if (end !== undefined) throw new Error(`redis-server: ${end}:\n${output.join("\n")}`);
        return output;
      },
      (lines) => lines.some((line) => ready.test(line)),
    );
  }

  async function crash(): Promise<void> {
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    // Followers keep under this name what they were given.
    rmSync(join(folder, "dump.rdb"), { force: true });
  }

  async function stop(): Promise<void> {
    await crash();
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, crash, start, stop, signal: (name) => void child?.kill(name) };
}
