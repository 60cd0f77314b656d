import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder, wye } from "./run-program.js";

/** What the check of a configuration finds, each as `place: message`. */
async function mistakesIn({
  file,
  variables,
}: {
  readonly file?: string;
  readonly variables?: Readonly<Record<string, string>>;
}): Promise<readonly string[]> {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "relay.conf"), file ?? "");
  const sources = [
    ...(file === undefined ? [] : ["--config", "relay.conf"]),
    ...(variables === undefined ? [] : ["--from-env"]),
  ];
  const { out } = await wye(["relay", "--check", "--json", ...sources], { cwd, env: variables ?? {} });
  const { problems }: { problems: readonly { at?: string; message: string }[] } = JSON.parse(out);
  return problems.map(({ at = "nowhere", message }) => `${at}: ${message}`);
}

const credential = "mobileKey must not be empty, and have no blanks or characters that a header cannot carry";

describe("every mistake is told at once, with its place", () => {
  test("of variables", async () => {
    const variables = {
      PORT: "x",
      LD_ENV_p: "sdk",
      LD_MOBILE_KEY_p: "a b",
      TLS_ENABLED: "1",
      TLS_CERT: "/nope",
      TLS_KEY: "/nope2",
      PROXY_CA_CERTS: "/x.pem,/y.pem",
      HTTPS_PROXY: "ftp://proxy.example",
      EVENTS_MAX_INBOUND_PAYLOAD_SIZE: "0B",
    };
    expect((await mistakesIn({ variables })).toSorted()).toEqual([
      "EVENTS_MAX_INBOUND_PAYLOAD_SIZE: max inbound payload size must be greater than zero",
      `LD_MOBILE_KEY_p: environments.p: ${credential}`,
      "PORT: not a valid integer",
      expect.stringMatching(/^PROXY_CA_CERTS: cannot read the CA certificate file \/x\.pem: ENOENT/),
      expect.stringMatching(/^PROXY_CA_CERTS: cannot read the CA certificate file \/y\.pem: ENOENT/),
      expect.stringMatching(/^TLS_CERT: cannot read \/nope: ENOENT/),
      expect.stringMatching(/^TLS_KEY: cannot read \/nope2: ENOENT/),
      "nowhere: HTTPS_PROXY: proxies are spoken to as http:// or https://, not ftp://",
    ]);
  });

  test("of a file, in the order of lines", async () => {
    const file = `[Main]
port = x
tlsEnabled = true
tlsCert = /nope
tlsKey = /nope2
[Environment "p"]
sdkKey = same
mobileKey = "a b"
[Environment "q"]
sdkKey = same
[Environment "r"]
envId = abc
[Proxy]
ntlmAuth = true
`;
    expect(await mistakesIn({ file })).toEqual([
      "relay.conf:2: port: not a valid integer",
      expect.stringMatching(/^relay\.conf:4: cannot read \/nope: ENOENT/),
      expect.stringMatching(/^relay\.conf:5: cannot read \/nope2: ENOENT/),
      `relay.conf:8: environments.p: ${credential}`,
      'relay.conf:7, relay.conf:10: environments "p" and "q" have the same sdkKey',
      'relay.conf:12: SDK key is required for environment "r"',
      "relay.conf:14: cannot specify proxy authentication without a proxy URL",
    ]);
  });

  test.each<[string, Parameters<typeof mistakesIn>[0], string]>([
    ["a variable", { variables: { LD_ENV_p: "", LD_MOBILE_KEY_p: "m" } }, "LD_ENV_p"],
    ["a line", { file: '[Environment "p"]\nenvId = e\nsdkKey =\n' }, "relay.conf:3"],
    [
      "a section without lines",
      { file: '[Environment "p"]\n# sdkKey = k\n[Environment "q"]\nsdkKey = k\n' },
      "relay.conf:1",
    ],
  ])("of an environment whose key is empty: by %s", async (_, sources, place) => {
    expect(await mistakesIn(sources)).toEqual([`${place}: SDK key is required for environment "p"`]);
  });

  test("of sections without lines", async () => {
    const file = '[Mian]\n[Main "x"]\n[Filters]\n[Filters "shop"]\n[Redis]\n[Environment "p"]\nsdkKey = k\n';
    expect(await mistakesIn({ file })).toEqual([
      'relay.conf:1: unsupported or misspelled section "Mian"; did you mean [Main]?',
      "relay.conf:2: this section has no name: [Main]",
      'relay.conf:3: this section needs a name: [Filters "name"]',
    ]);
    const [, , , ...others] = file.split("\n");
    expect(await mistakesIn({ file: others.join("\n").replace("= k", "= k\nprojKey = shop") })).toEqual([
      "relay.conf:1: filter key list for project 'shop' cannot be empty",
    ]);
  });

  test("an empty section takes nothing away from others of its name, nor from variables", async () => {
    const sections =
      '[environment "p"]\n[Environment "p"]\nsdkKey = k\n[Environment "p"]\n[Environment "q"]\n';
    expect(await mistakesIn({ file: sections, variables: { LD_ENV_q: "l" } })).toEqual([]);
  });

  test.each([
    ["environments without a prefix", { USE_REDIS: "1" }, ["LD_ENV_p", "LD_ENV_q"]],
    ["two databases", { USE_REDIS: "1", USE_CONSUL: "1" }, ["USE_REDIS, USE_CONSUL"]],
    [
      "two databases, and one at two addresses",
      { USE_REDIS: "1", USE_CONSUL: "1", REDIS_URL: "redis://one.example", REDIS_HOST: "two.example" },
      ["REDIS_URL, REDIS_HOST", "USE_REDIS, REDIS_HOST, REDIS_URL, USE_CONSUL"],
    ],
    ["DynamoDB without a table", { USE_DYNAMODB: "1", LD_PREFIX_p: "p", LD_PREFIX_q: "q" }, ["USE_DYNAMODB"]],
    ["filters without a project", { LD_FILTER_KEYS_x: "a", LD_PROJ_KEY_p: "x" }, ["LD_ENV_q"]],
    [
      "filters of nobody",
      { LD_FILTER_KEYS_x: "a", LD_PROJ_KEY_p: "y", LD_PROJ_KEY_q: "y" },
      ["LD_FILTER_KEYS_x"],
    ],
    ["one SDK key for two", { LD_ENV_q: "k1" }, ["LD_ENV_p, LD_ENV_q"]],
    [
      "one mobile key for two",
      { LD_MOBILE_KEY_p: "m", LD_MOBILE_KEY_q: "m" },
      ["LD_MOBILE_KEY_p, LD_MOBILE_KEY_q"],
    ],
    [
      "one ID for two",
      { LD_CLIENT_SIDE_ID_p: "i", LD_CLIENT_SIDE_ID_q: "i" },
      ["LD_CLIENT_SIDE_ID_p, LD_CLIENT_SIDE_ID_q"],
    ],
  ])("of variables that do not fit each other: %s", async (_, more, places) => {
    const found = await mistakesIn({ variables: { LD_ENV_p: "k1", LD_ENV_q: "k2", ...more } });
    expect(found.map((one) => one.slice(0, one.indexOf(":")))).toEqual(places);
  });
});

describe("what a mistake only seems to bring along is not told", () => {
  test.each<[string, Parameters<typeof mistakesIn>[0], readonly string[]]>([
    [
      "a port that cannot be read is not the usual one",
      { variables: { LD_ENV_p: "k", PORT: "x", WYE_STATUS_PORT: "8030" } },
      ["PORT: not a valid integer"],
    ],
    [
      "an address of a proxy that cannot be read is there",
      { variables: { LD_ENV_p: "k", PROXY_URL: "nowhere", PROXY_AUTH_NTLM: "1" } },
      [
        "PROXY_URL: must be an absolute URL/URI",
        "PROXY_AUTH_NTLM: NTLM proxy authentication requires username and password",
      ],
    ],
    [
      "a misspelt key is there",
      { file: '[Environment "p"]\nskdKey = k\nenvId = i\n' },
      [
        'relay.conf:2: unsupported or misspelled section "Environment", variable "skdKey"; did you mean sdkKey?',
      ],
    ],
    [
      "an environment below a header that cannot be read is there",
      { file: '[Main]\nport = 1\n[Environment "p]\nsdkKey = k\n' },
      ['relay.conf:3: a section is written as [Name] or [Name "name"] on a line of its own'],
    ],
    [
      "places of environments below a line that cannot be read are not known",
      {
        file: '[Redis]\nhost = h\n[Environment "p"]\nsdkKey = k\nprefx = p\n[Environment "q"]\nsdkKey = l\nprefx = q\n',
      },
      [
        'relay.conf:5: unsupported or misspelled section "Environment", variable "prefx"; did you mean prefix?',
        'relay.conf:8: unsupported or misspelled section "Environment", variable "prefx"; did you mean prefix?',
      ],
    ],
    [
      "a key without its value is one mistake",
      { file: '[Environment "p"]\nsdkKey\nenvId = i\n' },
      ["relay.conf:2: sdkKey: needs a value after ="],
    ],
    [
      "a key that is missing is one mistake",
      { file: '[Environment "p"]\nenvId = i\n' },
      ['relay.conf:2: SDK key is required for environment "p"'],
    ],
  ])("%s", async (_, sources, found) => {
    expect(await mistakesIn(sources)).toEqual(found);
  });
});

test.each([
  "INIT_TIMEOUT",
  "MAX_CLIENT_CONNECTION_TIME",
  "HEARTBEAT_INTERVAL",
  "LD_TTL_p",
  "EVENTS_FLUSH_INTERVAL",
])("%s may be shorter than a millisecond, and is one", async (name) => {
  for (const span of ["500us", "100ns", "1ns"])
    expect(await mistakesIn({ variables: { LD_ENV_p: "k", [name]: span } })).toEqual([]);
});
