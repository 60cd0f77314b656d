import { Argument, Command, Option } from "commander";
import { expect, test } from "vitest";
import { wordsOf } from "./words.js";

const help = { word: "--help", help: "show help" };

test("the words of a command are its commands, its options and what its first argument may be", () => {
  const program = new Command("wye");
  const run = program.command("run").summary("runs").description("runs whatever there is");
  run.option("-f, --file <path>", "a file").option("--maybe [when]", "or not").option("-q", "quiet");
  run.addOption(new Option("--kind <kind>", "one of two").choices(["x", "y"]));
  run
    .command("now")
    .description("at once")
    .addArgument(new Argument("<what>").choices(["a", "b"]));
  program.command("stop").description("stops").argument("[name]");
  expect(wordsOf(program, [])).toEqual([
    {
      after: [],
      commands: [
        { word: "run", help: "runs" },
        { word: "stop", help: "stops" },
      ],
      options: [help],
      hasArguments: false,
      choices: [],
    },
    {
      after: ["run"],
      commands: [{ word: "now", help: "at once" }],
      options: [
        { word: "--file", short: "-f", help: "a file", value: { isRequired: true, choices: [] } },
        { word: "--maybe", help: "or not", value: { isRequired: false, choices: [] } },
        { word: "--kind", help: "one of two", value: { isRequired: true, choices: ["x", "y"] } },
        help,
      ],
      hasArguments: false,
      choices: [],
    },
    { after: ["run", "now"], commands: [], options: [help], hasArguments: true, choices: ["a", "b"] },
    { after: ["stop"], commands: [], options: [help], hasArguments: true, choices: [] },
  ]);
});
