import { expect, onTestFinished, test } from "vitest";
import { runAlone } from "../../../scripts/databases/run-alone.js";
import { startSilentServer } from "../../../scripts/databases/silent-server.js";

test("whatever an agent does, closing leaves nothing that keeps the process alive", async () => {
  const silent = await startSilentServer();
  onTestFinished(() => silent.close());
  const addresses = ["http", "https"].flatMap((scheme) => [
    `${scheme}://127.0.0.1:${silent.port}`,
    `${scheme}://127.0.0.1:1`,
  ]);
  expect(await runAlone(program, addresses, new URL("..", import.meta.url))).toEqual([]);
});

test.each(["http", "https"])(
  "what is given up and asked again beforehand leaves nothing either, by %s",
  async (scheme) => {
    const silent = await startSilentServer();
    onTestFinished(() => silent.close());
    const address = `${scheme}://127.0.0.1:${silent.port}`;
    expect(await runAlone(givingUp, address, new URL("..", import.meta.url))).toEqual([]);
  },
);

const common = `
import { createStoreContext } from "@wye/relay/testing";
import { consulStore } from "@wye/relay-consul";
const active = () => process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap");
const sockets = () => active().filter((name) => name === "TCPSocketWrap").length;
const turn = () => new Promise(setImmediate);
async function tellWhatIsLeft() {
  for (let turns = 0; turns < 1000 && active().length > 0; turns++) await turn();
  process.stdout.write(JSON.stringify(active()), () => process.exit());
}
`;

/** Waits for silent agents, and closes when all that refuse have done so; tells what is left. */
const program = `${common}
const { signal } = new AbortController();
const stores = JSON.parse(process.argv[1]).map((address) => consulStore({ address })(createStoreContext()));
let settled = 0;
for (const store of stores) void store.read(signal).catch(() => {}).finally(() => settled++);
// On a slow machine some have given up before all are there.
for (let turns = 0; turns < 10_000 && (settled < stores.length / 2 || sockets() < stores.length / 2); turns++) await turn();
for (const store of stores) await store.close();
await tellWhatIsLeft();
`;

/** Gives up what it asks of a silent agent, asks again at once, and closes: with more and more time between. */
const givingUp = `${common}
for (let between = 0; between < 20; between++) {
  const store = consulStore({ address: JSON.parse(process.argv[1]) })(createStoreContext());
  const before = sockets();
  let asking = new AbortController();
  const ask = () => void store.read(asking.signal).catch(() => {});
  ask();
  for (let turns = 0; turns < 10_000 && sockets() === before; turns++) await turn();
  for (let turns = 0; turns < between; turns++) await turn();
  asking.abort();
  asking = new AbortController();
  ask();
  for (let turns = 0; turns < between; turns++) await turn();
  asking.abort();
  await store.close();
}
await tellWhatIsLeft();
`;
