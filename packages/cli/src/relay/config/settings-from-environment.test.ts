import { didYouMean } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { readConfig } from "./load-config.js";
import { settingsFromEnvironment, type Variables } from "./settings-from-environment.js";

/** What variables set over a file, and what is said of them. */
function read(variables: Variables, text = "") {
  const { config } = readConfig({ file: { text, name: "f" } }, didYouMean);
  const { settings, problems, warnings } = settingsFromEnvironment(variables, config, didYouMean);
  const lines = (list: typeof problems) => list.map(({ at, message }) => `${at}: ${message}`);
  return {
    set: settings.map(({ section, name, key, text: value, medium, origin }) => {
      expect(medium).toBe("variable");
      return `${origin}: ${section}${name === "" ? "" : ` ${name}`} ${key} ${value}`;
    }),
    problems: lines(problems),
    warnings: lines(warnings),
  };
}

test.each<[variables: Variables, ...set: string[]]>([
  [{}],
  [{ PORT: undefined }],
  [{ PORT: "1", PATH: "/bin" }, "PORT: Main port 1"],
  [{ PORT: "" }, "PORT: Main port "],
  [{ LD_ENV_a: "k", LD_TTL_a: "1s" }, "LD_ENV_a: Environment a sdkKey k", "LD_TTL_a: Environment a ttl 1s"],
  [{ LD_ENV_a_b: "k", LD_ENV_: "x" }, "LD_ENV_a_b: Environment a_b sdkKey k"],
  [{ LD_TTL_a: "1s" }],
  [{ LD_FILTER_KEYS_p: "x,y" }, "LD_FILTER_KEYS_p: Filters p keys x,y"],
  [
    { USE_DATADOG: "1", DATADOG_TAG_b: "2", DATADOG_TAG_a: "1", DATADOG_TAG_: "3" },
    "USE_DATADOG: Datadog enabled 1",
    "DATADOG_TAG_a: Datadog tag a:1",
    "DATADOG_TAG_b: Datadog tag b:2",
  ],
])("what variables set: %j", (variables, ...set) => {
  const { problems, set: found } = read(variables);
  expect([found, problems]).toEqual([set, []]);
});

test.each<[variables: Variables, file: string, ...set: string[]]>([
  [{ REDIS_HOST: "h" }, ""],
  [{ REDIS_HOST: "h", USE_REDIS: "false" }, ""],
  [{ REDIS_HOST: "h", USE_REDIS: "" }, ""],
  [{ REDIS_HOST: "h" }, "[Redis]\nport = 1\n", "REDIS_HOST: Redis host h"],
  [{ REDIS_HOST: "h", USE_REDIS: "false" }, "[Redis]\nport = 1\n", "REDIS_HOST: Redis host h"],
  [{ REDIS_HOST: "h", USE_REDIS: "perhaps" }, "", "REDIS_HOST: Redis host h"],
  [{ REDIS_PORT: "tcp://r:9", USE_REDIS: "1" }, "", "REDIS_PORT: Redis host r", "REDIS_PORT: Redis port 9"],
  [
    { REDIS_PORT: "tcp://[::1]:9", USE_REDIS: "1" },
    "",
    "REDIS_PORT: Redis host [::1]",
    "REDIS_PORT: Redis port 9",
  ],
  [{ REDIS_PORT: "tcp://r:9/x:1", USE_REDIS: "1" }, "", "REDIS_PORT: Redis port tcp://r:9/x:1"],
  [{ REDIS_PORT: "xtcp://r:9", USE_REDIS: "1" }, "", "REDIS_PORT: Redis port xtcp://r:9"],
  [{ REDIS_PORT: "9", USE_REDIS: "1" }, "", "REDIS_PORT: Redis port 9"],
])("variables of a database count if it is used: %j over %j", (variables, file, ...set) => {
  const found = read(variables, file).set.filter((line) => line.startsWith("REDIS"));
  expect(found).toEqual(set);
});

const rule = { ENV_ALLOWED_ORIGIN: "o" };
test.each<[variables: Variables, file: string, section: string]>([
  [{}, "", "AutoConfig"],
  [{ AUTO_CONFIG_KEY: "k" }, "", "AutoConfig"],
  [{ FILE_DATA_SOURCE: "f" }, "", "OfflineMode"],
  [{ FILE_DATA_SOURCE: "" }, "", "AutoConfig"],
  [{ FILE_DATA_SOURCE: "f", AUTO_CONFIG_KEY: "k" }, "", "AutoConfig"],
  [{ FILE_DATA_SOURCE: "f", AUTO_CONFIG_KEY: "" }, "", "OfflineMode"],
  [{}, "[OfflineMode]\nfileDataSource = f\n", "OfflineMode"],
  [{ FILE_DATA_SOURCE: "" }, "[OfflineMode]\nfileDataSource = f\n", "AutoConfig"],
  [{ FILE_DATA_SOURCE: "f" }, "[AutoConfig]\nkey = k\n", "AutoConfig"],
  [{ FILE_DATA_SOURCE: "f", AUTO_CONFIG_KEY: "" }, "[AutoConfig]\nkey = k\n", "OfflineMode"],
])("two modes have the same variables, which belong to one: %j over %j", (variables, file, section) => {
  expect(read({ ...variables, ...rule }, file).set.filter((line) => line.startsWith("ENV_"))).toEqual([
    `ENV_ALLOWED_ORIGIN: ${section} envAllowedOrigin o`,
  ]);
});

const gone = "this variable is no longer supported";
test.each<[variables: Variables, ...problems: string[]]>([
  [{ EVENTS_SAMPLING_INTERVAL: "1" }, `EVENTS_SAMPLING_INTERVAL: ${gone}`],
  [{ EVENTS_SAMPLING_INTERVAL: "" }],
  [{ REDIS_TTL: "1" }],
  [{ REDIS_TTL: "1", USE_REDIS: "1" }, `REDIS_TTL: ${gone}; use CACHE_TTL`],
  [{ REDIS_TTL: "", USE_REDIS: "1" }],
  [{ LD_TTL_MINUTES_a: "1", LD_ENV_a: "k" }, `LD_TTL_MINUTES_a: ${gone}; use LD_TTL_a`],
  [{ LD_TTL_MINUTES_a: "1" }],
  [{ LD_TTL_MINUTES_b: "1", LD_ENV_a: "k" }],
])("what is not supported any more: %j", (variables, ...problems) => {
  expect(read(variables)).toMatchObject({ problems, warnings: [] });
});

const unset = (name: string) => `is passed over, because ${name} is not set`;
test.each<[variables: Variables, ...warnings: string[]]>([
  [{ LD_ENV_a: "k", LD_PREFIX_a: "p" }],
  [{ LD_PREFIX_a: "p" }, "LD_PREFIX_a: is passed over, because there is no LD_ENV_a"],
  [{ LD_TTL_a: "1s", LD_ENV_b: "k" }, "LD_TTL_a: is passed over, because there is no LD_ENV_a"],
  [{ LD_TTL_MINUTE_a: "1s" }, "LD_TTL_MINUTE_a: is passed over, because there is no LD_ENV_MINUTE_a"],
  [{ LD_TTL_MINUTESa: "1s" }, "LD_TTL_MINUTESa: is passed over, because there is no LD_ENV_MINUTESa"],
  [{ LD_PREFIX_MINUTES_a: "p" }, "LD_PREFIX_MINUTES_a: is passed over, because there is no LD_ENV_MINUTES_a"],
  [
    { REDIS_HOST: "h", REDIS_URL: "u" },
    `REDIS_HOST: ${unset("USE_REDIS")}`,
    `REDIS_URL: ${unset("USE_REDIS")}`,
  ],
  [{ REDIS_HOST: "" }],
  [{ REDIS_HOST: "tcp://h" }],
  [{ REDIS_HOST: "h", USE_REDIS: "0" }],
  [{ REDIS_HOST: "h", USE_REDIS: "1" }],
  [{ CACHE_TTL: "1s" }],
  [
    { CONSUL_HOST: "h", DYNAMODB_TABLE: "t" },
    `CONSUL_HOST: ${unset("USE_CONSUL")}`,
    `DYNAMODB_TABLE: ${unset("USE_DYNAMODB")}`,
  ],
])("what is passed over is said: %j", (variables, ...warnings) => {
  expect(read(variables).warnings.toSorted()).toEqual(warnings.toSorted());
});

const ofFile = (name: string) => `[Environment "${name}"]\nsdkKey = k\n`;
test.each<[variables: Variables, file: string, names: readonly string[]]>([
  [{ LD_STRANGE_a: "1" }, ofFile("a"), ["LD_STRANGE_a"]],
  [{ LD_STRANGE_a: "1", LD_ENV_a: "k" }, "", ["LD_STRANGE_a"]],
  [{ LD_STRANGE_a: "1", LD_STRANGE_b: "1", LD_ENV_a: "k" }, ofFile("b"), ["LD_STRANGE_a", "LD_STRANGE_b"]],
  [{ LD_STRANGE_c: "1", LD_ENV_a: "k" }, ofFile("b"), []],
])(
  "what ends in the name of an environment, wherever that is from, is told: %j over %j",
  (variables, file, names) => {
    expect(read(variables, file).warnings).toEqual(
      names.map((name) =>
        expect.stringContaining(
          `${name}: is not known; for the environment "${name.at(-1)}" there are LD_ENV_`,
        ),
      ),
    );
  },
);
