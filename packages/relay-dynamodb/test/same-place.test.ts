import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { createDatabasePlaces } from "@wye/relay";
import { createStoreContext } from "@wye/relay/testing";
import { expect, test } from "vitest";
import { dynamoDbStore } from "../src/index.js";

const region = "eu-west-1";
const keys = () => ({ accessKeyId: "x", secretAccessKey: "y" });
const credentials = async () => keys();
const regionProvider = async () => region;

/** Opens two stores that differ in nothing but how they connect. */
function openBoth(one: DynamoDBClientConfig, other: DynamoDBClientConfig): void {
  const places = createDatabasePlaces();
  for (const [environment, connect] of Object.entries({ one, other })) {
    dynamoDbStore({ table: "flags", connect })(createStoreContext({ environment, places }));
  }
}

test.each<[string, DynamoDBClientConfig, DynamoDBClientConfig]>([
  ["the same keys", { region, credentials: keys() }, { region, credentials: keys() }],
  ["the same function for credentials", { region, credentials }, { region, credentials }],
  ["the same profile", { region, profile: "p" }, { region, profile: "p", maxAttempts: 2 }],
  ["the same function for the region", { region: regionProvider }, { region: regionProvider }],
  ["the region of the process", {}, { maxAttempts: 2 }],
])("%s lead to one place, which is refused to the second", (_, one, other) => {
  expect(() => openBoth(one, other)).toThrow(/"other" and "one" would overwrite each other's flags/);
});

test.each<[string, DynamoDBClientConfig, DynamoDBClientConfig]>([
  ["other keys", { region, credentials: keys() }, { region, credentials: { ...keys(), accessKeyId: "z" } }],
  ["another function for credentials", { region, credentials }, { region, credentials: async () => keys() }],
  ["another profile", { region, profile: "p" }, { region, profile: "q" }],
  ["another region", { region, credentials }, { region: "eu-west-2", credentials }],
])("%s may lead to another account, or do", (_, one, other) => {
  expect(() => openBoth(one, other)).not.toThrow();
});
