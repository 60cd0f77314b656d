import { Argument, type Command } from "commander";
import type { Host } from "./host.js";

/** Adds `wye completion`, which prints a script that completes commands and options in a shell. */
export function addCompletion(program: Command, host: Host): void {
  program
    .command("completion")
    .summary("print a script that completes commands in your shell")
    .description("Prints a script that completes commands and options in a shell.")
    .addArgument(new Argument("<shell>", "for which shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      `\nExamples:\n  source <(wye completion bash)\n  wye completion fish > ~/.config/fish/completions/wye.fish\n`,
    )
    .action((shell: "bash" | "zsh" | "fish") => {
      const words = wordsOf(program, []);
      host.out.write(shell === "fish" ? fishScript(words) : bashScript(words, shell));
    });
}

/** What may follow some words of a command line. */
interface Words {
  readonly after: readonly string[];
  readonly next: readonly { readonly word: string; readonly help: string }[];
}

function wordsOf(command: Command, after: readonly string[]): readonly Words[] {
  const commands = command.commands.map((one) => ({
    word: one.name(),
    help: one.summary() || one.description(),
  }));
  const options = command.options.flatMap(({ long, description }) =>
    long ? [{ word: long, help: description }] : [],
  );
  const own = { after, next: [...commands, ...options, { word: "--help", help: "show help" }] };
  return [own, ...command.commands.flatMap((one) => wordsOf(one, [...after, one.name()]))];
}

/** Files complete where nothing else does. zsh reads scripts of bash. */
function bashScript(words: readonly Words[], shell: "bash" | "zsh"): string {
  const cases = words.map(
    ({ after, next }) => `    "${after.join(" ")}") words="${next.map(({ word }) => word).join(" ")}" ;;`,
  );
  return `${shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : ""}_wye() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) case " ${words
      .filter(({ after }) => after.length > 0)
      .map(({ after }) => after.join("/"))
      .join(" ")} " in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac ;; esac
  done
  case "\${path//\\// }" in
${cases.join("\n")}
  esac
  COMPREPLY=( $(compgen -W "$words" -- "$current") )
}
complete -o default -F _wye wye
`;
}

function fishScript(words: readonly Words[]): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = words.flatMap(({ after, next }) => {
    const others = words.filter(
      (one) => one.after.length === after.length + 1 && after.every((word, i) => one.after[i] === word),
    );
    const seen = after.map((word) => `__fish_seen_subcommand_from ${word}`);
    const unseen =
      others.length > 0
        ? [`not __fish_seen_subcommand_from ${others.map((one) => one.after.at(-1)).join(" ")}`]
        : [];
    const condition = [...seen, ...unseen].join("; and ");
    return next.map(({ word, help }) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c wye${condition === "" ? "" : ` -n ${quoted(condition)}`} ${what} -d ${quoted(help)}`;
    });
  });
  return `${lines.join("\n")}\n`;
}
