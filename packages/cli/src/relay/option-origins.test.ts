import { didYouMean } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { readConfig } from "./config/load-config.js";
import { originsOfOption } from "./option-origins.js";

const environment = (name: string, ...lines: readonly string[]) =>
  `[Environment "${name}"]\nsdkKey = k\n${lines.map((line) => `${line}\n`).join("")}`;

test.each<[text: string, problem: string, origins: readonly string[] | undefined]>([
  ["[Main]\ninitTimeout = 1s\n", "options: initTimeout must be a time", ["f:2"]],
  ["[Main]\nstreamUri = https://x\n", "upstream: stream must be an address", ["f:2"]],
  ["[Main]\nstreamUri = https://x\n", "upstream: streams must be an address", undefined],
  ["[Main]\nstreamUri = https://x\n", "stream: upstream must be an address", undefined],
  ["[Main]\nport = 9\n", "upstream: stream must be an address", []],
  ["[Main]\nmaxClientConnectionTime = 1h\n", "streams: maxConnectionTime must be longer", ["f:2"]],
  ["[Main]\nheartbeatInterval = 1h\n", "streams: heartbeat must be longer", ["f:2"]],
  ["[AutoConfig]\nkey = rel\n", "autoConfig: key must be printable", ["f:2"]],
  ["", "nobody knows", undefined],
  [environment("a"), "environments.a: sdkKey must be printable", ["f:2"]],
  [environment("a"), "environments.a: envId must be printable", []],
  [environment("a"), "environments.b: sdkKey must be printable", undefined],
  [environment("a") + environment("ab"), "environments.ab: sdkKey must be printable", ["f:4"]],
  [environment("$&"), "environments.$&: sdkKey must be printable", ["f:2"]],
  [
    `${environment("a", "allowedOrigin = x", "allowedOrigin = y")}`,
    "environments.a: allowedOrigins must be origins",
    ["f:3", "f:4"],
  ],
  [
    `${environment("a", "projKey = p")}${environment("b", "projKey = q")}[Filters "p"]\nkeys = x\n[Filters "q"]\nkeys = y\n`,
    "environments.b: filters must be keys",
    ["f:10"],
  ],
  [environment("a") + environment("b"), 'environments "a" and "b" have the same sdkKey', ["f:2", "f:4"]],
  [
    environment("a") + environment("b") + environment("ab"),
    'environments "b" and "ab" have the same sdkKey',
    ["f:4", "f:6"],
  ],
  [
    environment("a\u2028b") + environment("c"),
    'environments "a\u2028b" and "c" have the same sdkKey',
    ["f:2", "f:4"],
  ],
  [
    environment("a", "envId = i") + environment("b") + environment("c", "envId = i"),
    'environments "a" and "c" have the same envId',
    ["f:3", "f:8"],
  ],
])("where it was set is told from what is wrong with it: %j, %j", (text, problem, origins) => {
  const { config } = readConfig({ file: { text, name: "f" } }, didYouMean);
  expect(originsOfOption(config, problem)).toEqual(origins);
});
