import { expect, test } from "vitest";
import { Config } from "./config.js";
import { propertiesOf, sectionNames } from "./sections.js";

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
