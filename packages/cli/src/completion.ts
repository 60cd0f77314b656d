import { Argument, type Command } from "commander";
import { bashScript } from "./completion/bash-script.js";
import { fishScript } from "./completion/fish-script.js";
import { wordsOf } from "./completion/words.js";
import type { Host } from "./host.js";

const shells = { bash: bashScript, zsh: bashScript, fish: fishScript };

/** Adds `wye completion`, which prints a script that completes commands, options and values in a shell. */
export function addCompletion(program: Command, host: Host): void {
  program
    .command("completion")
    .summary("print a script that completes commands in your shell")
    .description("Prints a script that completes commands, options and their values in a shell.")
    .addArgument(new Argument("<shell>", "for which shell").choices(Object.keys(shells)))
    .addHelpText(
      "after",
      `\nExamples:\n  source <(wye completion bash)\n  wye completion fish > ~/.config/fish/completions/wye.fish\n`,
    )
    .action((shell: keyof typeof shells) => {
      host.out.write(shells[shell](wordsOf(program, [])));
    });
}
