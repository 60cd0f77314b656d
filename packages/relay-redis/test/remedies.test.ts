import { expect, test } from "vitest";
import { redisBigSegments, redisStore } from "../src/index.js";
import { contextOf, never } from "./fixtures.js";

const rights =
  'the user of Redis needs the rights that stand in the README of @wye/relay-redis, "In the database"';
const password = "check username and password, those of the URL or what credentials gives";
const noRedis =
  "what answers there is no Redis without TLS: check host and port, and whether the URL has to begin with rediss:";
const ended =
  "Redis has ended the connection, or does not answer: if that goes on, check host, port and firewalls, and whether the URL has to begin with redis: or rediss:";
const noTls =
  "Redis does not speak TLS there, or asks for a certificate of the client: check whether the URL has to begin with redis:, or give tls: { cert, key }";
const signer =
  "nobody here trusts who has signed the certificate: give theirs, as in tls: { ca: readFileSync(file) }, or name a file with them in NODE_EXTRA_CA_CERTS";
const offline =
  "the connection was lost and is being made anew; if that goes on, check whether the server, or that node, runs";

/** A store on a connection that fails with these words. */
const failing = (says: string) => ({ command: () => Promise.reject(new Error(says)), prefix: "ld" });

const messageOf = (call: Promise<unknown> | undefined) => call?.then(String, (error: Error) => error.message);

test.each<[string, string | undefined]>([
  ["WRONGPASS invalid username-password pair", password],
  ["ERR invalid password", password],
  [
    "NOAUTH Authentication required.",
    "Redis asks for a password: give password, credentials, or a URL that has them",
  ],
  ["ERR AUTH <password> called without any password configured", "Redis asks for no password: give none"],
  ["NOPERM this user has no permissions", rights],
  ["Unknown RESP type 72", noRedis],
  ["Unexpected reply", noRedis],
  ["Protocol error, got H", noRedis],
  ["Connection timeout", ended],
  ["Socket closed unexpectedly", ended],
  ["read ECONNRESET", ended],
  ["write EPROTO", noTls],
  ["wrong version number", noTls],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", noTls],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", signer],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", signer],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", signer],
  ["The client is offline", offline],
  ["Disconnects client", offline],
  [
    "no answer within 10000 ms",
    "connections are taken and nothing is answered: check whether host and port are those of Redis, and whether it is stuck",
  ],
  ["ERR DB index is out of range", "the URL names a database that this Redis does not have"],
  [
    "MOVED 3999 127.0.0.1:6381",
    "this is a node of a cluster: give cluster: [{ host, port }] instead of a URL, which wye relay cannot",
  ],
  [
    "ERR This instance has cluster support disabled",
    "this is not a cluster: give a URL, or sentinel, instead of cluster",
  ],
  ["CLUSTERDOWN Hash slot not served", "some slots of the cluster have no node: see CLUSTER INFO"],
  ["OOM command not allowed", "Redis is out of memory: raise its maxmemory, or make room"],
  ["MISCONF Redis is configured to save", "Redis cannot save to its disk, and takes no writes until it can"],
  ["READONLY You can't write", "this is a replica: the address, or sentinel, has to lead to the leader"],
  ["WRONGTYPE x is a string", "somebody else keeps that there: delete it, or choose another prefix"],
  ["something is WRONG", undefined],
])("%s has its remedy, of flags and of members", async (says, remedy) => {
  const expected = remedy === undefined ? says : `${says} (${remedy})`;
  expect(await messageOf(redisStore(failing(says))(contextOf("test")).isFilled?.(never))).toBe(expected);
  expect(await messageOf(redisBigSegments(failing(says))(contextOf("test")).cursor(never))).toBe(expected);
});

test("what stands in the way at a key is told with the key, and for members with what makes them be asked for again", async () => {
  const says = "WRONGTYPE Operation against a key holding the wrong kind of value";
  const remedy = (key: string, also: string) =>
    `${says} (somebody else keeps something of another kind at "${key}": delete it${also}, or choose another prefix)`;
  const flags = redisStore(failing(says))(contextOf("test"));
  expect(await messageOf(flags.isFilled?.(never))).toBe(remedy("ld:features", ""));
  const members = redisBigSegments({ ...failing(says), prefix: "l\nd" })(contextOf("test"));
  expect(await messageOf(members.cursor(never))).toBe(remedy("l\\nd:big_segments_cursor", ""));
  expect(await messageOf(members.memberships("h", never))).toBe(
    remedy(
      "l\\nd:big_segment_include:h",
      " and l\nd:big_segments_cursor, so that all memberships are asked for again",
    ),
  );
});

const given = (reply: unknown) => ({ command: async () => reply, prefix: "ld" });
const tail = "expected (a command of the host must give the reply as it is)";

test.each<[unknown, string]>([
  [undefined, "Redis gave undefined where text or null was"],
  [{}, "Redis gave object where text or null was"],
  [["a"], "Redis gave object where text or null was"],
])("what is no text is told: %j", async (reply, message) => {
  const members = redisBigSegments(given(reply))(contextOf("test"));
  await expect(members.cursor(never)).rejects.toMatchObject({
    code: "store_failed",
    message: `${message} ${tail}`,
  });
});

test.each<[unknown, string | undefined]>([
  [null, undefined],
  ["", ""],
  ["v1", "v1"],
  [Buffer.from("x").length, "1"],
])("what is text, or nothing, is taken: %j", async (reply, cursor) => {
  expect(await redisBigSegments(given(reply))(contextOf("test")).cursor(never)).toBe(cursor);
});

test.each<[unknown, number | undefined]>([
  [null, undefined],
  ["12", 12],
  ["0", 0],
  ["soon", undefined],
])("the time of the last step is a number or not known: %j", async (reply, time) => {
  expect(await redisBigSegments(given(reply))(contextOf("test")).synchronizedOn(never)).toBe(time);
});

test.each<[unknown, string | undefined]>([
  ["OK", undefined],
  ["QUEUED", "Redis gave QUEUED where OK was"],
  ["x".repeat(101), `Redis gave ${"x".repeat(100)} where OK was`],
  [null, "Redis gave null where OK was"],
])("the time is kept only if Redis says so: %j", async (reply, message) => {
  const members = redisBigSegments(given(reply))(contextOf("test"));
  expect(await messageOf(members.setSynchronizedOn(1, never))).toBe(
    message === undefined ? "undefined" : `${message} ${tail}`,
  );
});

const lists = { add: [], remove: [] };
const step = { segmentId: "s.g1", previousVersion: "", version: "v1", included: lists, excluded: lists };

test.each<[unknown, boolean | string]>([
  [[1], true],
  [["1"], true],
  [[1n], true],
  [[0], false],
  [[2], "a part of a step that was taken is gone"],
  [[3], `Redis gave 3 where 0 or 1 or 2 was ${tail}`],
  [[], `Redis gave undefined where 0 or 1 or 2 was ${tail}`],
  [1, `Redis gave 1 where a list was ${tail}`],
])("what a script says of a step is one of three: %o", async (reply, outcome) => {
  const members = redisBigSegments(given(reply))(contextOf("test"));
  expect(await members.apply(step, never).catch((error: Error) => error.message)).toBe(outcome);
});

test.each<[unknown, string]>([
  [undefined, "Redis gave undefined where a size was"],
  [{}, "Redis gave object where a size was"],
  [[], "Redis gave object where a size was"],
  [null, "Redis gave null where a size was"],
  ["much", "Redis gave much where a size was"],
  ["12", "Redis gave 12 where a list was"],
  [12, "Redis gave 12 where a list was"],
])("how large everything is has to be a number: %j", async (reply, message) => {
  await expect(redisStore(given(reply))(contextOf("test")).read(never)).rejects.toThrow(`${message} ${tail}`);
});

test.each<[readonly string[], boolean]>([
  [["hash", "hash", "string"], true],
  [["none", "hash", "string"], true],
  [["none", "none", "string"], true],
  [["none", "none", "list"], true],
  [["hash", "hash", "none"], false],
  [["string", "hash", "string"], false],
  [["hash", "set", "string"], false],
])(
  "a full set is there with its marker, and collections that are hashes or not there: %j",
  async (types, isFilled) => {
    const kinds: Record<string, string | undefined> = {
      "ld:features": types[0],
      "ld:segments": types[1],
      "ld:$inited": types[2],
    };
    const command = async (key: string) => kinds[key];
    expect(await redisStore({ command, prefix: "ld" })(contextOf("test")).isFilled?.(never)).toBe(isFilled);
  },
);
