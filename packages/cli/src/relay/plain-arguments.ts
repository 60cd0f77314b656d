const single = /^-(config|allow-missing-file|from-env|version)(=.*)?$/s;
const truth = /^(--(?:allow-missing-file|from-env|version))=(true|1|t|false|0|f)$/i;

/**
 * The arguments of `wye relay` as this program spells them. Those of ld-relay may have one dash, and a switch may have a value:
 * `-config FILE`, `--from-env=true`.
 */
export function plainArguments(args: readonly string[]): readonly string[] {
  return args.flatMap((arg) => {
    const long = single.test(arg) ? `-${arg}` : arg;
    const [, name, value = ""] = truth.exec(long) ?? [];
    if (name === undefined) return [long];
    return /^[t1]/i.test(value) ? [name] : [];
  });
}
