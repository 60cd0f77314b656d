import type { Words } from "./words.js";

/** A script for bash, which zsh reads as well. Where nothing is completed, files are. */
export function bashScript(words: readonly Words[]): string {
  const paths = words.filter(({ after }) => after.length > 0).map(({ after }) => after.join("/"));
  return `if [ -n "\${ZSH_VERSION-}" ]; then type compdef >/dev/null 2>&1 || { autoload -U +X compinit && compinit; }; autoload -U +X bashcompinit && bashcompinit; fi
_wye() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path="" commands="" options="" values="" prefix="" word index
  # bash takes --name=value for three words, zsh for one.
  case "$current" in
    =) current="" ;;
    --*=*) before="\${current%%=*}" prefix="\${current%%=*}=" current="\${current#*=}" ;;
    *) if [ "$before" = "=" ]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi ;;
  esac
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$word" in --) return ;; -*) ;; *) case " ${paths.join(" ")} " in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac ;; esac
  done
  case "$path" in
${words.map(caseOf).join("\n")}
  esac
  case "$path $before" in
${words.flatMap(valueCasesOf).join("\n")}
  esac
  case "$current" in -*) values="$options" ;; *) values="$commands" ;; esac
  COMPREPLY=( $(compgen -W "$values" -- "$current") )
}
complete -o default -F _wye wye
`;
}

/** A command that has only options is completed with those also where nothing is begun. */
function caseOf({ after, commands, options, hasArguments, choices }: Words): string {
  const all = options.map(({ word }) => word);
  const others = [...commands.map(({ word }) => word), ...choices];
  const next = others.length > 0 || hasArguments ? others : all;
  return `    "${after.join("/")}") commands="${next.join(" ")}" options="${all.join(" ")}" ;;`;
}

/** After an option that needs a value there is nothing else; after one that may have one there may be anything. */
function valueCasesOf({ after, options }: Words): readonly string[] {
  return options.flatMap(({ word, short, value }) => {
    if (!value?.isRequired) return [];
    const at = [word, ...(short ? [short] : [])].map((name) => `"${after.join("/")} ${name}"`).join(" | ");
    const reply =
      value.choices.length === 0
        ? ""
        : ` COMPREPLY=( $(compgen -P "$prefix" -W "${value.choices.join(" ")}" -- "$current") );`;
    return [`    ${at})${reply} return ;;`];
  });
}
