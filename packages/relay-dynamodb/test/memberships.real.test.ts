import { DeleteItemCommand, GetItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, onTestFinished, test } from "vitest";
import { followMemberships, type MemberDatabase } from "../../../scripts/databases/follow-memberships.js";
import { dynamoDbBigSegments } from "../src/index.js";
import { localConnection, startLocalDatabase, type TestDatabase } from "./test-database.js";

const { WYE_DYNAMODB_LOCAL, WYE_WITHOUT_DYNAMODB: reason } = process.env;

describe.skipIf(reason !== undefined)(
  `memberships${reason === undefined ? "" : `, left out: ${reason}`}`,
  () => {
    let local: TestDatabase & { readonly port: number };
    beforeAll(async () => {
      local = await startLocalDatabase(WYE_DYNAMODB_LOCAL ?? "");
      await local.createTable("members");
    });
    afterAll(() => local.stop());

    async function row(namespace: string, key: string) {
      const Key = { namespace: { S: namespace }, key: { S: key } };
      return (
        await local.client.send(new GetItemCommand({ TableName: "members", Key, ConsistentRead: true }))
      ).Item;
    }

    for (let seed = 1; seed <= 6; seed++) {
      test(`two relays over a bad network end with the memberships of upstream, and call nothing else healthy (seed ${seed})`, async () => {
        const database: MemberDatabase = {
          port: local.port,
          store: (port) =>
            dynamoDbBigSegments({ table: "members", connect: { ...localConnection(port), maxAttempts: 1 } }),
          cursor: async () => (await row("big_segments_metadata", "big_segments_metadata"))?.lastVersion?.S,
          async empty() {
            const { Items = [] } = await local.client.send(new ScanCommand({ TableName: "members" }));
            for (const { namespace, key } of Items)
              if (namespace !== undefined && key !== undefined)
                await local.client.send(
                  new DeleteItemCommand({ TableName: "members", Key: { namespace, key } }),
                );
          },
          async lists(hash) {
            const found = await row("big_segments_user", hash);
            return { included: found?.included?.SS ?? [], excluded: found?.excluded?.SS ?? [] };
          },
        };
        onTestFinished(() => database.empty());
        await followMemberships(database, { seed, steps: 60 });
      });
    }
  },
);
