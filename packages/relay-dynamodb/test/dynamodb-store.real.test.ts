import { test } from "vitest";
import { describeDynamoDbStore } from "./describe-dynamodb-store.js";
import { startLocalDatabase } from "./test-database.js";

const folder = process.env.WYE_DYNAMODB_LOCAL;
const reason = process.env.WYE_WITHOUT_DYNAMODB;

if (reason !== undefined) test.skip(`without DynamoDB Local: ${reason}`);
else describeDynamoDbStore(() => startLocalDatabase(folder ?? ""));
