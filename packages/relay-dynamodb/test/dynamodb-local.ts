import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { localConnection, type TestDatabase, testDatabase } from "./test-database.js";

/** Starts the program whose jars are in a folder (`WYE_DYNAMODB_LOCAL`) and waits until it answers. */
export async function startDynamoDbLocal(folder: string): Promise<TestDatabase> {
  const port = await freePort();
  const parameters = [
    "com.amazonaws.services.dynamodbv2.local.main.ServerRunner",
    "-inMemory",
    "-port",
    String(port),
  ];
  const child = spawn("java", [`-Djava.library.path=${folder}`, "-cp", join(folder, "*"), ...parameters], {
    // It leaves a file where it is started.
    cwd: tmpdir(),
    stdio: "ignore",
  });
  const connect = localConnection(port);
  const client = new DynamoDBClient(connect);
  await answers(client, child);
  client.destroy();
  return testDatabase(connect, async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
}

async function answers(client: DynamoDBClient, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`DynamoDB Local ended with ${child.exitCode}`);
    try {
      await client.send(new ListTablesCommand({}));
      return;
    } catch {
      // Not yet listening.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
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
