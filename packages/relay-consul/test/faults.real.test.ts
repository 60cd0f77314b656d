import { once } from "node:events";
import { createServer, request } from "node:http";
import { describe, onTestFinished, test } from "vitest";
import { describeFaults, type TroubledDatabase } from "../../../scripts/databases/describe-faults.js";
import { followHistories } from "../../../scripts/databases/follow-histories.js";
import { consulStore } from "../src/index.js";
import { standInTokens, startConsulStandIn } from "./consul-stand-in.js";
import { startGuardedConsul } from "./guarded-consul.js";
import { type TestConsul, testConsul } from "./test-consul.js";

const program = process.env.WYE_CONSUL;

async function startConsul(): Promise<TestConsul> {
  if (program !== undefined) return await startGuardedConsul(program);
  const { address, close } = await startConsulStandIn();
  return testConsul(address, standInTokens, close);
}

/** Hands everything on, or answers writes as a Consul does whose disk is full. */
async function startDisk(consul: string) {
  let isFull = false;
  const server = createServer((req, res) => {
    if (isFull && req.method === "PUT") {
      req.resume().on("end", () => res.writeHead(500).end("rpc error: no space left on device"));
      return;
    }
    const { method, headers } = req;
    const onward = request(consul + req.url, { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(res);
    });
    for (const side of [req, res, onward]) side.on("error", () => onward.destroy());
    res.on("close", () => onward.destroy());
    req.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return {
    port: address.port,
    fill(full: boolean) {
      isFull = full;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function start(): Promise<TroubledDatabase> {
  const consul = await startConsul();
  const disk = await startDisk(consul.address);
  let mayWrite = true;
  return {
    port: disk.port,
    store: (port) =>
      consulStore({
        address: `http://127.0.0.1:${port}`,
        prefix: ({ environment }) => environment,
        token: () => (mayWrite ? "anonymous" : consul.readOnlyToken),
      }),
    async contents(environment) {
      const folder = `${environment}/features/`;
      const entries = [...(await consul.entries())].filter(([key]) => key.startsWith(folder));
      return Object.fromEntries(entries.map(([key, text]) => [key.slice(folder.length), text]));
    },
    async refuseWrites(refuse) {
      mayWrite = !refuse;
    },
    async fill(full) {
      disk.fill(full);
    },
    spoil: (environment) => consul.set(`${environment}/features/greeting`, "of somebody else"),
    empty: (environment) => consul.remove(`${environment}/`),
    async stop() {
      disk.stop();
      await consul.stop();
    },
  };
}

// What speaks like Consul is in the same process, and takes longer.
const rounds = program === undefined ? 10 : 50;

describe(
  program === undefined ? "a server that speaks like Consul (WYE_CONSUL names none)" : "Consul",
  () => {
    describeFaults(start);

    test(`${20 * rounds} histories over a bad network: nothing waits, no update is lost, the status is right at last`, async () => {
      const database = await start();
      onTestFinished(() => database.stop());
      await followHistories(database, { environments: 20, rounds, seed: 21 });
    });
  },
);
