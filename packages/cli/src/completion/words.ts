import type { Command } from "commander";

/** What may be written after some words of a command line. */
export interface Words {
  readonly after: readonly string[];
  readonly commands: readonly Word[];
  readonly options: readonly (Word & { readonly value?: Value; readonly short?: string })[];
  /** Whether something may be written that is no option, and what that is where only a few words are possible. */
  readonly hasArguments: boolean;
  readonly choices: readonly string[];
}

interface Word {
  readonly word: string;
  readonly help: string;
}

/** What has to follow an option, or may; without choices that is a file, or something nobody can guess. */
interface Value {
  readonly isRequired: boolean;
  readonly choices: readonly string[];
}

/** The words of a command, and of those below it. */
export function wordsOf(command: Command, after: readonly string[]): readonly Words[] {
  const commands = command.commands.map((one) => ({
    word: one.name(),
    help: one.summary() || one.description(),
  }));
  const options = command.options.flatMap(({ long, short, description, required, optional, argChoices }) =>
    long
      ? [
          {
            word: long,
            help: description,
            ...(short ? { short } : {}),
            ...(required || optional ? { value: { isRequired: required, choices: argChoices ?? [] } } : {}),
          },
        ]
      : [],
  );
  const help = { word: "--help", help: "show help" };
  const [argument] = command.registeredArguments;
  const own = {
    after,
    commands,
    options: [...options, help],
    hasArguments: argument !== undefined,
    choices: argument?.argChoices ?? [],
  };
  return [own, ...command.commands.flatMap((one) => wordsOf(one, [...after, one.name()]))];
}
