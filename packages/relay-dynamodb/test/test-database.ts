import { setImmediate as turn } from "node:timers/promises";
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
} from "@aws-sdk/client-dynamodb";
import { startDynamoDbLocal } from "../../../scripts/databases/dynamodb-local.js";

/** A database of the test's own on loopback that speaks like DynamoDB. */
export interface TestDatabase {
  readonly connect: DynamoDBClientConfig;
  readonly client: DynamoDBClient;
  /** Makes a table as the documentation asks for. */
  createTable(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** How to reach one that takes any credentials. */
export function localConnection(port: number): DynamoDBClientConfig {
  return {
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  };
}

/** Starts DynamoDB's own program for tests. */
export async function startLocalDatabase(folder: string): Promise<TestDatabase & { readonly port: number }> {
  const { port, stop } = await startDynamoDbLocal(folder);
  return { port, ...testDatabase(localConnection(port), stop) };
}

/** What tests need of a database that was started. */
export function testDatabase(
  connect: DynamoDBClientConfig,
  stop: () => Promise<void>,
  client: DynamoDBClient = new DynamoDBClient(connect),
): TestDatabase {
  return {
    connect,
    client,
    async createTable(name) {
      await client.send(
        new CreateTableCommand({
          TableName: name,
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
      // A table that is still being made is not found.
      const describe = new DescribeTableCommand({ TableName: name });
      while ((await client.send(describe)).Table?.TableStatus !== "ACTIVE") await turn();
    },
    async stop() {
      client.destroy();
      await stop();
    },
  };
}
