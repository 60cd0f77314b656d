import { didYouMean } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { relayOptionsFrom } from "../relay-options.js";
import { readConfig } from "./load-config.js";
import { propertiesOf, sectionNames, sectionOf } from "./sections.js";
import { printConfig, showConfig } from "./show-config.js";

/** Random numbers that are the same in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const secret = "topsecret-0123456789";
const oddTexts = [
  "",
  "0",
  "-1",
  "1e999",
  "10s",
  "-5m",
  "1h1h1h",
  "99999999999h",
  "100GiB",
  "9EB",
  "true",
  "ON",
  "debug",
  "1.2",
  "http://a.example",
  "redis://:p@h",
  "tcp://h:1",
  "a,b,,c",
  "$CID",
  '"quoted \\" text"',
  '"open',
  "back\\slash",
  "line\\\nbreak",
  "a ; comment",
  "__proto__",
  "constructor",
  "\u0000",
  "\ud800",
  "ü\u202e",
  "[x]",
  "=".repeat(50),
  "9".repeat(400),
];
const names = ["production", "__proto__", "constructor", "a/b", "", "x y", "ü", '\\"', "toString"];
const sectionsAndMore = [...sectionNames, "__proto__", "Nowhere", "main", "ENVIRONMENT"];

/** A file that is more or less one. */
function randomFile(random: (below: number) => number): string {
  const pick = <Value>(list: readonly Value[]): Value => list[random(list.length)] as Value;
  let text = pick(["", "\ufeff", "\r\n", "# comment\n"]);
  for (let sections = random(5); sections >= 0; sections--) {
    const name = pick(sectionsAndMore);
    const named = random(10) === 0 || name === "Environment" || name === "Filters";
    text +=
      pick(["[", "[", "[", "[[", " [ "]) +
      name +
      (named ? ` "${pick(names)}"` : "") +
      pick(["]", "]", "]", "", "] x"]);
    text += pick(["\n", "\n", "\r\n"]);
    const known = sectionNames.find((one) => one === name);
    const keys = known === undefined ? [] : propertiesOf(known);
    for (let lines = random(6); lines > 0 && keys.length > 0; lines--) {
      const [key, property] = pick(keys);
      const spelled = pick([key, key, key, key.toUpperCase(), `${key}x`]);
      if (property.secret !== undefined) text += `\n${spelled} = ${secret}\n`;
      else {
        const value = pick([...oddTexts, property.default ?? ""]);
        text += spelled + pick([" = ", "=", " = ", "", " "]) + value + pick(["\n", "\n", " ; c\n", ""]);
      }
    }
  }
  return text;
}

function randomVariables(random: (below: number) => number): Readonly<Record<string, string>> {
  const pick = <Value>(list: readonly Value[]): Value => list[random(list.length)] as Value;
  const entries: [string, string][] = [];
  for (let count = random(12); count > 0; count--) {
    const section = pick(sectionNames);
    const [, { variable, secret: isSecret, default: usual = "1" }] = pick(propertiesOf(section));
    const name = sectionOf(section).named || variable.endsWith("_") ? pick(names) : "";
    entries.push([variable + name, isSecret === undefined ? pick([...oddTexts, usual, "true"]) : secret]);
  }
  return Object.fromEntries(entries);
}

const count = process.env.WYE_ALL_ROUNDS ? 100_000 : 10_000;

test(`${count} random configurations give messages or options, never an exception or a secret`, {
  timeout: 300_000,
}, () => {
  const random = createRandom(20_260_131);
  const ways = { refused: 0, held: 0 };
  const cwd = "/";
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  for (let i = 0; i < count; i++) {
    const form = random(3);
    const text = randomFile(random);
    const variables = randomVariables(random);
    const { config, problems, warnings } = readConfig(
      {
        ...(form === 0 ? {} : { file: { text, name: "relay.conf" } }),
        ...(form === 1 ? {} : { variables }),
      },
      didYouMean,
    );
    const messages = [...problems, ...warnings].map(({ at = "", message }) => `${at} ${message}`).join("\n");
    if (messages.includes(secret) || /undefined|\[object|TypeError/.test(messages)) {
      throw new Error(`${messages}\n${JSON.stringify({ text, variables })}`);
    }
    if (problems.length > 0) {
      ways.refused++;
      continue;
    }
    ways.held++;
    const shown = printConfig(showConfig(config));
    relayOptionsFrom(config, { stores: {}, logger, cwd });
    if (shown.includes(secret)) throw new Error(`${shown}\n${JSON.stringify({ text, variables })}`);
  }
  // Both happen often enough to mean something.
  expect(ways.refused).toBeGreaterThan(count / 10);
  expect(ways.held).toBeGreaterThan(count / 200);
});

test("a file of 50,000 lines is read in time that grows with it", () => {
  const lines = (count: number) =>
    `[Environment "e"]\nsdkKey = k\n${"allowedOrigin = http://a.example\n".repeat(count)}`;
  const cpuOf = (text: string) => {
    const start = process.cpuUsage();
    readConfig({ file: { text, name: "f" } }, didYouMean);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  cpuOf(lines(2000));
  const [small, large] = [lines(5000), lines(50_000)].map((text) => Math.min(cpuOf(text), cpuOf(text)));
  expect(large).toBeLessThan(Math.max(small ?? 0, 2000) * 60);
});
