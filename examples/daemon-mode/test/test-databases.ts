import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { FlagStoreFactory } from "@wye/relay";
import { consulStore } from "@wye/relay-consul";
import { dynamoDbStore } from "@wye/relay-dynamodb";
import { redisStore } from "@wye/relay-redis";
import { onTestFinished } from "vitest";
import { startConsulAgent } from "../../../scripts/databases/consul-agent.js";
import { startDynamoDbLocal } from "../../../scripts/databases/dynamodb-local.js";

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
      const { port, stop } = await startDynamoDbLocal(WYE_DYNAMODB_LOCAL ?? "");
      onTestFinished(stop);
      const address = `http://127.0.0.1:${port}`;
      const connect = {
        endpoint: address,
        region: "us-east-1",
        credentials: { accessKeyId: "local", secretAccessKey: "local" },
      };
      await createTable(new DynamoDBClient(connect));
      return { address, store: dynamoDbStore({ table: "flags", prefix, connect }) };
    },
  },
  {
    name: "consul",
    missing: WYE_CONSUL === undefined ? "WYE_CONSUL names no program, and Debian has none" : undefined,
    async start(prefix) {
      const { address, stop } = await startConsulAgent(WYE_CONSUL ?? "");
      onTestFinished(stop);
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
