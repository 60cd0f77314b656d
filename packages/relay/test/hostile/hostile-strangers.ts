import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { bundleProgram } from "../bundle-program.js";
import { flag } from "../start-relay.js";
import type { Measured, Question } from "./relay-program.js";

/** A relay in another process, in front of an upstream in this one. */
export interface Victim {
  /** Sends bytes on a connection of their own; gives the status of the first answer, or none when there is no answer. */
  send(bytes: Buffer, abortAt?: number): Promise<number | undefined>;
  /** Waits until all events have been sent, or dropped; gives what the relay has to say about the time since the last question. */
  settle(): Promise<Measured>;
  /** What the relay holds after a collection, in bytes. */
  heldBytes(): Promise<number>;
  /** What upstream got that was not an array of JSON. */
  readonly broken: readonly string[];
  /** How many events upstream got. */
  readonly received: () => number;
}

/** An upstream that reads what it gets as strictly as it can. */
async function strictUpstream() {
  const broken: string[] = [];
  let received = 0;
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk) => chunks.push(chunk));
    req.on("end", () => {
      res.writeHead(202).end();
      if (req.method !== "POST" || req.url?.includes("diagnostic")) return;
      try {
        const text = new TextDecoder("utf-8", { fatal: true }).decode(gunzipSync(Buffer.concat(chunks)));
        const events: unknown = JSON.parse(text);
        if (Array.isArray(events)) received += events.length;
        else broken.push(text.slice(0, 200));
      } catch (error) {
        broken.push(String(error));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, broken, received: () => received };
}

/** Flags of which one is large, because its work must not be done again for each event. */
const flags = JSON.stringify({
  flags: {
    a: flag("a", 1),
    large: flag("large", 1, {
      variations: Array.from({ length: 1000 }, (_, n) => ({ n, text: "x".repeat(100) })),
    }),
  },
  segments: {},
});

export async function startVictim(): Promise<Victim> {
  const upstream = await strictUpstream();
  const program = readFileSync(join(import.meta.dirname, "relay-program.ts"), "utf8");
  const file = await bundleProgram(program, import.meta.dirname);
  const child = fork(file, [upstream.url, flags], { execArgv: ["--expose-gc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let exit: string | undefined;
  const exited = once(child, "exit").then(([code, signal]) => {
    exit = `the relay has ended: ${code ?? signal}`;
    throw new Error(exit);
  });
  exited.catch(() => {});
  const answerOf = async (): Promise<unknown> => (await Promise.race([once(child, "message"), exited]))[0];
  // What the program sends first is where it listens, later what it measured.
  const { port } = (await answerOf()) as AddressInfo;

  function send(bytes: Buffer, abortAt?: number): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      if (exit !== undefined) reject(new Error(exit));
      const socket = connect(port, "127.0.0.1");
      let status: number | undefined;
      socket.on("error", () => {});
      socket.on("close", () => resolve(status));
      socket.once("data", (chunk) => {
        status = Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString("latin1"))?.[1]);
        socket.destroy();
      });
      if (abortAt === undefined) socket.write(bytes);
      else socket.write(bytes.subarray(0, abortAt), () => socket.destroy());
    });
  }

  function ask(question: Question): Promise<unknown> {
    const answer = answerOf();
    child.send(question);
    return answer;
  }

  return {
    send,
    settle: async () => (await ask("settle")) as Measured,
    heldBytes: async () => (await ask("held")) as number,
    broken: upstream.broken,
    received: upstream.received,
  };
}
