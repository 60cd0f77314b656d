import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { FlagStoreFactory } from "@wye/relay";
import { consulStore } from "@wye/relay-consul";
import { dynamoDbStore } from "@wye/relay-dynamodb";
import { redisStore } from "@wye/relay-redis";
import { onTestFinished } from "vitest";

/** A database in which a relay and an SDK meet. */
export interface TestDatabase {
  readonly name: "redis" | "dynamodb" | "consul";
  /** Why it is left out; `undefined` if it is not. */
  readonly missing: string | undefined;
  /** Starts it, or finds it, for the test. */
  start(prefix: string): Promise<{ readonly address: string; readonly store: FlagStoreFactory }>;
}

const { WYE_REDIS_URL, WYE_CONSUL, WYE_DYNAMODB_LOCAL, WYE_WITHOUT_DYNAMODB } = process.env;

export const databases: readonly TestDatabase[] = [
  {
    name: "redis",
    missing: undefined,
    async start(prefix) {
      if (WYE_REDIS_URL === undefined)
        throw new Error("WYE_REDIS_URL has to name a Redis; .ci/run starts one");
      return { address: WYE_REDIS_URL, store: redisStore({ url: WYE_REDIS_URL, prefix }) };
    },
  },
  {
    name: "dynamodb",
    missing: WYE_WITHOUT_DYNAMODB,
    async start(prefix) {
      const folder = WYE_DYNAMODB_LOCAL ?? "";
      const port = await freePort();
      const runner = "com.amazonaws.services.dynamodbv2.local.main.ServerRunner";
      const parameters = ["-cp", join(folder, "*"), runner, "-inMemory", "-port", String(port)];
      const child = run("java", [`-Djava.library.path=${folder}`, ...parameters]);
      const address = `http://127.0.0.1:${port}`;
      const connect = {
        endpoint: address,
        region: "us-east-1",
        credentials: { accessKeyId: "local", secretAccessKey: "local" },
      };
      await until(child, async () => (await fetch(address)).status > 0);
      await createTable(new DynamoDBClient(connect));
      return { address, store: dynamoDbStore({ table: "flags", prefix, connect }) };
    },
  },
  {
    name: "consul",
    missing: WYE_CONSUL === undefined ? "WYE_CONSUL names no program, and Debian has none" : undefined,
    async start(prefix) {
      const [http, server, serf_lan, serf_wan] = [
        await freePort(),
        await freePort(),
        await freePort(),
        await freePort(),
      ];
      const ports = { http, server, serf_lan, serf_wan, grpc: -1, grpc_tls: -1, dns: -1 };
      const child = run(WYE_CONSUL ?? "", ["-dev", "-bind", "127.0.0.1", "-hcl", JSON.stringify({ ports })]);
      const address = `http://127.0.0.1:${http}`;
      await until(child, async () =>
        (await (await fetch(`${address}/v1/status/leader`)).text()).includes(":"),
      );
      return { address, store: consulStore({ address, prefix }) };
    },
  },
];

async function createTable(client: DynamoDBClient): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: "flags",
      AttributeDefinitions: [
        { AttributeName: "namespace", AttributeType: "S" },
        { AttributeName: "key", AttributeType: "S" },
      ],
      KeySchema: [
        { AttributeName: "namespace", KeyType: "HASH" },
        { AttributeName: "key", KeyType: "RANGE" },
      ],
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
  client.destroy();
}

/** Runs a program until the test ends. */
function run(program: string, parameters: readonly string[]): ChildProcess {
  const child = spawn(program, parameters, { cwd: tmpdir(), stdio: "ignore" });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  return child;
}

async function until(child: ChildProcess, enough: () => Promise<boolean>): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    // Not yet listening.
    if (await enough().catch(() => false)) return;
    await pause(100);
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  probe.close();
  await once(probe, "close");
  return address.port;
}
