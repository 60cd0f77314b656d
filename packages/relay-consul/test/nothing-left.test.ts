import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { startSilentServer } from "../../../scripts/databases/silent-server.js";

test("whatever an agent does, closing leaves nothing that keeps the process alive", async () => {
  const silent = await startSilentServer();
  onTestFinished(() => silent.close());
  const addresses = ["http", "https"].flatMap((scheme) => [
    `${scheme}://127.0.0.1:${silent.port}`,
    `${scheme}://127.0.0.1:1`,
  ]);
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, JSON.stringify(addresses)], {
    cwd: new URL("..", import.meta.url),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  expect(await once(child, "close")).toEqual([0, null]);
  expect(JSON.parse(output)).toEqual([]);
});

/** Waits for silent agents, and closes when all that refuse have done so; tells what is left. */
const program = `
import { createStoreContext } from "@wye/relay/testing";
import { consulStore } from "@wye/relay-consul";
const active = () => process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap");
const turn = () => new Promise(setImmediate);
const { signal } = new AbortController();
const stores = JSON.parse(process.argv[1]).map((address) => consulStore({ address })(createStoreContext()));
let settled = 0;
for (const store of stores) void store.read(signal).catch(() => {}).finally(() => settled++);
const sockets = () => active().filter((name) => name === "TCPSocketWrap").length;
// On a slow machine some have given up before all are there.
for (let turns = 0; turns < 10_000 && (settled < stores.length / 2 || sockets() < stores.length / 2); turns++) await turn();
for (const store of stores) await store.close();
for (let turns = 0; turns < 1000 && active().length > 0; turns++) await turn();
process.stdout.write(JSON.stringify(active()));
`;
