import { DynamoDBClient, DynamoDBServiceException } from "@aws-sdk/client-dynamodb";
import { createStoreContext } from "@wye/relay/testing";
import { expect, test } from "vitest";
import { never } from "../../../scripts/databases/store-items.js";
import { dynamoDbBigSegments, dynamoDbStore } from "../src/index.js";
import { localConnection } from "./test-database.js";

const layout = 'the partition key "namespace" and the sort key "key", both texts';
const keys = `the table "flags" must have ${layout}`;
const credentials =
  "AWS does not take the credentials: check key, secret and session token, and the clock of this machine";
const expired = "the credentials have expired: give a function as credentials, or a role that renews them";
const rights = 'whoever comes needs the rights on "flags" that stand in the README of @wye/relay-dynamodb';
const capacity = 'raise the capacity of the table "flags", or pay on demand';
const other = "what answers there is not DynamoDB: check connect: { endpoint }, and proxies between";

test.each<[string, string, string | undefined]>([
  [
    "ResourceNotFoundException",
    "no",
    `there is no table "flags": make one with ${layout}, or check its name, the region and the account`,
  ],
  ["ValidationException", "The provided key element does not match the schema", keys],
  ["ValidationException", "Query condition missed key schema element: namespace", keys],
  ["ValidationException", "One of the required keys was not given a value", keys],
  ["ValidationException", "Missing the key namespace in the item", keys],
  ["ValidationException", "Type mismatch for key namespace expected: S actual: N", keys],
  ["ValidationException", "something else", undefined],
  ["Error", "Region is missing", 'give connect: { region: "eu-west-1" }, or set AWS_REGION'],
  [
    "CredentialsProviderError",
    "no",
    "give connect: { credentials }, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role",
  ],
  ["ExpiredTokenException", "no", expired],
  ["ExpiredToken", "no", expired],
  ["ExpiredTokens", "no", undefined],
  ["UnrecognizedClientException", "no", credentials],
  ["InvalidSignatureException", "no", credentials],
  ["MissingAuthenticationTokenException", "no", credentials],
  ["IncompleteSignatureException", "no", credentials],
  ["AccessDenied", "no", rights],
  ["AccessDeniedException", "no", rights],
  ["ProvisionedThroughputExceededException", "no", capacity],
  ["ThrottlingException", "no", capacity],
  ["RequestLimitExceeded", "no", capacity],
  ["Error", "Deserialization error: to see the raw response", other],
  ["SyntaxError", "Unexpected token", other],
  ["UnknownError", "no", other],
  ["Error", "something new", undefined],
])(
  "a failure with the name %s and the words %j has its remedy, of flags and of members",
  async (name, message, remedy) => {
    const overridden: Pick<DynamoDBClient, "send"> = {
      async send() {
        throw new DynamoDBServiceException({ name, message, $fault: "client", $metadata: {} });
      },
    };
    const client = Object.assign(new DynamoDBClient(localConnection(1)), overridden);
    const options = { table: "flags", client };
    const calls = [
      dynamoDbStore(options)(createStoreContext()).read(never),
      dynamoDbBigSegments(options)(createStoreContext()).cursor(never),
    ];
    for (const call of calls)
      expect(await call.then(String, (error: Error) => error.message)).toBe(
        remedy === undefined ? message : `${message} (${remedy})`,
      );
  },
);
