// The Node server SDK in daemon mode, as a test in another process drives it: a user on each line in, on a line out every flag
// with its value and reason.
import { createInterface } from "node:readline";
import aws from "aws-sdk";
import launchDarkly from "launchdarkly-node-server-sdk";
import { DynamoDBFeatureStore } from "launchdarkly-node-server-sdk-dynamodb";

const [, address, prefix, ...keys] = process.argv.slice(2);
const credentials = { accessKeyId: "local", secretAccessKey: "local" };
const dynamoDBClient = new aws.DynamoDB.DocumentClient({
  endpoint: address,
  region: "us-east-1",
  credentials,
});
const client = launchDarkly.init("sdk-key", {
  useLdd: true,
  sendEvents: false,
  featureStore: DynamoDBFeatureStore("flags", { dynamoDBClient, prefix, cacheTTL: 0 }),
  logger: { debug() {}, info() {}, warn: console.error, error: console.error },
});
await client.waitForInitialization();

for await (const line of createInterface(process.stdin)) {
  const user = { key: line.trim() };
  const details = {};
  for (const key of keys) {
    const { value, reason } = await client.variationDetail(key, user, "fallback");
    details[key] = [value, reason];
  }
  console.log(JSON.stringify(details));
}
client.close();
