import { once } from "node:events";
import { BatchWriteItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { type Item, parseItem } from "@wye/relay";
import { createStoreContext } from "@wye/relay/testing";
import dynalite from "dynalite";
import { bench } from "../../../scripts/bench-harness.js";
import { dynamoDbStore } from "../src/index.js";
import {
  localConnection,
  startLocalDatabase,
  type TestDatabase,
  testDatabase,
} from "../test/test-database.js";

/** DynamoDB's own program for tests where it is, otherwise one in JavaScript in this process. */
async function start(): Promise<TestDatabase> {
  const folder = process.env.WYE_DYNAMODB_LOCAL;
  if (folder !== undefined) return await startLocalDatabase(folder);
  const server = dynalite({ createTableMs: 0 }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return testDatabase(localConnection(address.port), async () => void server.close());
}

/** A flag of usual size. */
function flag(index: number, version: number): Item {
  const key = `flag-${index}`;
  return parseItem("flags", key, JSON.stringify({ key, version, on: true, pad: "x".repeat(600) }));
}

const database = await start();
for (const table of ["store", "driver"]) await database.createTable(table);
const { client } = database;
const { signal } = new AbortController();
const store = dynamoDbStore({ table: "store", client })(createStoreContext());
const items = Array.from({ length: 1000 }, (_, index) => flag(index, 1));
const row = ({ key, version, json }: Item) => ({
  namespace: { S: "features" },
  key: { S: key },
  version: { N: String(version) },
  item: { S: json },
});

await bench(
  "put of 1,000 flags into DynamoDB",
  {
    "the store": () => store.replace(items, signal),
    "the driver alone": async () => {
      for (let from = 0; from < items.length; from += 25) {
        const driver = items.slice(from, from + 25).map((item) => ({ PutRequest: { Item: row(item) } }));
        await client.send(new BatchWriteItemCommand({ RequestItems: { driver } }));
      }
    },
  },
  { rounds: 5, note: "the store also looks for flags that are gone and writes the marker" },
);

let version = 1;
await bench(
  "a patch into DynamoDB",
  {
    "the store": () => store.upsert([flag(7, ++version)], signal),
    "the driver alone": () =>
      client.send(new PutItemCommand({ TableName: "driver", Item: row(flag(7, ++version)) })),
  },
  { rounds: 9, note: "the driver without a condition, by which updates are lost" },
);

await store.close();
await database.stop();
