import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../../test/run-program.js";
import { type ConfigSources, loadConfig } from "./load-config.js";

/** A folder with what can be read as a configuration and what cannot. */
function makeSources(): string {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "good.conf"), '[Environment "a"]\nsdkKey = k\n');
  writeFileSync(join(cwd, "empty.conf"), "");
  writeFileSync(join(cwd, "odd.conf"), Buffer.from("[Main]\n", "utf16le").fill(0xff, 0, 2));
  mkdirSync(join(cwd, "folder"));
  return cwd;
}

const load = (sources: Omit<ConfigSources, "cwd">) => loadConfig({ cwd: makeSources(), ...sources });

test.each<[description: string, sources: Omit<ConfigSources, "cwd">]>([
  ["defaults", {}],
  ["configuration from environment variables", { variables: {} }],
  ["configuration file good.conf", { file: "good.conf" }],
  ["configuration file good.conf plus environment variables", { file: "good.conf", variables: {} }],
  ["configuration file empty.conf", { file: "empty.conf" }],
  ["configuration file folder", { file: "folder" }],
  ["defaults", { file: "none.conf", allowMissingFile: true }],
  ["configuration from environment variables", { file: "none.conf", allowMissingFile: true, variables: {} }],
])("people are told %j of %j", async (description, sources) => {
  expect((await load(sources)).description).toBe(description);
});

const text = (name: string) => `configuration file "${name}"`;

test.each<[sources: Omit<ConfigSources, "cwd">, message: string]>([
  [{ file: "none.conf" }, `${text("none.conf")} does not exist`],
  [{ file: "none.conf", missingHint: "name one" }, `${text("none.conf")} does not exist: name one`],
  [{ file: "odd.conf" }, `${text("odd.conf")} is no UTF-8: save it as that`],
  [{ file: "odd.conf", allowMissingFile: true }, `${text("odd.conf")} is no UTF-8: save it as that`],
  [{ file: "folder" }, `${text("folder")} cannot be read (EISDIR)`],
  [{ file: "folder", allowMissingFile: true }, `${text("folder")} cannot be read (EISDIR)`],
])("of a file that cannot be read nothing else is said: %j", async (sources, message) => {
  const { problems, warnings, config, text: given } = await load(sources);
  expect([problems, warnings, config.isWhole, given]).toEqual([[{ message }], [], false, { message }]);
});

test("a file is read where the program runs, and its text is kept as it is", async () => {
  const { problems, text: given, config } = await load({ file: "good.conf" });
  expect([problems, given]).toEqual([[], '[Environment "a"]\nsdkKey = k\n']);
  expect([config.isWhole, config.namesOf("Environment")]).toEqual([true, ["a"]]);
});

test("problems are in the order of the file, and those of no line behind them", async () => {
  const lines = ["[Main]", "prot = 1", "port = x", "[Nothing]", '[Environment "a"]', "sdkKey = k"];
  const { problems, config } = await load({
    file: "f:9",
    readText: async () => lines.join("\n"),
    variables: { EVENTS_SAMPLING_INTERVAL: "1", INIT_TIMEOUT: "x" },
  });
  expect(problems.map(({ at }) => at)).toEqual([
    "f:9:2",
    "f:9:3",
    "f:9:4",
    "INIT_TIMEOUT",
    "EVENTS_SAMPLING_INTERVAL",
  ]);
  expect(config.isWhole).toBe(false);
});

test("a file, variables and the command line are one configuration, of which the last one wins", async () => {
  const setting = { section: "Main", name: "", key: "port", text: "3", medium: "variable" } as const;
  const sources = {
    readText: async () => '[Main]\nport = 1\nlogLevel = warn\n[Environment "a"]\nsdkKey = k\n',
    file: "f",
    variables: { PORT: "2", INIT_TIMEOUT: "9s", BASE_UIR: "x" },
    settings: [{ ...setting, origin: "--port" }],
  };
  const { config, problems, warnings } = await load(sources);
  expect(problems).toEqual([]);
  expect(config.of("Main")).toMatchObject({ port: 3, logLevel: "warn", initTimeout: 9000 });
  expect(config.originsOf("Main", "port")).toEqual(["--port"]);
  expect(warnings).toEqual([{ at: "BASE_UIR", message: "is not known; did you mean BASE_URI?" }]);
});

test("variables that are not known are warned of before what holds is", async () => {
  const { warnings } = await load({ file: "good.conf", variables: { USE_REDIS: "1", BASE_UIR: "x" } });
  expect(warnings.map(({ message }) => message)).toEqual([
    "is not known; did you mean BASE_URI?",
    expect.stringContaining('environment "a" does not have a prefix'),
  ]);
});
