import { once } from "node:events";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createManualClock } from "@wye/relay/testing";
import dynalite from "dynalite";
import { expect, test } from "vitest";
import { dynamoDbStore } from "../src/index.js";
import { describeDynamoDbStore } from "./describe-dynamodb-store.js";
import { localConnection, testDatabase } from "./test-database.js";
import { withTransactions } from "./with-transactions.js";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

describeDynamoDbStore(async () => {
  const server = dynalite({ createTableMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const connect = localConnection(address.port);
  const stop = async () => void server.close();
  return testDatabase(connect, stop, withTransactions(new DynamoDBClient(connect)));
});

test("a client of the host serves as well, and stays the host's", async () => {
  const client = new DynamoDBClient({ ...localConnection(1), region: "eu-west-1" });
  const context = {
    environment: "a",
    envId: undefined,
    filter: undefined,
    logger: silent,
    clock: createManualClock(0),
  };
  const store = dynamoDbStore({ table: ({ environment }) => `flags-${environment}`, client })(context);
  expect(store.about).toEqual({ database: "dynamodb", dbTable: "flags-a" });
  await store.close();
  expect(() => dynamoDbStore({ table: "flags", client, connect: {} })).toThrow(
    "client and connect exclude each other",
  );
  client.destroy();
});

test("wrong options are named, all of them", () => {
  const wrong = { table: "", cacheTtl: "10ms", region: "eu" };
  expect(() => dynamoDbStore(wrong)).toThrow(
    'there is no option "region"; table is missing; cacheTtl must be at least "1s"',
  );
});
