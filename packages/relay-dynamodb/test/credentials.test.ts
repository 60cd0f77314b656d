import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStoreContext } from "@wye/relay/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { listen } from "../../../scripts/databases/listen.js";
import { dynamoDbStore } from "../src/index.js";
import { limitCredentials } from "../src/limit-credentials.js";
import { localConnection } from "./test-database.js";

const valid = { accessKeyId: "local", secretAccessKey: "local" };

test("a function for credentials that never answers has failed after a while, says so, and is asked again with all of its time", async () => {
  const limits: AbortController[] = [];
  const limiting = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const limit = new AbortController();
    limits.push(limit);
    return limit.signal;
  });
  onTestFinished(() => limiting.mockRestore());
  const waiting: ((given: typeof valid) => void)[] = [];
  const limited = limitCredentials(() => new Promise((resolve) => void waiting.push(resolve)));
  expect(limits).toEqual([]);
  const calls = [limited(), limited()];
  limits[0]?.abort(new Error("over"));
  await expect(calls[0]).rejects.toMatchObject({
    code: "store_failed",
    message: "credentials cannot be had: it has given nothing within 5000 ms",
    cause: { message: "over" },
  });
  calls.push(limited());
  for (const give of waiting) give(valid);
  expect(await Promise.all(calls.slice(1))).toEqual([
    expect.objectContaining(valid),
    expect.objectContaining(valid),
  ]);
  // A request is given up after 10,000.
  expect(limiting.mock.calls).toEqual([[5000], [5000], [5000]]);
});

test("the time that a function for credentials has can be less, and is told", async () => {
  const limited = limitCredentials(() => new Promise(() => {}), 20);
  await expect(limited()).rejects.toThrow("credentials cannot be had: it has given nothing within 20 ms");
});

test.each([
  ["throws", () => Promise.reject(new Error("no vault")), "credentials cannot be had: no vault"],
  ["throws at once", () => thrown("no vault"), "credentials cannot be had: no vault"],
  ["gives nothing", async () => undefined, "credentials must give { accessKeyId, secretAccessKey }"],
  ["gives null", async () => null, "credentials must give { accessKeyId, secretAccessKey }"],
  [
    "gives the first half",
    async () => ({ accessKeyId: "a" }),
    "credentials must give { accessKeyId, secretAccessKey }",
  ],
  [
    "gives the second half",
    async () => ({ secretAccessKey: "b" }),
    "credentials must give { accessKeyId, secretAccessKey }",
  ],
])("a function for credentials that %s once is asked again", async (_, ask, says) => {
  const endpoint = await listen((_, response) => void response.end("{}"));
  // Programs without types give what they like.
  const answers = [ask, async () => valid] as (() => Promise<typeof valid>)[];
  const credentials = () => (answers.shift() ?? expect.fail("it was asked too often"))();
  const connect = { ...localConnection(0), endpoint, credentials };
  const store = dynamoDbStore({ table: "flags", connect })(createStoreContext());
  onTestFinished(() => store.close());
  const { signal } = new AbortController();
  await expect(store.isFilled?.(signal)).rejects.toThrow(says);
  expect(await store.isFilled?.(signal)).toBe(false);
  expect(await store.isFilled?.(signal)).toBe(false);
});

test("credentials that do not say when they expire are asked for again after a minute, others when they say so", async () => {
  const before = Date.now();
  const given = { ...valid, sessionToken: "token", accountId: "1" };
  const { expiration, ...rest } = await limitCredentials(async () => given)();
  expect(rest).toEqual(given);
  // The library asks five minutes before.
  expect(expiration?.getTime()).toBeGreaterThanOrEqual(before + 360_000);
  expect(expiration?.getTime()).toBeLessThanOrEqual(Date.now() + 360_000);
  const said = { ...valid, expiration: new Date(before + 3_600_000) };
  expect(await limitCredentials(async () => said)()).toBe(said);
});

test("a function for credentials is told what AWS's library says of the call", async () => {
  const asked = vi.fn(async () => valid);
  await limitCredentials(asked)({ callerClientConfig: { region: async () => "eu-west-1" } });
  expect(asked.mock.calls).toEqual([[{ callerClientConfig: { region: expect.any(Function) } }]]);
});

test("a token that is refused is not sent for ever by who is given a function that has a new one", async () => {
  const tokens: string[] = [];
  const endpoint = await listen(({ headers }, response) => {
    tokens.push(String(headers["x-amz-security-token"]));
    response.end("{}");
  });
  let token = "old";
  const connect = {
    ...localConnection(0),
    endpoint,
    // The library takes what is about to expire for expired.
    credentials: async () => ({ ...valid, sessionToken: token, expiration: new Date(Date.now() + 1000) }),
  };
  const store = dynamoDbStore({ table: "flags", connect })(createStoreContext());
  onTestFinished(() => store.close());
  const { signal } = new AbortController();
  await store.isFilled?.(signal);
  token = "new";
  await store.isFilled?.(signal);
  expect(tokens).toEqual(["old", "new"]);
});

test.each([
  ["ExpiredTokenException", "the credentials have expired"],
  ["ExpiredToken", "the credentials have expired"],
  ["UnrecognizedClientException", "AWS does not take the credentials"],
])("credentials that AWS answers with %s are asked for anew at once, and once", async (name, says) => {
  const tokens: string[] = [];
  const endpoint = await listen(({ headers }, response) => {
    const token = String(headers["x-amz-security-token"]);
    tokens.push(token);
    if (token === "new") return void response.end("{}");
    response.writeHead(400, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify({ __type: `com.amazon.coral.service#${name}`, message: "expired" }));
  });
  const given = ["old", "older", "older still", "new"];
  const expiration = new Date(Date.now() + 3_600_000);
  const credentials = async () => ({ ...valid, sessionToken: given.shift() ?? "none", expiration });
  const connect = { ...localConnection(0), endpoint, credentials };
  const store = dynamoDbStore({ table: "flags", connect })(createStoreContext());
  onTestFinished(() => store.close());
  const { signal } = new AbortController();
  await expect(store.isFilled?.(signal)).rejects.toThrow(says);
  expect(tokens).toEqual(["old", "older"]);
  given.shift();
  expect(await store.isFilled?.(signal)).toBe(false);
  expect(tokens).toEqual(["old", "older", "older", "new"]);
});

test("credentials of a file that somebody else renews are read anew when AWS refuses the old ones", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wye-credentials-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "credentials");
  const renew = (id: string) =>
    writeFileSync(file, `[team]\naws_access_key_id=${id}\naws_secret_access_key=secret\n`);
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", file);
  onTestFinished(() => void vi.unstubAllEnvs());
  let valid = "FIRST";
  const endpoint = await listen(({ headers }, response) => {
    if (headers.authorization?.includes(`=${valid}/`)) return void response.end("{}");
    response.writeHead(400, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify({ __type: "com.amazon.coral.service#ExpiredTokenException" }));
  });
  renew("FIRST");
  const connect = { endpoint, region: "us-east-1", profile: "team" };
  const store = dynamoDbStore({ table: "flags", connect })(createStoreContext());
  onTestFinished(() => store.close());
  const { signal } = new AbortController();
  expect(await store.isFilled?.(signal)).toBe(false);
  valid = "SECOND";
  await expect(store.isFilled?.(signal)).rejects.toThrow("the credentials have expired");
  renew("SECOND");
  expect(await store.isFilled?.(signal)).toBe(false);
});

function thrown(message: string): never {
  throw new Error(message);
}
