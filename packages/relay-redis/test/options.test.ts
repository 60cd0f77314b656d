import { RelayError } from "@wye/relay";
import { expect, test } from "vitest";
import { checkOptions } from "../src/check-options.js";
import { type RedisOptions, redisBigSegments, redisStore } from "../src/index.js";
import { contextOf } from "./fixtures.js";

/** All that is said of options; nothing of right ones. */
function problemsOf(options: object): readonly string[] {
  try {
    // Programs without types pass what they like.
    redisStore(options as RedisOptions);
    return [];
  } catch (error) {
    if (error instanceof RelayError && error.code === "invalid_options") return error.problems ?? [];
    throw error;
  }
}

const node = { host: "h", port: 6379 };
const sentinel = { name: "main", nodes: [node] };
const command = async () => null;
const user = { username: "relay", password: "secret" };

test.each<[string, object]>([
  ["nothing", {}],
  ["a URL", { url: "redis://h" }],
  ["a URL with a user and a password", { url: "rediss://u:p@h:1/15" }],
  ["a URL with a password", { url: "redis://:p@h" }],
  ["a user of the URL and a password of the options", { url: "redis://u@h", password: "p" }],
  ["a user of the URL whose password is asked for", { url: "redis://u@h", credentials: () => user }],
  ["a user of the options and a password of the URL", { url: "redis://:p@h", username: "u" }],
  ["a user", user],
  ["a password", { password: "p" }],
  ["an empty password", { username: "u", password: "" }],
  ["a function for the user", { credentials: () => user }],
  ["TLS", { tls: {} }],
  ["sentinels", { sentinel }],
  ["sentinels with a user of their own", { sentinel: { ...sentinel, credentials: user } }],
  ["a cluster", { cluster: [node, { ...node, port: 1 }, { ...node, port: 65_535 }], prefix: "{ld}" }],
  ["a command", { command, prefix: "ld", cacheTtl: "1s" }],
  ["a prefix of a function", { prefix: () => "ld" }],
  ["limits", { connectTimeout: "1s", cacheTtl: "1m" }],
])("right options are taken: %s", (_, options) => {
  expect(problemsOf(options)).toEqual([]);
});

test.each<[object, string]>([
  [{ url: "redis://h", sentinel }, "url and sentinel exclude each other"],
  [{ url: "redis://h", cluster: [node] }, "url and cluster exclude each other"],
  [{ sentinel, cluster: [node] }, "sentinel and cluster exclude each other"],
  [{ sentinel, command }, "sentinel and command exclude each other"],
  [
    { url: "redis://h", sentinel, cluster: [node], command },
    "url and sentinel and cluster and command exclude each other",
  ],
  ...["username", "password", "credentials", "tls", "connectTimeout"].map((name): [object, string] => [
    {
      command,
      password: "x",
      [name]: { username: "u", password: "p", credentials: () => user, tls: {}, connectTimeout: "1s" }[name],
    },
    `${name} is of no use with a command: the connection is the host's`,
  ]),
  [{ username: "u" }, "username needs a password"],
  [{ username: "u", credentials: () => user }, "username needs a password"],
  [{ url: "redis://u@h", username: "u" }, "username needs a password"],
  [
    { url: "redis://u@h" },
    'url has a user without a password; a password alone is written "redis://:password@host"',
  ],
  [{ password: 5 }, "password must be a string"],
  [{ tls: null }, 'tls must be an object, {} if nothing is special; a URL with "rediss:" needs none'],
  [{ tls: [] }, 'tls must be an object, {} if nothing is special; a URL with "rediss:" needs none'],
  [{ tls: "yes" }, 'tls must be an object, {} if nothing is special; a URL with "rediss:" needs none'],
  [{ sentinel: { ...sentinel, name: "" } }, "name must be the name of the leader"],
  [{ sentinel: { ...sentinel, credentials: { username: 5 } } }, "username must be a string"],
  [{ sentinel: { ...sentinel, credentials: { password: 5 } } }, "password must be a string"],
  [{ prefix: "" }, "prefix must be text that is not empty, or a function that gives it"],
  [{ prefix: null }, "prefix must be text that is not empty, or a function that gives it"],
  [{ command: {} }, "command must be a function"],
  [{ credentials: {} }, "credentials must be a function"],
])("options that contradict each other are named: %o", (options, problem) => {
  expect(problemsOf(options).join("\n")).toContain(problem);
});

test.each<[unknown]>([
  [[]],
  ["h:1"],
  [{ 0: node, length: 1 }],
  [[null]],
  [[{ host: "h" }]],
  [[{ host: "", port: 1 }]],
  [[{ host: 5, port: 1 }]],
  [[{ port: 1 }]],
  [[{ host: "h", port: "1" }]],
  [[{ host: "h", port: 1.5 }]],
  [[{ host: "h", port: 0 }]],
  [[{ host: "h", port: -1 }]],
  [[{ host: "h", port: 65_536 }]],
  [[node, { host: "h" }]],
])("nodes are a list of hosts and ports: %j", (nodes) => {
  const problem = 'must be a list of nodes like { host: "10.0.0.1", port: 6379 }, at least one';
  expect(problemsOf({ cluster: nodes })).toEqual([`redisStore: cluster ${problem}`]);
  expect(problemsOf({ sentinel: { name: "m", nodes } })).toEqual([
    expect.stringMatching(/nodes must be a list of nodes like .*, at least one$/),
  ]);
});

test("who is meant is told with every problem", () => {
  expect(() => redisBigSegments({ prefix: "" })).toThrow("redisBigSegments: prefix must be text");
  const empty = () => redisBigSegments({ prefix: () => "" })(contextOf("test"));
  expect(empty).toThrow(expect.objectContaining({ code: "invalid_options" }));
  expect(empty).toThrow("redisBigSegments: prefix must not be empty");
  const anywhere = () => redisStore({ prefix: "ld", cluster: [node] })(contextOf("test"));
  expect(anywhere).toThrow(
    expect.objectContaining({
      code: "invalid_options",
      message:
        'in a cluster the prefix needs a hash tag, so that all keys are on one node: "{ld}" instead of "ld"',
    }),
  );
});

test("a store has the time after which it is read anew only if that was said", () => {
  expect(redisStore({ cacheTtl: "2s" })(contextOf("test"))).toMatchObject({
    cacheTtlMs: 2000,
    timeoutMs: 600_000,
  });
  expect("cacheTtlMs" in redisStore()(contextOf("test"))).toBe(false);
});

test.each([
  [{}, { connectTimeoutMs: 5000, cacheTtlMs: undefined }],
  [{ connectTimeout: "1m" }, { connectTimeoutMs: 60_000, cacheTtlMs: undefined }],
  [
    { connectTimeout: 250, cacheTtl: "2s" },
    { connectTimeoutMs: 250, cacheTtlMs: 2000 },
  ],
] as const)("of %j connecting may take so long, and this is read anew: %j", (options, spans) => {
  expect(checkOptions(options, "redisStore")).toEqual(spans);
});
