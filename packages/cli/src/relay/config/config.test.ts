import { expect, test } from "vitest";
import { Config } from "./config.js";
import { propertiesOf, sectionNames } from "./sections.js";
import type { Setting } from "./setting.js";

test("of what nothing was said nothing is known, and nothing is there", () => {
  const { config, problems } = Config.from([]);
  expect(problems).toEqual([]);
  expect(config.namesOf("Environment")).toEqual([]);
  expect(config.firstOriginOf("Environment", "a")).toBeUndefined();
  expect(config.emptiedAt("Environment", "sdkKey", "a")).toBeUndefined();
  expect(config.originsOf("Environment", "sdkKey", "a")).toEqual([]);
  expect(config.lacks("Environment", "sdkKey", "a")).toBe(true);
  expect([config.isSet("Main"), config.isSet("Main", "port"), config.isEnabled("Redis")]).toEqual([
    false,
    false,
    false,
  ]);
  expect(config.of("Main").port).toBe(8030);
});

const set = (section: Setting["section"], key: string, text: string, origin: string, name = ""): Setting => ({
  section,
  name,
  key,
  text,
  medium: "file",
  origin,
});

test.each([
  ["true", true],
  ["false", false],
])("a section that is on while something is %s is on: %j", (text, isOn) => {
  const { config } = Config.from([set("DynamoDB", "enabled", text, "f:1")]);
  expect([config.isEnabled("DynamoDB"), config.isSet("DynamoDB")]).toEqual([isOn, true]);
});

test("an environment was first spoken of where the first part of its list was set", () => {
  const settings = ["x", "y"].map((text, line) =>
    set("Environment", "allowedOrigin", text, `f:${line}`, "a"),
  );
  expect(Config.from(settings).config.firstOriginOf("Environment", "a")).toBe("f:0");
});

test("keys, passwords and addresses with passwords are known as such", () => {
  const secrets = sectionNames.flatMap((section) =>
    propertiesOf(section).flatMap(([key, { secret }]) => (secret ? [`${section}.${key}: ${secret}`] : [])),
  );
  expect(secrets).toEqual([
    "AutoConfig.key: key",
    ...["Environment.sdkKey: key", "Environment.mobileKey: key"],
    ...["Redis.url: url", "Redis.password: password"],
    "Consul.token: password",
    ...["Proxy.url: url", "Proxy.password: password"],
  ]);
});
