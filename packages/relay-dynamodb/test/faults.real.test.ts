import {
  BatchWriteItemCommand,
  DynamoDBClient,
  ProvisionedThroughputExceededException,
  PutItemCommand,
  QueryCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, onTestFinished, test } from "vitest";
import { describeFaults, type TroubledDatabase } from "../../../scripts/databases/describe-faults.js";
import { followHistories } from "../../../scripts/databases/follow-histories.js";
import { dynamoDbStore } from "../src/index.js";
import { localConnection, startLocalDatabase } from "./test-database.js";

const { WYE_DYNAMODB_LOCAL, WYE_WITHOUT_DYNAMODB: reason } = process.env;

async function start(): Promise<TroubledDatabase> {
  const local = await startLocalDatabase(WYE_DYNAMODB_LOCAL ?? "");
  await local.createTable("flags");
  const clients: DynamoDBClient[] = [];
  let refusal: Error | undefined;

  async function rows(namespace: string) {
    const { Items = [] } = await local.client.send(
      new QueryCommand({
        TableName: "flags",
        ConsistentRead: true,
        KeyConditionExpression: "#namespace = :namespace",
        ExpressionAttributeNames: { "#namespace": "namespace" },
        ExpressionAttributeValues: { ":namespace": { S: namespace } },
      }),
    );
    return Items;
  }

  return {
    port: local.port,
    store(port) {
      const client = new DynamoDBClient({ ...localConnection(port), maxAttempts: 1 });
      clients.push(client);
      // The program for tests knows neither rights nor capacities: who may not write is told so on the way.
      client.middlewareStack.add(
        (next, { commandName = "" }) =>
          async (args) => {
            if (refusal !== undefined && /Put|Write|Update/.test(commandName)) throw refusal;
            return await next(args);
          },
        { step: "finalizeRequest" },
      );
      return dynamoDbStore({ table: "flags", prefix: ({ environment }) => environment, client });
    },
    async contents(environment) {
      const found = await rows(`${environment}:features`);
      return Object.fromEntries(found.map(({ key, item }) => [key?.S ?? "", item?.S ?? ""]));
    },
    async refuseWrites(refuse) {
      refusal = refuse ? new Error("AccessDenied") : undefined;
    },
    async fill(full) {
      refusal = full
        ? new ProvisionedThroughputExceededException({ message: "too much", $metadata: {} })
        : undefined;
    },
    async spoil(environment) {
      const Item = {
        namespace: { S: `${environment}:features` },
        key: { S: "greeting" },
        version: { S: "of somebody else" },
        item: { N: "7" },
      };
      await local.client.send(new PutItemCommand({ TableName: "flags", Item }));
    },
    async empty(environment) {
      const found = (
        await Promise.all(["features", "$inited"].map((part) => rows(`${environment}:${part}`)))
      ).flat();
      const flags = found.map(({ namespace, key }) => ({
        DeleteRequest: { Key: { namespace: namespace ?? { S: "" }, key: key ?? { S: "" } } },
      }));
      // So many go into a call.
      for (let at = 0; at < flags.length; at += 25)
        await local.client.send(
          new BatchWriteItemCommand({ RequestItems: { flags: flags.slice(at, at + 25) } }),
        );
    },
    async stop() {
      for (const client of clients) client.destroy();
      await local.stop();
    },
  };
}

describe.skipIf(reason !== undefined)(`faults${reason === undefined ? "" : `, left out: ${reason}`}`, () => {
  describeFaults(start);

  test("1,000 histories over a bad network: nothing waits, no update is lost, the status is right at last", async () => {
    const database = await start();
    onTestFinished(() => database.stop());
    await followHistories(database, { environments: 20, rounds: 50, seed: 22 });
  });
});
