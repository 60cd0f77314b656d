import { didYouMean } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { readConfig } from "./config/load-config.js";
import { environmentsFrom, textsOf } from "./environment-options.js";
import { variantsIn } from "./environment-variants.js";

const configOf = (text: string) => readConfig({ file: { text, name: "f" } }, didYouMean).config;

const least = {
  sdkKey: "",
  secureMode: false,
  ttl: 0,
  allowedOrigins: [],
  allowedHeaders: [],
  filters: [],
  clientStream: "evaluated",
};

test.each<[text: string, options: object]>([
  ["", least],
  ["sdkKey = k\nmobileKey = m\nenvId = i", { ...least, sdkKey: "k", mobileKey: "m", envId: "i" }],
  ["secureMode = true", { ...least, secureMode: true }],
  ["ttl = 1500ms", { ...least, ttl: 1500 }],
  ["ttl = 1us", { ...least, ttl: 1 }],
  ["ttl = -1s", least],
  ["allowedOrigin = a, b ,,a", { ...least, allowedOrigins: ["a", "b"] }],
  ["allowedHeader = x\nallowedHeader = y", { ...least, allowedHeaders: ["x", "y"] }],
  ["projKey = p", { ...least, filters: ["web", "app"] }],
  ["projKey = q", least],
  ["[Wye]\nclientPing = true", { ...least, clientStream: "ping" }],
])("an environment of %j is given to the relay as it is written", (text, options) => {
  const config = configOf(`[Filters "p"]\nkeys = web, ,app\n[Environment "a"]\n${text}\n`);
  expect(environmentsFrom(config, {})).toEqual({ a: options });
});

test("every environment has the stores, and each of its filters a place of its own", () => {
  const config = configOf(
    '[Filters "p"]\nkeys = web\n[Environment "a"]\nenvId = i\nprojKey = p\n[Environment "b"]\nsdkKey = b\n',
  );
  const store = () => expect.unreachable();
  const environments = environmentsFrom(config, { store });
  expect(Object.values(environments).map((one) => one.store)).toEqual([store, store]);
  expect(variantsIn(config)).toEqual([
    { name: "a", environment: "a", envId: "i", filter: undefined },
    { name: "a", environment: "a/web", envId: "i", filter: "web" },
    { name: "b", environment: "b", envId: undefined, filter: undefined },
  ]);
});

test("of a list each text is taken once, without the blanks around it", () => {
  expect(textsOf([" a", "b ", "", "  ", "a", "c d"])).toEqual(["a", "b", "c d"]);
  expect(textsOf()).toEqual([]);
});
