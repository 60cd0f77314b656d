import { didYouMean } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { readConfig } from "./load-config.js";
import { maskAddress, printConfig, showConfig } from "./show-config.js";

/** What is shown of a file, or of variables over it: each place with its value and where that is from. */
function shown(text: string, variables?: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const file = { text, name: "f" };
  const { config } = readConfig({ file, ...(variables === undefined ? {} : { variables }) }, didYouMean);
  return Object.fromEntries(
    showConfig(config).map(({ section, name, key, value, origin }) => [
      `${section}${name === undefined ? "" : ` ${name}`} ${key}`,
      `${value} (${origin})`,
    ]),
  );
}

test.each([
  ["sdk-0123456789abcdef", "sdk-****cdef"],
  ["sdk-0123456789abcdefghijklmnopqrst", "sdk-****qrst"],
  ["sdk-0123456789abcde", "sdk-****cde"],
  ["sdk-01234567", "sdk-****67"],
  ["sdk-0123456", "sdk-****6"],
  ["sdk-012", "sdk-****"],
  ["mob-01234567", "mob-****67"],
  ["rel-01234567", "rel-****67"],
  ["api-01234567", "api-****67"],
  ["key-01234567", "****567"],
  ["xsdk-0123456789ab", "****89ab"],
  ["k", "****"],
])("of the key %s no more is shown than a quarter: %s", (key, masked) => {
  expect(shown(`[Environment "a"]\nsdkKey = ${key}\n`)).toMatchObject({
    "Environment a sdkKey": `${masked} (f:2)`,
  });
});

test.each([
  ["redis://h:1/2", "redis://h:1/2"],
  ["redis://u:p@h:1", "redis://xxxxx:xxxxx@h:1"],
  ["redis://u@h:1", "redis://xxxxx:xxxxx@h:1"],
  ["redis://:p@h:1", "redis://:xxxxx@h:1"],
])("of the address %s neither user nor password is shown: %s", (address, masked) => {
  expect(maskAddress(address)).toBe(masked);
  expect(shown(`[Redis]\nurl = ${address}\n`)).toMatchObject({ "Redis url": `${masked} (f:2)` });
});

test.each([
  ["h", "h"],
  ["h:1", "h:1"],
  ["u:p@h:1", "xxxxx:xxxxx@h:1"],
  ["https://u:p@h", "https://xxxxx:xxxxx@h/"],
  ["https://[h", "https://[h"],
])("what is written before a host, as in an address, is not shown: %s", (host, masked) => {
  expect(shown(`[Consul]\nhost = ${host}\ntoken = secret\n`)).toMatchObject({
    "Consul host": `${masked} (f:2)`,
    "Consul token": "******** (f:3)",
  });
});

test("of what is off, is replaced or cannot be written in files nothing is shown", () => {
  const off = shown('[Environment "a"]\nsdkKey = k\n');
  const sections = new Set(Object.keys(off).map((place) => place.split(" ")[0]));
  expect([...sections]).toEqual(["Main", "Events", "Environment", "Proxy", "Wye"]);
  expect(off).toMatchObject({ "Main port": "8030 (default)", "Environment a secureMode": "false (default)" });
  const redis = shown("[Redis]\nhost = h\n");
  expect(Object.keys(redis).filter((place) => place.startsWith("Redis"))).toEqual([
    ...["Redis host", "Redis port", "Redis tls"],
  ]);
  const url = shown("[Redis]\nurl = redis://h\n", { USE_REDIS: "1" });
  expect(Object.entries(url).filter(([place]) => place.startsWith("Redis"))).toEqual([
    ["Redis use", "true (USE_REDIS)"],
    ["Redis url", "redis://h (f:2)"],
    ["Redis tls", "false (default)"],
  ]);
  expect(shown("[OfflineMode]\nfileDataSource = f\n")).toMatchObject({
    "OfflineMode fileDataSource": "f (f:2)",
    "OfflineMode fileDataSourceMonitoringInterval": "1s (default)",
  });
});

test("a list that was set in several places has all of them", () => {
  const lines = '[Environment "a"]\nsdkKey = k\nallowedOrigin = x,y\nallowedOrigin = z\n';
  expect(shown(lines)["Environment a allowedOrigin"]).toBe("x,y,z (f:3, f:4)");
});

test("values stand below the headings of their sections, in columns that long ones leave", () => {
  const long = "x".repeat(60);
  const values = [
    { section: "Main", key: "port", value: "1", origin: "f:2" },
    { section: "Main", key: "baseUri", value: "x".repeat(47), origin: "default" },
    { section: "Environment", name: 'a"b', key: "prefix", value: "", origin: "f:9" },
    { section: "Environment", name: "c", key: "prefix", value: long, origin: "f:10" },
  ] as const;
  expect(printConfig(values.slice(0, 2)).split("\n")).toEqual([
    "[Main]",
    `  port     1${" ".repeat(46)}  f:2`,
    `  baseUri  ${"x".repeat(47)}  default`,
    "",
  ]);
  expect(printConfig(values).split("\n")).toEqual([
    "[Main]",
    `  port     1${" ".repeat(47)}  f:2`,
    `  baseUri  ${"x".repeat(47)}   default`,
    "",
    '[Environment "a\\"b"]',
    `  prefix   ""${" ".repeat(46)}  f:9`,
    "",
    '[Environment "c"]',
    `  prefix   ${long}  f:10`,
    "",
  ]);
});
