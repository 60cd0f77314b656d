import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createStoreContext } from "@wye/relay/testing";
import dynalite from "dynalite";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { complaintsAbout } from "../../../scripts/databases/complaints-about.js";
import { type DynamoDbOptions, dynamoDbBigSegments, dynamoDbStore } from "../src/index.js";
import { localConnection } from "./test-database.js";

const region = "us-east-1";
const credentials = { accessKeyId: "local", secretAccessKey: "local" };
/** How a service of AWS refuses. */
let refusal = { status: 400, body: "" };
const service = createServer((request, response) => {
  request.resume().on("end", () => void response.writeHead(refusal.status).end(refusal.body));
});
const database: Server = dynalite({ createTableMs: 0 });
const ports = { service: 0, database: 0, nobody: 1 };

beforeAll(async () => {
  for (const [name, server] of Object.entries({ service, database })) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("no port");
    Object.assign(ports, { [name]: address.port });
  }
  const client = new DynamoDBClient(localConnection(ports.database));
  const key = { AttributeName: "id", AttributeType: "S" } as const;
  const [AttributeDefinitions, KeySchema] = [[key], [{ AttributeName: "id", KeyType: "HASH" } as const]];
  await client.send(
    new CreateTableCommand({
      TableName: "others",
      AttributeDefinitions,
      KeySchema,
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
  client.destroy();
});
afterAll(() => {
  for (const server of [service, database]) {
    server.closeAllConnections?.();
    server.close();
  }
});

// The SDK of AWS is to find nothing on the machine that runs the tests.
beforeEach(() => {
  for (const name of [
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_PROFILE",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
  ])
    vi.stubEnv(name, undefined);
  for (const name of ["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"]) vi.stubEnv(name, "/nowhere");
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
});
afterEach(() => void vi.unstubAllEnvs());

interface WrongSetting {
  readonly name: string;
  readonly at?: keyof typeof ports;
  readonly options?: Partial<DynamoDbOptions>;
  readonly connect?: DynamoDbOptions["connect"];
  /** What the service refuses with: the name of its error, and its message. */
  readonly refuses?: readonly [type: string, message: string];
  readonly answers?: string;
  readonly says: string;
  readonly remedy: string;
}

const rights = 'whoever comes needs the rights on "flags" that stand in the README of @wye/relay-dynamodb';
const wrongCredentials =
  "AWS does not take the credentials: check key, secret and session token, and the clock of this machine";

const settings: readonly WrongSetting[] = [
  {
    name: "no region",
    connect: { credentials },
    says: "Region is missing",
    remedy: 'give connect: { region: "eu-west-1" }, or set AWS_REGION',
  },
  {
    name: "no credentials",
    at: "service",
    connect: { region },
    says: "Could not load credentials from any providers",
    remedy: "give connect: { credentials }, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role",
  },
  {
    name: "nobody who listens",
    at: "nobody",
    says: "connect ECONNREFUSED 127.0.0.1:1",
    remedy: "nobody listens there: check host and port, and whether the database runs",
  },
  {
    name: "a website",
    at: "service",
    answers: "<html>",
    says: "",
    remedy: "what answers there is not DynamoDB: check connect: { endpoint }, and proxies between",
  },
  {
    name: "a table that is not there",
    at: "database",
    says: "",
    remedy:
      'there is no table "flags": make one with the partition key "namespace" and the sort key "key", both texts, or check its name, the region and the account',
  },
  {
    name: "a table with other keys",
    at: "database",
    options: { table: "others" },
    says: "schema",
    remedy: 'the table "others" must have the partition key "namespace" and the sort key "key", both texts',
  },
  {
    name: "a wrong key",
    at: "service",
    refuses: ["UnrecognizedClientException", "The security token included in the request is invalid."],
    says: "The security token included in the request is invalid.",
    remedy: wrongCredentials,
  },
  {
    name: "a wrong secret",
    at: "service",
    refuses: ["InvalidSignatureException", "The request signature we calculated does not match"],
    says: "The request signature we calculated does not match",
    remedy: wrongCredentials,
  },
  {
    name: "credentials of yesterday",
    at: "service",
    refuses: ["ExpiredTokenException", "The security token included in the request is expired"],
    says: "The security token included in the request is expired",
    remedy: "the credentials have expired: give a function as credentials, or a role that renews them",
  },
  {
    name: "a role without rights",
    at: "service",
    refuses: [
      "AccessDeniedException",
      "User: arn:aws:sts::1:x is not authorized to perform: dynamodb:GetItem",
    ],
    says: "is not authorized to perform: dynamodb:GetItem",
    remedy: rights,
  },
];

test.each(settings)("of $name the log tells the table, the reason and the remedy", async (setting) => {
  const { at, options, connect = { region, credentials }, refuses, answers, says, remedy } = setting;
  const [type, message] = refuses ?? [];
  refusal = {
    status: answers === undefined ? 400 : 200,
    body: answers ?? JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message }),
  };
  const endpoint = at === undefined ? {} : { endpoint: `http://127.0.0.1:${ports[at]}` };
  const all = {
    table: "flags",
    prefix: "ld",
    connect: { maxAttempts: 1, ...connect, ...endpoint },
    ...options,
  };
  const { told, stop } = complaintsAbout(dynamoDbStore(all));
  onTestFinished(stop);
  const server = endpoint.endpoint === undefined ? "dynamodb" : `dynamodb at ${endpoint.endpoint}`;
  const store = `[test] data store: ${server}, table "${all.table}", prefix "ld": `;
  await expect
    .poll(() => told, { timeout: 250_000 })
    .toSatisfy((lines: string[]) =>
      lines.some((line) => line.startsWith(store) && line.includes(says) && line.endsWith(`(${remedy})`)),
    );
});

test("stores of big segments say where they are and what to do as well", async () => {
  const connect = localConnection(ports.database);
  const store = dynamoDbBigSegments({ table: "nowhere", connect })(createStoreContext());
  onTestFinished(() => store.close());
  expect(store.about).toEqual({ database: "dynamodb", dbServer: connect.endpoint, dbTable: "nowhere" });
  const { signal } = new AbortController();
  const lists = { add: [], remove: [] };
  const step = { segmentId: "s", previousVersion: "", version: "v1", included: lists, excluded: lists };
  for (const call of [
    () => store.cursor(signal),
    () => store.synchronizedOn(signal),
    () => store.setSynchronizedOn(1, signal),
    () => store.memberships("hash", signal),
  ])
    await expect(call()).rejects.toThrow('there is no table "nowhere": make one');
  refusal = { status: 400, body: '{"__type":"AccessDeniedException","message":"no"}' };
  const guarded = dynamoDbBigSegments({ table: "flags", connect: localConnection(ports.service) })(
    createStoreContext(),
  );
  onTestFinished(() => guarded.close());
  await expect(guarded.apply(step, signal)).rejects.toThrow(`no (${rights})`);
});
