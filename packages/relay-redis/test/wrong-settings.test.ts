import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { complaintsAbout } from "../../../scripts/databases/complaints-about.js";
import { type SilentServer, startSilentServer } from "../../../scripts/databases/silent-server.js";
import { type RedisOptions, redisBigSegments, redisStore } from "../src/index.js";
import { contextOf, flag, never } from "./fixtures.js";
import { type RedisStandIn, startRedisStandIn } from "./redis-stand-in.js";

let guarded: RedisStandIn;
let silent: SilentServer;
const website = createServer((_, response) => void response.end("<html>"));
const ports = { guarded: 0, silent: 0, website: 0, nobody: 1 };

beforeAll(async () => {
  guarded = await startRedisStandIn({ password: "secret" });
  guarded.keys.set("ld:features", "of somebody else");
  silent = await startSilentServer();
  website.listen(0, "127.0.0.1");
  await once(website, "listening");
  const address = website.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  Object.assign(ports, { guarded: guarded.port, silent: silent.port, website: address.port });
});
afterAll(async () => {
  await guarded.close();
  await silent.close();
  website.closeAllConnections();
  website.close();
});

interface WrongSetting {
  readonly name: string;
  readonly at: keyof typeof ports;
  readonly scheme?: string;
  readonly options?: RedisOptions;
  /** What the client says, and what is to be done. */
  readonly says: string;
  readonly remedy: string;
}

const settings: readonly WrongSetting[] = [
  {
    name: "a wrong password",
    at: "guarded",
    options: { password: "hunter2" },
    says: "WRONGPASS invalid username-password pair",
    remedy: "check username and password, those of the URL or what credentials gives",
  },
  {
    name: "credentials that never come",
    at: "guarded",
    options: { credentials: () => new Promise(() => {}), connectTimeout: "50ms" },
    says: "credentials has given nothing within 50 ms",
    remedy: "",
  },
  {
    name: "a website",
    at: "website",
    says: 'Unknown RESP type 72 "H"',
    remedy:
      "what answers there is no Redis without TLS: check host and port, and whether the URL has to begin with rediss:",
  },
  {
    name: "TLS where there is none",
    at: "website",
    scheme: "rediss",
    says: "wrong version number",
    remedy:
      "Redis does not speak TLS there, or asks for a certificate of the client: check whether the URL has to begin with redis:, or give tls: { cert, key }",
  },
  {
    name: "nobody who listens",
    at: "nobody",
    says: "connect ECONNREFUSED",
    remedy: "nobody listens there: check host and port, and whether the database runs",
  },
  {
    name: "TLS that is never answered",
    at: "silent",
    scheme: "rediss",
    options: { connectTimeout: "50ms" },
    says: "Connection timeout",
    remedy:
      "Redis has ended the connection, or does not answer: if that goes on, check host, port and firewalls, and whether the URL has to begin with redis: or rediss:",
  },
];

test.each(settings)(
  "of $name the log tells the server, the reason and the remedy",
  async ({ at, scheme = "redis", options, says, remedy }) => {
    const server = `${scheme}://127.0.0.1:${ports[at]}`;
    const { told, stop } = complaintsAbout(redisStore({ url: server, prefix: "ld", ...options }));
    onTestFinished(stop);
    const because = (line: string) =>
      line.includes(says) && line.endsWith(remedy === "" ? says : `(${remedy})`);
    const store = `[test] data store: redis at ${server}, prefix "ld": `;
    await expect
      .poll(() => told, { timeout: 250_000 })
      .toSatisfy((lines: string[]) => lines.some((line) => line.startsWith(store) && because(line)));
    await expect
      .poll(() => told, { timeout: 250_000 })
      .toSatisfy((lines: string[]) =>
        lines.some((line) => line.startsWith(`[test] Redis at ${server}: `) && because(line)),
      );
    expect(told.join()).not.toContain("hunter2");
  },
);

test("of a host that nobody knows the log tells as well, and of all addresses of one", async () => {
  const { told, stop } = complaintsAbout(redisStore({ url: "redis://nowhere.invalid", prefix: "ld" }));
  onTestFinished(stop);
  const line =
    /^\[test\] data store: redis at redis:\/\/nowhere.invalid, prefix "ld": .* failed: getaddrinfo (ENOTFOUND|EAI_AGAIN) nowhere.invalid \(no host of this name is known here: .*\)$/;
  await expect.poll(() => told, { timeout: 250_000 }).toContainEqual(expect.stringMatching(line));
});

test("what is in the way at a key is told with the key", async () => {
  const url = `redis://:secret@127.0.0.1:${guarded.port}`;
  const place = { url, prefix: "ld" };
  const [store, members] = [redisStore(place)(contextOf("test")), redisBigSegments(place)(contextOf("test"))];
  onTestFinished(async () => {
    await store.close();
    await members.close();
  });
  guarded.keys.set("ld:big_segment_include:hash", "of somebody else");
  const at = (key: string, also = "") =>
    `(somebody else keeps something of another kind at "${key}": delete it${also}, or choose another prefix)`;
  const askAgain = " and ld:big_segments_cursor, so that all memberships are asked for again";
  await expect(store.upsert([flag("a", 1)], never)).rejects.toThrow(at("ld:features"));
  await expect(members.memberships("hash", never)).rejects.toThrow(
    at("ld:big_segment_include:hash", askAgain),
  );
  expect(members.about).toEqual({
    database: "redis",
    dbServer: url.replace("secret", "xxxxx"),
    dbPrefix: "ld",
  });
});

test.each([
  ["NOAUTH Authentication required.", "Redis asks for a password"],
  [
    "ERR AUTH <password> called without any password configured for the default user.",
    "Redis asks for no password",
  ],
  [
    "NOPERM this user has no permissions to run the 'evalsha' command",
    "needs the rights that stand in the README",
  ],
  ["ERR DB index is out of range", "the URL names a database that this Redis does not have"],
  ["MOVED 3999 127.0.0.1:6381", "give cluster: [{ host, port }] instead of a URL"],
  ["CLUSTERDOWN Hash slot not served", "see CLUSTER INFO"],
  ["Disconnects client", "the connection was lost and is being made anew"],
  ["The client is offline", "check whether the server, or that node, runs"],
  ["OOM command not allowed when used memory > 'maxmemory'.", "raise its maxmemory"],
  ["MISCONF Redis is configured to save RDB snapshots", "takes no writes until it can"],
  ["READONLY You can't write against a read only replica.", "has to lead to the leader"],
  ["ERR This instance has cluster support disabled", "this is not a cluster"],
])("what Redis refuses with %s is told with a remedy", async (refusal, remedy) => {
  const store = redisStore({ command: () => Promise.reject(new Error(refusal)), prefix: "ld" })(
    contextOf("test"),
  );
  const told: unknown = await store.isFilled?.(never).catch(({ message }: Error) => message);
  expect(told).toMatch(refusal);
  expect(told).toContain(remedy);
});

test("what nobody knows a remedy for is told as it is", async () => {
  const failure = new Error("ERR something new");
  const store = redisStore({ command: () => Promise.reject(failure), prefix: "ld" })(contextOf("test"));
  await expect(store.isFilled?.(never)).rejects.toBe(failure);
});
