import { expect, test } from "vitest";
import type { Nearest } from "./nearest.js";
import { sectionNames } from "./sections.js";
import { settingsFromFile } from "./settings-from-file.js";

const none: Nearest = () => undefined;

const read = (text: string, nearest = none) => {
  const { settings, problems } = settingsFromFile(text, "f", nearest);
  return [
    ...settings.map(({ section, name, key, text: value, medium, origin }) => {
      expect(medium).toBe("file");
      return `${origin} ${section}${name === "" ? "" : ` ${name}`} ${key} ${JSON.stringify(value)}`;
    }),
    ...problems.map(({ at, message }) => `${at}: ${message}`),
  ];
};

test.each<[text: string, ...said: string[]]>([
  ["[Main]\nport = 1\nPORT = 2\nport", 'f:2 Main port "1"', 'f:3 Main port "2"', "f:4 Main port undefined"],
  ['[ENVIRONMENT "a"]\nSDKKEY = k', 'f:2 Environment a sdkKey "k"'],
  ['[Environment "a"]', 'f:1 Environment a sdkKey ""'],
  ['[Environment "a"]\n[Environment "a"]\nttl = 1s', 'f:3 Environment a ttl "1s"'],
  ['[environment "a"]\n[Environment "a"]\nttl = 1s', 'f:3 Environment a ttl "1s"'],
  [
    '[Environment "a"]\n[Environment "A"]\nttl = 1s',
    'f:3 Environment A ttl "1s"',
    'f:1 Environment a sdkKey ""',
  ],
  ['[Filters "p"]', 'f:1 Filters p keys ""'],
  ["[Main]\n[Redis]"],
])("what a file sets: %j", (text, ...said) => {
  expect(read(text)).toEqual(said);
});

test.each<[text: string, ...said: string[]]>([
  ["[Main]\n=", "f:2: a line is name = value, [Section], or a comment after # or ;"],
  ["[Mian]\nport = 1", `f:2: unsupported or misspelled section "Mian"; there are ${sectionNames.join(", ")}`],
  ["[Mian]", `f:1: unsupported or misspelled section "Mian"; there are ${sectionNames.join(", ")}`],
  ["[Environment]\nttl = 1s", 'f:2: this section needs a name: [Environment "name"]'],
  ['[Environment ""]', 'f:1: this section needs a name: [Environment "name"]'],
  ['[Main "x"]\nport = 1', "f:2: this section has no name: [Main]"],
  ['[Main ""]', "f:1: this section has no name: [Main]"],
  [
    "[Main]\nsendEvents = true",
    'f:2: unsupported or misspelled section "Main", variable "sendEvents"; it belongs to [Events]',
  ],
  [
    '[Filters "p"]\nkyes = a',
    'f:2: unsupported or misspelled section "Filters", variable "kyes"; there are keys',
  ],
  [
    "[Consul]\nuse = true\nUSE = true",
    ...[2, 3].map(
      (at) =>
        `f:${at}: unsupported or misspelled section "Consul", variable "${at === 2 ? "use" : "USE"}"; there are host, token, tokenFile, localTtl`,
    ),
  ],
])("what cannot be understood: %j", (text, ...said) => {
  expect(read(text)).toEqual(said);
});

test("what is near is meant, rather than what is elsewhere", () => {
  const asked: unknown[] = [];
  const nearest: Nearest = (name, known) => {
    asked.push([name, known.includes("port"), known.includes("Main")]);
    return "near";
  };
  const misspelled = "unsupported or misspelled section";
  expect(read("[Main]\nsendEvents = true\n[Mian]\nport = 1", nearest)).toEqual([
    `f:2: ${misspelled} "Main", variable "sendEvents"; did you mean near?`,
    `f:4: ${misspelled} "Mian"; did you mean [near]?`,
  ]);
  expect(asked).toEqual([
    ["sendEvents", true, false],
    ["Mian", false, true],
  ]);
});
