import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { expect, onTestFinished } from "vitest";
import { built } from "../../../scripts/built.js";
import { eventually } from "./relay-and-upstream.js";

// Processes can only be had of the program as it is installed.
export const program = built(new URL("..", import.meta.url), "main.js");

/** A relay with workers. */
export interface Crew {
  readonly base: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly printed: () => string;
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts a relay with these arguments, and waits until its workers serve. It ends with the test. */
export async function startWorkers(cwd: string, ...args: readonly string[]): Promise<Crew> {
  return crewOf(cwd, process.execPath, [program, ...relayArgs, ...args]);
}

export const relayArgs = ["relay", "--port", "0", "--host", "127.0.0.1"];

/** As `startWorkers`, with another command. */
export async function crewOf(cwd: string, command: string, args: readonly string[]): Promise<Crew> {
  const child = spawn(command, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH },
  });
  const ended = once(child, "close").then(([code]) => code);
  let printed = "";
  const looks = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      for (const look of looks) look();
    });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const until = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(printed);
        if (found !== null) resolve(found);
      };
      looks.add(look);
      look();
      void ended.then((code) => reject(new Error(`ended with ${code} before ${pattern}:\n${printed}`)));
    });
  const [, port] = await until(/workers serve on port (\d+)/);
  return { base: `http://127.0.0.1:${port}`, child, ended, printed: () => printed, until };
}

/** The processes that a process has started. */
export const workersOf = ({ child: { pid } }: Crew) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);

/** Waits until polls are answered like this on every one of many new connections, which go to all workers in turn. */
export async function everywhere(crew: Crew, sdkKey: string, status: number): Promise<void> {
  await eventually(
    async () => statusesOf(crew, sdkKey),
    (answers) => answers.every((answer) => answer === status),
  );
}

/** Every worker accepts these keys, at once: after 401 an SDK stops for good. */
export async function accepts(crew: Crew, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const seen = new Set<number>();
    await eventually(
      async () => statusesOf(crew, key),
      (answers) => {
        for (const answer of answers) seen.add(answer);
        return seen.has(401) || answers.every((answer) => answer === 200);
      },
    );
    expect(seen).not.toContain(401);
  }
}

/** How polls are answered on each of many new connections. */
export const statusesOf = (crew: Crew, sdkKey: string, query = ""): Promise<readonly number[]> =>
  Promise.all(Array.from({ length: 12 }, () => statusOf(crew, sdkKey, query)));

/** How a poll is answered on a new connection: 0 on one that is closed. */
export const statusOf = ({ base }: Crew, sdkKey: string, query = ""): Promise<number> =>
  new Promise((resolve) => {
    const options = { agent: false, headers: { authorization: sdkKey } };
    get(`${base}/sdk/flags${query}`, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
      // A worker that has not heard yet that others have gone closes it.
    }).on("error", () => resolve(0));
  });

/** Kills a worker, and waits until another one serves in its place. */
export async function replaceOne(crew: Crew): Promise<void> {
  const listening = () => crew.printed().split("listening on port").length;
  const before = listening();
  const [pid = 0] = workersOf(crew);
  process.kill(pid, "SIGKILL");
  await eventually(
    async () => listening(),
    (now) => now > before,
  );
}

export const hourMs = 3_600_000;

/** What automatic configuration, or an archive, says of an environment. */
export function announced(n: number, rest: object = {}): Record<string, unknown> {
  return {
    envID: `env-${n}`,
    envKey: `key-${n}`,
    envName: `Name ${n}`,
    projKey: "shop",
    projName: "Shop",
    sdkKey: { value: `sdk-${n}` },
    version: 1,
    ...rest,
  };
}
