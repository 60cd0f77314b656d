import { expect, onTestFinished, test } from "vitest";
import { runAlone } from "../../../scripts/databases/run-alone.js";
import { startSilentServer } from "../../../scripts/databases/silent-server.js";
import { ways } from "./ways.js";

test("whatever the servers do, closing leaves nothing that keeps the process alive", async () => {
  const silent = await startSilentServer();
  onTestFinished(() => silent.close());
  const options = Object.values(ways).map((way) => ({ silent: way(silent.port), refused: way(1) }));
  expect(await runAlone(program, options, new URL("..", import.meta.url))).toEqual([]);
});

/** Waits for silent servers, and between two attempts for those that refuse, and closes; tells what is left. */
const program = `
import { createStoreContext } from "@wye/relay/testing";
import { redisStore } from "@wye/relay-redis";
const active = () => process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap");
const turn = () => new Promise(setImmediate);
const signal = new AbortController().signal;
const settled = [];
const stores = JSON.parse(process.argv[1]).map((ways) => {
  const [silent, refused] = [ways.silent, ways.refused].map((way) => redisStore(way)(createStoreContext()));
  silent.read(signal).catch(() => {});
  settled.push(refused.read(signal).catch(() => {}));
  return [silent, refused];
}).flat();
await Promise.all(settled);
const sockets = () => active().filter((name) => name === "TCPSocketWrap").length;
// On a slow machine some have given up before all are there.
for (let turns = 0; turns < 10_000 && sockets() < stores.length / 2; turns++) await turn();
for (const store of stores) await store.close();
for (let turns = 0; turns < 1000 && active().length > 0; turns++) await turn();
process.stdout.write(JSON.stringify(active()));
`;
