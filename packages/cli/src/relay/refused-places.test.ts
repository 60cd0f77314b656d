import { didYouMean } from "@wye/pipeline-spec";
import { type FlagStore, type FlagStoreContext, RelayError } from "@wye/relay";
import { expect, test } from "vitest";
import { readConfig } from "./config/load-config.js";
import { refusedPlaces } from "./refused-places.js";

/** What is said of the places of a configuration, with the lines where they are given, and which of them were opened and closed. */
async function refused(text: string, refuse: (context: FlagStoreContext) => unknown = () => undefined) {
  const { config } = readConfig({ file: { text, name: "f" } }, didYouMean);
  const opened: unknown[] = [];
  let closed = 0;
  const store = (context: FlagStoreContext): FlagStore => {
    opened.push([context.environment, context.envId, context.filter]);
    const error = refuse(context);
    if (error !== undefined) throw error;
    return {
      read: async () => undefined,
      replace: async () => {},
      upsert: async () => [],
      close: async () => void closed++,
    };
  };
  const problems = await refusedPlaces(config, { store });
  const said = problems.map(({ at = "nowhere", message }) => `${at}: ${message}`);
  return { said, opened, closed };
}

const refusing =
  (...problems: readonly string[]) =>
  () =>
    new RelayError("invalid_options", problems.join("; "), { problems });

const consul = "[Consul]\nhost = h\n";
const dynamo = "[DynamoDB]\nenabled = true\ntableName = t\n";
const environment = (name: string, ...lines: readonly string[]) =>
  `[Environment "${name}"]\nsdkKey = sdk-${name}\n${lines.map((line) => `${line}\n`).join("")}`;

test.each([
  ["a folder", "[Wye]\ndataFolder = d\n"],
  ["Redis, which takes everything", "[Redis]\nhost = h\n"],
])("the places of %s are not looked at", async (_, text) => {
  const { said, opened } = await refused(text + environment("a"), refusing("no"));
  expect([said, opened]).toEqual([[], []]);
});

test("a database that nothing is kept in has no places", async () => {
  const { config } = readConfig({ file: { text: consul, name: "f" } }, didYouMean);
  expect(await refusedPlaces(config, {})).toEqual([]);
});

test("each environment and each of its filters is opened as it would be, and closed", async () => {
  const text = `${consul}${environment("a", "envId = i", "projKey = p")}${environment("b", "projKey = q")}[Filters "p"]\nkeys = web\n`;
  expect(await refused(text)).toEqual({
    said: [],
    opened: [
      ["a", "i", undefined],
      ["a/web", "i", "web"],
      ["b", undefined, undefined],
    ],
    closed: 3,
  });
});

test("where nothing has a name yet, one is tried that is as those that are announced", async () => {
  const id = expect.stringMatching(/^[\da-f]{24}$/);
  const { opened, closed } = await refused(`[AutoConfig]\nkey = rel\n${consul}`);
  expect([opened, closed]).toEqual([[[id, id, undefined]], 1]);
});

const cannot = (name: string, message: string) => `"${name}" cannot be kept: ${message}`;
const ofTable = "table must have a name";

test.each<[what: string, text: string, problem: string, said: readonly string[]]>([
  [
    "prefix of an environment",
    consul + environment("a", "prefix = p") + environment("b"),
    "prefix is no",
    [`f:5: ${cannot("a", "prefix is no")}`, `nowhere: ${cannot("b", "prefix is no")}`],
  ],
  [
    "prefix of an environment that has filters",
    `${consul}${environment("a", "prefix = p", "projKey = p")}[Filters "p"]\nkeys = web,app\n`,
    "prefix is no",
    [`f:5: ${cannot("a", "prefix is no")}`],
  ],
  [
    "prefix of nobody who has filters",
    `${consul}${environment("a", "projKey = p")}[Filters "p"]\nkeys = web,app\n`,
    "prefix is no",
    [`nowhere: ${cannot("a", "prefix is no")}`],
  ],
  [
    "prefix of nobody",
    consul + environment("a") + environment("b"),
    "prefix is no",
    [`nowhere: ${cannot("a", "prefix is no")}`, `nowhere: ${cannot("b", "prefix is no")}`],
  ],
  [
    "prefix beside a table",
    dynamo + environment("a", "tableName = u", "prefix = p"),
    "prefix must fit the table",
    [`f:7: ${cannot("a", "prefix must fit the table")}`],
  ],
  [
    "table of an environment",
    dynamo + environment("a", "prefix = p", "tableName = u") + environment("b", "prefix = q"),
    ofTable,
    [`f:7: ${cannot("a", ofTable)}`, `f:3: ${cannot("b", ofTable)}`],
  ],
  [
    "prefix in a database with tables",
    dynamo + environment("a", "tableName = u", "prefix = p"),
    "prefix is no",
    [`f:7: ${cannot("a", "prefix is no")}`],
  ],
  [
    "table that everybody has",
    dynamo + environment("a") + environment("b"),
    ofTable,
    [`f:3: ${cannot("a", ofTable)}`],
  ],
  ["prefix that is announced", `[AutoConfig]\nkey = r\nenvDatastorePrefix = p\n${consul}`, "no", ["f:3: no"]],
  [
    "prefix of a file",
    `[OfflineMode]\nfileDataSource = d\nenvDatastorePrefix = p\n${consul}`,
    "no",
    ["f:3: no"],
  ],
  [
    "table that is announced",
    `[AutoConfig]\nkey = r\nenvDatastorePrefix = p\nenvDatastoreTableName = u\n${dynamo}`,
    ofTable,
    [`f:4: ${ofTable}`],
  ],
  ["table of all that are announced", `[AutoConfig]\nkey = r\n${dynamo}`, ofTable, [`f:5: ${ofTable}`]],
  ["prefix that nobody has set", `[AutoConfig]\nkey = r\n${dynamo}`, "no", ["nowhere: no"]],
])("a %s that cannot be is told where it was set, and once", async (_, text, problem, said) => {
  expect((await refused(text, refusing(problem))).said).toEqual(said);
});

test("all that is wrong with a place is told, and what is no fault of it is thrown", async () => {
  const text = dynamo + environment("a", "prefix = p", "tableName = u");
  expect((await refused(text, refusing(ofTable, "prefix is no"))).said).toEqual([
    `f:7: ${cannot("a", ofTable)}`,
    `f:6: ${cannot("a", "prefix is no")}`,
  ]);
  await expect(refused(text, () => new TypeError("a mistake"))).rejects.toThrow("a mistake");
});
