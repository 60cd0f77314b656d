import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { invalidCases } from "./invalid-configs.js";
import { makeFolder, wye } from "./run-program.js";
import { validCases } from "./valid-configs.js";

/** A folder with this configuration, and a file of flags. */
function folderWith(file: string): { readonly cwd: string } {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "relay.conf"), file);
  writeFileSync(
    join(cwd, "flags.json"),
    `{"flagValues": {"my-flag": true}, "environments": {"dev": {"sdkKey": "sdk-dev"}}}`,
  );
  return { cwd };
}

interface Checked {
  readonly ok: boolean;
  readonly problems: readonly { readonly at?: string; readonly message: string }[];
  readonly warnings: readonly { readonly at?: string; readonly message: string }[];
  readonly values: readonly {
    readonly section: string;
    readonly name?: string;
    readonly key: string;
    readonly value: string;
    readonly origin: string;
  }[];
}

async function check(
  args: readonly string[],
  host: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Checked> {
  const { code, out, err } = await wye(["relay", "--check", "--json", ...args], host);
  expect(err).toBe("");
  const checked: Checked = JSON.parse(out);
  expect(code).toBe(checked.ok ? 0 : 1);
  return checked;
}

const fromFile = (file: string) => check(["--config", "relay.conf"], folderWith(file));
const fromVariables = (env: Readonly<Record<string, string>>) =>
  check(["--from-env"], { ...folderWith(""), env });

function heldBy({ values }: Checked): Readonly<Record<string, string>> {
  return Object.fromEntries(
    values.map(({ section, name, key, value }) => [
      `${section}${name === undefined ? "" : ` ${JSON.stringify(name)}`}.${key}`,
      value,
    ]),
  );
}

const messages = (list: Checked["problems"]) =>
  list.map(({ at, message }) => (at === undefined ? message : `${at}: ${message}`)).join("\n");

describe("a configuration that holds", () => {
  for (const { name, file, variables, holds, warning = "" } of validCases) {
    const forms: [string, () => Promise<Checked>][] = [];
    if (file !== undefined) forms.push(["file", () => fromFile(file)]);
    if (variables !== undefined) forms.push(["variables", () => fromVariables(variables)]);
    test.each(forms)(`${name}, by %s`, async (_, read) => {
      const checked = await read();
      expect(messages(checked.problems)).toBe("");
      expect(heldBy(checked)).toMatchObject(holds);
      expect(messages(checked.warnings)).toContain(warning);
      expect(checked.warnings).toHaveLength(warning === "" ? 0 : 1);
    });
  }
});

describe("a configuration that is refused", () => {
  for (const { name, file, variables, message } of invalidCases) {
    const forms: [string, () => Promise<Checked>][] = [];
    if (file !== undefined) forms.push(["file", () => fromFile(file)]);
    if (variables !== undefined) forms.push(["variables", () => fromVariables(variables)]);
    test.each(forms)(`${name}, by %s`, async (_, read) => {
      const checked = await read();
      expect(messages(checked.problems)).toContain(message);
      expect(checked.values).toEqual([]);
    });
  }

  test("names every mistake with its line, in the order of lines", async () => {
    const { problems } = await fromFile(
      "[Main]\nport = x\nprot = 1\n\n[Nowhere]\ninitTimeout = 5\n[Events\n",
    );
    expect(problems.map(({ at }) => at)).toEqual([
      "relay.conf:2",
      "relay.conf:3",
      "relay.conf:6",
      "relay.conf:7",
    ]);
  });
});

describe("variables over a file", () => {
  const file = `[Main]
port = 8100
[Redis]
host = first.example
port = 6400
[Environment "earth"]
sdkKey = sdk-in-the-file
prefix = e
allowedOrigin = http://one.example
secureMode = true
[Environment "moon"]
sdkKey = sdk-of-the-moon
prefix = m
`;
  const over = async (env: Readonly<Record<string, string>>) =>
    check(["--config", "relay.conf", "--from-env"], { ...folderWith(file), env });

  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ["replace what there is one of", { PORT: "8200" }, { "Main.port": "8200" }],
    ["reset what they have empty", { PORT: "" }, { "Main.port": "8030" }],
    [
      "leave yes and no, and lists, as they are when they are empty: templates leave such variables behind",
      { LD_ENV_earth: "sdk-0123456789abcdef", LD_SECURE_MODE_earth: "", LD_ALLOWED_ORIGIN_earth: "" },
      {
        'Environment "earth".secureMode': "true",
        'Environment "earth".allowedOrigin': "http://one.example",
      },
    ],
    [
      "change the port of Redis, which the file uses",
      { REDIS_PORT: "6500" },
      { "Redis.port": "6500", "Redis.host": "first.example" },
    ],
    [
      "change the host of Redis",
      { REDIS_HOST: "second.example" },
      { "Redis.host": "second.example", "Redis.port": "6400" },
    ],
    [
      "add to lists and change keys of an environment",
      { LD_ENV_earth: "sdk-0123456789abcdef", LD_ALLOWED_ORIGIN_earth: "http://two.example" },
      {
        'Environment "earth".sdkKey': "sdk-****cdef",
        'Environment "earth".allowedOrigin': "http://one.example,http://two.example",
        'Environment "earth".prefix': "e",
      },
    ],
  ])("%s", async (_, env, holds) => {
    const checked = await over(env);
    expect(messages(checked.problems)).toBe("");
    expect(heldBy(checked)).toMatchObject(holds);
  });

  test.each([
    ["REDIS_HOST", "USE_REDIS"],
    ["REDIS_PASSWORD", "USE_REDIS"],
    ["CONSUL_HOST", "USE_CONSUL"],
    ["DYNAMODB_TABLE", "USE_DYNAMODB"],
  ])("%s counts with %s only, which is said", async (name, switched) => {
    const warningsWith = async (more: Readonly<Record<string, string>>) =>
      messages((await fromVariables({ LD_ENV_earth: "k", ...more })).warnings);
    expect(await warningsWith({ [name]: "x" })).toBe(
      `${name}: is passed over, because ${switched} is not set`,
    );
    expect(await warningsWith({ [name]: "x", [switched]: "false" })).toBe("");
    expect(await warningsWith({ [name]: "" })).toBe("");
    expect((await over({ [name]: "x" })).warnings).toHaveLength(name.startsWith("REDIS") ? 0 : 1);
  });

  test("of an environment count with its key only, which is said", async () => {
    const { warnings, values } = await over({ LD_MOBILE_KEY_moon: "mob-x" });
    expect(messages(warnings)).toBe("LD_MOBILE_KEY_moon: is passed over, because there is no LD_ENV_moon");
    expect(values.some(({ key }) => key === "mobileKey")).toBe(false);
  });

  test("tell where each value comes from", async () => {
    const { values } = await over({
      PORT: "8200",
      LD_ENV_earth: "k",
      LD_ALLOWED_ORIGIN_earth: "http://two.example",
    });
    const originOf = (key: string) => values.find((one) => one.key === key)?.origin;
    expect(["port", "host", "allowedOrigin", "logLevel"].map(originOf)).toEqual([
      "PORT",
      "relay.conf:4",
      "relay.conf:9, LD_ALLOWED_ORIGIN_earth",
      "default",
    ]);
  });
});

describe("variables that are not ours", () => {
  const warningsOf = async (env: Readonly<Record<string, string>>) =>
    messages((await fromVariables({ LD_ENV_earth: "k", ...env })).warnings);

  test.each([
    ["HEARTBEAT_INTERVALL", "HEARTBEAT_INTERVAL"],
    ["heartbeat_interval", "HEARTBEAT_INTERVAL"],
    ["LD_MOBILEKEY_earth", "LD_MOBILE_KEY_earth"],
    ["LD_CLIENTSIDE_ID_my_env", "LD_CLIENT_SIDE_ID_my_env"],
    ["WYE_STATUSPORT", "WYE_STATUS_PORT"],
    ["USE_EVENT", "USE_EVENTS"],
    ["EVENT_HOST", "EVENTS_HOST"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["AUTOCONFIG_KEY", "AUTO_CONFIG_KEY"],
    ["SEND_EVENTS", "USE_EVENTS"],
    ["EVENTS_URI", "EVENTS_HOST"],
    ["CA_CERT_FILES", "PROXY_CA_CERTS"],
    ["LD_SDK_KEY_moon", "LD_ENV_moon"],
    ["LD_ENVID_earth", "LD_CLIENT_SIDE_ID_earth"],
    ["LD_ENVID_moon", "LD_CLIENT_SIDE_ID_moon"],
  ])("%s may be misspelled, which is said without its value", async (name, meant) => {
    expect(await warningsOf({ [name]: "secret" })).toBe(`${name}: is not known; did you mean ${meant}?`);
  });

  test.each(["LD_CLIENT_ID_earth", "LD_EID_earth", "LD_SDK_KEY_earth", "LD_ENVIRONMENT_earth"])(
    "%s means nothing, and is not taken for what is set already",
    async (name) => {
      expect(await warningsOf({ [name]: "secret" })).toBe(
        `${name}: is not known; for the environment "earth" there are LD_ENV_earth, LD_MOBILE_KEY_earth, LD_CLIENT_SIDE_ID_earth, LD_SECURE_MODE_earth, LD_PREFIX_earth, LD_TABLE_NAME_earth, LD_ALLOWED_ORIGIN_earth, LD_ALLOWED_HEADER_earth, LD_LOG_LEVEL_earth, LD_TTL_earth, LD_PROJ_KEY_earth`,
      );
    },
  );

  test.each(["LD_ENV_", "LD_MOBILE_KEY_", "LD_FILTER_KEYS_"])("%s needs a name", async (name) => {
    expect(await warningsOf({ [name]: "secret" })).toBe(
      `${name}: means nothing without a name behind it, as in ${name}production`,
    );
  });

  test("nothing with an ID in its name is taken for an SDK key", async () => {
    expect(await warningsOf({ LD_EID_moon: "secret" })).toBe("");
    expect(await warningsOf({ LD_ENV_ID_earth: "507f1f77bcf86cd799439011" })).toBe(
      'LD_ENV_ID_earth: is the SDK key of an environment "ID_earth"; the ID of "earth" is LD_CLIENT_SIDE_ID_earth',
    );
  });

  test("environments of the file are known as well", async () => {
    const folder = folderWith(`[Environment "moon"]\nsdkKey = k\n`);
    const args = ["--config", "relay.conf", "--from-env"];
    const { warnings } = await check(args, { ...folder, env: { LD_CLIENT_ID_moon: "x" } });
    expect(messages(warnings)).toContain(
      'LD_CLIENT_ID_moon: is not known; for the environment "moon" there are',
    );
  });

  test.each([
    "PATH",
    "HOST",
    "HTTP_HOST",
    "POST",
    "EVENTS",
    "PROJECT_ID",
    "STATUS",
    "HOSTNAME",
    "LD_LIBRARY_PATH",
    "CACHE_TTL",
    "LD_PRELOAD",
    "REDIS_SERVICE_HOST",
    "REDIS_SERVICE_PORT",
    "REDIS_PORT_6379_TCP",
    "REDIS_PORT_6379_TCP_ADDR",
    "CONSUL_HTTP_ADDR",
    "CONSUL_HTTP_TOKEN",
    "TLS_CERTIFICATE_AUTHORITY",
    "LOG_FORMAT",
    "FILE_NAME",
  ])("%s is nobody's mistake", async (name) => expect(await warningsOf({ [name]: "x" })).toBe(""));

  test("what links between containers set is nobody's mistake", async () => {
    expect(await warningsOf({ REDIS_PORT: "tcp://10.0.0.11:6379" })).toBe("");
  });
});

describe("a folder of flags", () => {
  test.each([
    ["a file", "taken", "taken is no folder"],
    ["below a file", "taken/deep/er", "taken is no folder"],
  ])("that is %s is warned of: what is served does not need it", async (_, folder, reason) => {
    const host = folderWith(`[Environment "a"]\nsdkKey = sdk-a\n[Wye]\ndataFolder = ${folder}\n`);
    writeFileSync(join(host.cwd, "taken"), "");
    const { ok, warnings } = await check(["--config", "relay.conf"], host);
    expect([ok, messages(warnings)]).toEqual([true, expect.stringContaining(reason)]);
    expect(messages(warnings)).toMatch(/^relay\.conf:4: flags will not be kept: /);
  });

  test("that is there, or can be made, is not", async () => {
    const host = folderWith('[Environment "a"]\nsdkKey = sdk-a\n[Wye]\ndataFolder = some/flags\n');
    expect((await check(["--config", "relay.conf"], host)).warnings).toEqual([]);
    mkdirSync(join(host.cwd, "some/flags"), { recursive: true });
    expect((await check(["--config", "relay.conf"], host)).warnings).toEqual([]);
  });
});

describe("the command line", () => {
  const file = `[Environment "earth"]\nsdkKey = sdk-0123456789abcdef\n`;

  test.each([
    ["one dash", ["-config", "relay.conf"]],
    ["two dashes", ["--config", "relay.conf"]],
    ["an equals sign", ["-config=relay.conf", "-from-env=true", "--allow-missing-file=false"]],
    ["the last of two files", ["--config", "/no/such/file", "--config", "relay.conf"]],
  ])("takes %s", async (_, args) => {
    expect(heldBy(await check(args, folderWith(file)))).toMatchObject({
      'Environment "earth".sdkKey': "sdk-****cdef",
    });
  });

  test.each([
    ["UTF-16", Buffer.from(`\ufeff${file}`, "utf16le")],
    ["Latin-1", Buffer.from(`# café\n${file}`, "latin1")],
  ])("takes no file in %s, which would be read as something else", async (_, bytes) => {
    const host = folderWith("");
    writeFileSync(join(host.cwd, "relay.conf"), bytes);
    const { problems } = await check(["--config", "relay.conf"], host);
    expect(messages(problems)).toBe('configuration file "relay.conf" is no UTF-8: save it as that');
  });

  test.skipIf(!existsSync("/dev/zero"))("reads no more of a file than a configuration may have", async () => {
    const { problems } = await check(["--config", "/dev/zero"], folderWith(""));
    expect(messages(problems)).toBe(
      'configuration file "/dev/zero" cannot be read (it is larger than 4 MiB)',
    );
  });

  test("needs the file that it names", async () => {
    const { problems } = await check(["--config", "none.conf"], folderWith(""));
    expect(messages(problems)).toBe('configuration file "none.conf" does not exist');
  });

  test.each([[[]], [["--allow-missing-file"]], [["--allow-missing-file", "--from-env"]]])(
    "takes what is there and cannot be read for no file that is missing, with %j",
    async (options) => {
      const host = { ...folderWith(""), env: { LD_ENV_earth: "k" } };
      mkdirSync(join(host.cwd, "folder"));
      const { ok, problems } = await check(["--config", "folder", ...options], host);
      expect(ok).toBe(false);
      expect(messages(problems)).toBe('configuration file "folder" cannot be read (EISDIR)');
    },
  );

  test("without options takes the file of ld-relay", async () => {
    const { err, code } = await wye(["relay", "--check"]);
    expect([code, err]).toEqual([
      1,
      'wye: the configuration is wrong\n  configuration file "/etc/ld-relay.conf" does not exist: --config names another, --from-env takes variables, and --dev FILE relays the flags of a file without an account\n',
    ]);
  });

  test("takes variables alone when the file may be missing", async () => {
    const args = ["--config", "none.conf", "--allow-missing-file", "--from-env"];
    const checked = await check(args, { ...folderWith(""), env: { LD_ENV_earth: "k" } });
    expect(checked.ok).toBe(true);
  });

  test("prints its version, and refuses what it does not know", async () => {
    expect((await wye(["relay", "-version"])).out).toMatch(/^wye relay \d+\.\d+\.\d+/);
    expect(await wye(["relay", "--confg", "x"])).toMatchObject({ code: 2 });
    expect(await wye(["relay", "--port", "x"])).toMatchObject({ code: 2 });
    expect(await wye(["relay", "--dev", "f", "--config", "x"])).toMatchObject({ code: 2 });
  });
});

describe("a file of flags that names no environments", () => {
  const folder = () => {
    const cwd = makeFolder();
    writeFileSync(join(cwd, "flags.yaml"), "my-flag: true\n");
    return cwd;
  };
  const env = { FILE_DATA_SOURCE: "flags.yaml" };
  const refusal =
    /flags\.yaml names no environments: add `environments:` with an sdkKey for each, or .*`wye relay --dev`/;

  test("is refused with what to do, by the check and by the start", async () => {
    const cwd = folder();
    const { ok, problems } = await check(["--from-env"], { cwd, env });
    expect([ok, messages(problems)]).toEqual([false, expect.stringMatching(refusal)]);
    const interrupted = AbortSignal.abort();
    const started = await wye(["relay", "--from-env", "--port", "0"], { cwd, env, interrupted });
    expect(started).toEqual({ code: 1, out: "", err: expect.stringMatching(refusal) });
  });

  test("has keys with --dev", async () => {
    expect((await check(["--dev", "flags.yaml"], { cwd: folder() })).ok).toBe(true);
  });
});

test("the check of a whole file is as recorded, and has no secret in it", async () => {
  const secrets = ["topsecret-1", "topsecret-2", "topsecret-3", "topsecret-4", "topsecret-5"];
  const [sdkKey, mobileKey, password, proxyUser, proxyPassword] = secrets;
  const file = `[Main]
port = 8080 ; behind the load balancer
tlsMinVersion = 1.3
[Environment "production"]
sdkKey = "sdk-${sdkKey}-0123456789"
mobileKey = "mob-${mobileKey}-0123456789"
envId = "507f1f77bcf86cd799439011"
prefix = ld-production
[Redis]
url = redis://:${password}@redis.example:6379
[Proxy]
url = http://${proxyUser}:${proxyPassword}@proxy.example
[Wye]
logFormat = json
`;
  const host = { ...folderWith(file), env: { LOG_LEVEL: "debug" } };
  const { out, err, code } = await wye(["relay", "--config", "relay.conf", "--from-env", "--check"], host);
  expect([code, err]).toEqual([0, ""]);
  for (const secret of secrets) expect(out).not.toContain(secret);
  await expect(out).toMatchFileSnapshot("../testdata/relay/check.txt");
  const { out: json } = await wye(["relay", "--config", "relay.conf", "--check", "--json"], host);
  for (const secret of secrets) expect(json).not.toContain(secret);
});

test.each([
  "STREAM_URI",
  "BASE_URI",
  "CLIENT_SIDE_BASE_URI",
  "EVENTS_HOST",
  "CONSUL_HOST",
  "DYNAMODB_URL",
  "PROXY_URL",
  "REDIS_URL",
])("the check shows the address of %s without its password", async (name) => {
  const scheme = name === "REDIS_URL" ? "redis" : "http";
  const env = {
    LD_ENV_a: "sdk-1",
    LD_PREFIX_a: "a",
    LD_TABLE_NAME_a: "flags",
    ...(name === "CONSUL_HOST" ? { USE_CONSUL: "1" } : {}),
    ...(name === "DYNAMODB_URL" ? { USE_DYNAMODB: "1" } : {}),
    ...(name === "REDIS_URL" ? { USE_REDIS: "1" } : {}),
    [name]: `${scheme}://u:hunter2@h.example:1`,
  };
  const { out } = await wye(["relay", "--from-env", "--check"], { env });
  expect(out).toContain(`${scheme}://xxxxx:xxxxx@h.example:1`);
  expect(out).not.toContain("hunter2");
});

test.each([
  ["REDIS", "u:hunter2@127.0.0.1"],
  ["REDIS", "user:hunter2@127.0.0.1"],
  ["REDIS", ":hunter2@127.0.0.1"],
  ["CONSUL", "u:hunt@er2@127.0.0.1:8500"],
  ["CONSUL", "user:h@127.0.0.1"],
])("the check shows a host of %s without the password before it, in each format", async (name, host) => {
  const env = { LD_ENV_a: "sdk-1", LD_PREFIX_a: "a", [`USE_${name}`]: "1", [`${name}_HOST`]: host };
  for (const format of [[], ["--json"]]) {
    const { out, err } = await wye(["relay", "--from-env", "--check", ...format], { env });
    expect(out).toContain("xxxxx:xxxxx@127.0.0.1");
    expect(out + err).not.toMatch(/hunt|er2|h@|user/);
  }
});

test.each(["0x50", "1e3", "-1", "65536", " "])("--port %j is refused", async (port) => {
  const { code, err } = await wye(["relay", "--check", `--port=${port}`]);
  expect(code).toBe(2);
  expect(err).toContain("It is a number up to 65535");
});
