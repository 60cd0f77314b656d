import type { Words } from "./words.js";

/** A script for fish. Files are completed where an argument or a value may be one. */
export function fishScript(words: readonly Words[]): string {
  return `${words.flatMap((one) => linesOf(one, words)).join("\n")}\n`;
}

function linesOf({ after, commands, options, choices }: Words, words: readonly Words[]): readonly string[] {
  const others = words.filter(
    (one) => one.after.length === after.length + 1 && after.every((word, i) => one.after[i] === word),
  );
  const seen = after.map((word) => `__fish_seen_subcommand_from ${word}`);
  const unseen =
    others.length > 0
      ? [`not __fish_seen_subcommand_from ${others.map((one) => one.after.at(-1)).join(" ")}`]
      : [];
  const condition = [...seen, ...unseen].join("; and ");
  const line = (what: string, help: string) =>
    `complete -c wye${condition === "" ? "" : ` -n ${quoted(condition)}`} ${what}${help === "" ? "" : ` -d ${quoted(help)}`}`;
  return [
    ...commands.map(({ word, help }) => line(`-f -a ${word}`, help)),
    ...(choices.length > 0 ? [line(`-f -a ${quoted(choices.join(" "))}`, "")] : []),
    ...options.map(({ word, short, value, help }) => {
      const names = `${short ? `-s ${short.slice(1)} ` : ""}-l ${word.slice(2)}`;
      const chosen = value?.choices.length ? ` -x -a ${quoted(value.choices.join(" "))}` : "";
      return line(`${names}${chosen || (value?.isRequired ? " -r" : "")}`, help);
    }),
  ];
}

const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
