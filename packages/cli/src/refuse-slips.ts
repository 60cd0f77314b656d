import { type Command, InvalidArgumentError, type Option } from "commander";

/** Refuses, in a command and those below it, values that commander takes without a word and nobody means. */
export function refuseSlips(command: Command): void {
  for (const option of command.options) if (option.required || option.optional) watch(option, command);
  for (const one of command.commands) refuseSlips(one);
}

function watch(option: Option, { options }: Command): void {
  const { parseArg } = option;
  // A list of values is there from the start.
  const mayRepeat = Array.isArray(option.defaultValue);
  let before: string | undefined;
  option.argParser((value: string, previous: unknown) => {
    // A variable that is not set leaves the next option in the place of its value.
    const isOption = ["-h", "--help", ...options.flatMap(({ short, long }) => [short, long])].includes(value);
    if (isOption) throw new InvalidArgumentError(`${value} is an option, and no value is given.`);
    // Of two, one would be forgotten.
    if (before !== undefined && !mayRepeat)
      throw new InvalidArgumentError(`It is given twice, as ${before} before.`);
    before = value;
    return parseArg === undefined ? value : parseArg(value, previous);
  });
}
