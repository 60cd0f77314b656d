import { Command, CommanderError } from "commander";
import { addCompletion } from "./completion.js";
import { type ExitCode, UsageError } from "./exit-code.js";
import type { Host } from "./host.js";
import { messageOf } from "./message-of.js";
import { addPipelineCommands } from "./pipeline/commands.js";
import { printable } from "./printable.js";
import { refuseSlips } from "./refuse-slips.js";
import { addRelayCommand } from "./relay/commands.js";
import { plainArguments } from "./relay/plain-arguments.js";
import { addVehicleCommands } from "./vehicles/commands.js";
import { version } from "./version.js";

/** Runs the program with these arguments, and tells how it ends. What a command needs is loaded when it is called. */
export async function run(args: readonly string[], host: Host): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = createProgram(host, (ended) => {
    code = ended;
  });
  try {
    const [command, ...others] = withHelpAtTheEnd(program, args);
    const given = command === "relay" ? plainArguments(others) : others;
    await program.parseAsync(command === undefined ? [] : [command, ...given], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const isUse = error instanceof UsageError;
    const message = isUse || !(error instanceof Error) ? messageOf(error) : unexpected(error);
    // Names in it may come from files of strangers.
    host.err.write(`wye: ${message.split("\n").map(printable).join("\n")}\n`);
    return 2;
  }
}

/**
 * `help pipeline submit` and `pipeline help submit` as `pipeline submit --help`: commander's own help looks at one name alone. Of
 * names that are not there nothing stays behind the first wrong one, which commander refuses, where it would give help on what is above.
 */
function withHelpAtTheEnd(program: Command, args: readonly string[]): readonly string[] {
  const names: string[] = [];
  let [within, asked]: [Command, boolean] = [program, false];
  for (const [index, word] of args.entries()) {
    if (within.commands.length === 0 || word.startsWith("-")) {
      const rest = args.slice(index);
      return asked ? [...names, "--help"] : [...names, ...rest];
    }
    if (word === "help" && !asked) asked = true;
    else {
      names.push(word);
      const next = within.commands.find((one) => one.name() === word);
      if (next === undefined) return names;
      within = next;
    }
  }
  return asked ? [...names, "--help"] : names;
}

/** All commands; `end` is told how a command ended. */
function createProgram(host: Host, end: (code: ExitCode) => void): Command {
  const program = new Command("wye")
    .description("Checks and runs Kubeflow pipelines, relays feature flags, serves vehicles.")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show help; `wye help COMMAND` for one command")
    .showHelpAfterError("(add --help for how it is used)")
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.out.write(text),
      writeErr: (text) => host.err.write(text),
      getOutHelpWidth: () => host.out.columns ?? 100,
      getErrHelpWidth: () => host.err.columns ?? 100,
      outputError: (text, write) => write(text.replace(/^error: /, "wye: ")),
    })
    .addHelpText(
      "after",
      "\nExamples:\n  wye pipeline check pipeline.yaml\n  wye pipeline run pipeline.yaml -p epochs=3\n  wye relay --dev flags.yaml\n",
    );
  addPipelineCommands(program, host, end);
  addRelayCommand(program, host, end);
  addVehicleCommands(program, host, end);
  // Of two options of the same name ld-relay takes the last one.
  for (const command of program.commands) if (command.name() !== "relay") refuseSlips(command);
  addCompletion(program, host);
  return program;
}

/** What should not happen keeps its trace: it is for whoever mends it. */
function unexpected(error: Error): string {
  return `this should not have happened; please report it\n${error.stack ?? error.message}`;
}
