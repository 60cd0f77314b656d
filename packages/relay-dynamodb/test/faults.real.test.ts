import { DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import { onTestFinished, test } from "vitest";
import { followHistories } from "../../../scripts/databases/follow-histories.js";
import { dynamoDbStore } from "../src/index.js";
import { localConnection, startLocalDatabase } from "./test-database.js";

const { WYE_DYNAMODB_LOCAL, WYE_WITHOUT_DYNAMODB: reason } = process.env;

test.skipIf(reason !== undefined)(
  `1,000 histories over a bad network: nothing waits, no update is lost, the status is right at last${reason === undefined ? "" : `, left out: ${reason}`}`,
  async () => {
    const local = await startLocalDatabase(WYE_DYNAMODB_LOCAL ?? "");
    onTestFinished(() => local.stop());
    await local.createTable("flags");
    let mayWrite = true;
    const database = {
      port: local.port,
      store(port: number) {
        const client = new DynamoDBClient({ ...localConnection(port), maxAttempts: 1 });
        onTestFinished(() => client.destroy());
        // The program for tests knows no rights: who may not write is told so on the way.
        client.middlewareStack.add(
          (next, { commandName = "" }) =>
            async (args) => {
              if (!mayWrite && /Put|Write|Update/.test(commandName)) throw new Error("AccessDenied");
              return await next(args);
            },
          { step: "finalizeRequest" },
        );
        return dynamoDbStore({ table: "flags", prefix: ({ environment }) => environment, client });
      },
      async contents(environment: string) {
        const { Items = [] } = await local.client.send(
          new QueryCommand({
            TableName: "flags",
            ConsistentRead: true,
            KeyConditionExpression: "#namespace = :namespace",
            ExpressionAttributeNames: { "#namespace": "namespace" },
            ExpressionAttributeValues: { ":namespace": { S: `${environment}:features` } },
          }),
        );
        return Object.fromEntries(Items.map(({ key, item }) => [key?.S ?? "", item?.S ?? ""]));
      },
      async refuseWrites(refuse: boolean) {
        mayWrite = !refuse;
      },
    };
    await followHistories(database, { environments: 20, rounds: 50, seed: 22 });
  },
);
