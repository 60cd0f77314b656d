import { createConnection } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "./run.js";
import { root } from "./workspace.js";

test("Redis answers at WYE_REDIS_URL", async () => {
  const { hostname, port } = new URL(process.env.WYE_REDIS_URL ?? "unset:WYE_REDIS_URL");
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = createConnection(Number(port), hostname, () => socket.write("PING\r\n"));
    socket.once("data", (data) => {
      socket.destroy();
      resolve(data.toString());
    });
    socket.once("error", reject);
  });
  expect(answer).toBe("+PONG\r\n");
});

test("WYE_CHROMIUM names a Chromium that starts", async () => {
  const { stdout } = await run(process.env.WYE_CHROMIUM ?? "WYE_CHROMIUM is unset", ["--version"], {
    cwd: root,
  });
  expect(stdout).toMatch(/^Chromium \d+/);
});

test("WYE_POSTGRES_BIN names the programs of a PostgreSQL", async () => {
  const { WYE_POSTGRES_BIN: programs = "WYE_POSTGRES_BIN is unset" } = process.env;
  const { stdout } = await run(join(programs, "postgres"), ["--version"], { cwd: root });
  expect(stdout).toMatch(/^postgres \(PostgreSQL\) \d+/);
});
